"""What bench/compare.py and bench/compare_schedules.py are made of."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
