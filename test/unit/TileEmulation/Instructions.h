// The emulated instructions as a kernel calls them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "TileEmulation/TileEmulation.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace lintel {

template <class Function> Function *emulated(std::string_view symbol) {
  for (const EmulatedInstruction &instruction : emulatedInstructions())
    if (instruction.symbol == symbol)
      return reinterpret_cast<Function *>(instruction.address);
  ADD_FAILURE() << "no " << symbol;
  return nullptr;
}

struct Shape {
  int rows, bytes;
};

using ConfigBytes = std::array<uint8_t, 64>;

inline ConfigBytes configBytes(const std::vector<Shape> &shapes) {
  ConfigBytes bytes = {1};
  for (size_t tile = 0; tile < shapes.size(); ++tile) {
    bytes[16 + 2 * tile] = uint8_t(shapes[tile].bytes);
    bytes[48 + tile] = uint8_t(shapes[tile].rows);
  }
  return bytes;
}

inline void loadConfig(const ConfigBytes &bytes) {
  emulated<void(const void *)>("lintel_tmm_config")(bytes.data());
}
inline void configure(const std::vector<Shape> &shapes) {
  loadConfig(configBytes(shapes));
}
inline void release() { emulated<void()>("lintel_tmm_release")(); }
inline void zero(int tile) { emulated<void(int32_t)>("lintel_tmm_zero")(tile); }
inline void load(int tile, const void *rows, int64_t stride) {
  emulated<void(int32_t, const void *, int64_t)>("lintel_tmm_load")(tile, rows,
                                                                    stride);
}
inline void store(int tile, void *rows, int64_t stride) {
  emulated<void(int32_t, void *, int64_t)>("lintel_tmm_store")(tile, rows,
                                                               stride);
}
/// `name` is that of the op: dpbf16, dpbssd ...
inline void multiply(const std::string &name, int acc, int a, int b) {
  emulated<void(int32_t, int32_t, int32_t)>("lintel_tmm_" + name)(acc, a, b);
}

} // namespace lintel
