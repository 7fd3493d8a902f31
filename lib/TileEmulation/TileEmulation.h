// AMX tile registers in memory: what kernels lowered with `emulate` call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread has its own registers, as on a CPU. The functions do exactly what
// the instructions do; where an instruction would trap, they change nothing but
// the number of faults.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lintel {

struct EmulatedInstruction {
  std::string_view symbol; ///< as lintel-lower-tmm writes it
  void *address;           ///< a function of C's calling convention
};
/// Every function that a kernel may call:
///
///   lintel_tmm_config(const void *bytes)   64 bytes, as LDTILECFG reads them
///   lintel_tmm_release()
///   lintel_tmm_zero(int32_t tile)
///   lintel_tmm_load(int32_t tile, const void *rows, int64_t strideBytes)
///   lintel_tmm_store(int32_t tile, void *rows, int64_t strideBytes)
///   lintel_tmm_dpbf16(int32_t acc, int32_t a, int32_t b), and so dpfp16,
///   dpbssd, dpbsud, dpbusd and dpbuud
std::span<const EmulatedInstruction> emulatedInstructions();

/// Instructions of this process, on any thread, that would have trapped: on a
/// register that does not exist or is not configured, on shapes that do not
/// fit, on a configuration that is none.
uint64_t tileFaults();

} // namespace lintel
