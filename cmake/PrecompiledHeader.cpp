// What a precompiled header belongs to that several targets share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
