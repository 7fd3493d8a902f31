// How much memory this process may take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lintel {

/// Bytes that the process's control groups (v1 and v2, the tightest of the
/// group and its parents) leave it, cached files that can be dropped included;
/// empty without a limit. The root is "" on a real machine.
std::optional<int64_t> cgroupFreeMemory(const std::string &root);

/// Bytes that the machine can give without swapping, from
/// `<root>/proc/meminfo`; empty where that does not say, or says what cannot
/// be. The root is "" on a real machine.
std::optional<int64_t> freeMemoryOfMachine(const std::string &root);

/// Bytes that this process may take without swapping, as the system sees it:
/// the least of both, from the same root, and of all memory there is.
int64_t availableMemory(const std::string &root = "");

} // namespace lintel
