// Gives a precompiled header that targets share a translation unit to belong
// to. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
