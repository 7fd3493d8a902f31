// What a line of `lintel cache ls` says of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"

#include <string>
#include <vector>

namespace lintel::tool {

/// Time, ISA level and threads, types, problem, and what speaks against it: of
/// another build it is of no use to this one. Entries of one
/// dynamic layer may differ in nothing but the rows that their packed weight is
/// laid out for.
std::vector<std::string> kernelCells(const CacheEntry &entry);

} // namespace lintel::tool
