// The state of a thread's tile registers, and the functions that kernels call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TileEmulation/TileEmulation.h"

#include "TileEmulation/TileArithmetic.h"

#include <array>
#include <atomic>
#include <cstring>
#include <optional>

namespace lintel {
namespace {

constexpr int kTiles = 8;
constexpr int kConfigBytes = 64;

/// All zero: as after TILERELEASE.
using TileFile = std::array<EmulatedTile, kTiles>;
thread_local TileFile tiles;

std::atomic<uint64_t> faults = 0;

void fault() { faults.fetch_add(1, std::memory_order_relaxed); }

/// The configured register of that number, or null after counting the fault.
EmulatedTile *configured(int32_t number) {
  if (number >= 0 && number < kTiles && tiles[number].rows > 0)
    return &tiles[number];
  fault();
  return nullptr;
}

/// Shapes of palette 1: bytes per row as 16-bit numbers from byte 16 on, rows
/// from byte 48 on; nothing if LDTILECFG would trap. Byte 1, the row at which
/// an interrupted load resumes, must be zero: nothing interrupts a load here.
std::optional<TileFile> decode(const uint8_t (&bytes)[kConfigBytes]) {
  constexpr int kColumns = 16, kRows = 48;
  TileFile decoded;
  for (int byte = 1; byte < kConfigBytes; ++byte) {
    const bool shape = (byte >= kColumns && byte < kColumns + 2 * kTiles) ||
                       (byte >= kRows && byte < kRows + kTiles);
    if (!shape && bytes[byte] != 0)
      return std::nullopt;
  }
  for (int tile = 0; tile < kTiles; ++tile) {
    const int rowBytes =
        bytes[kColumns + 2 * tile] | bytes[kColumns + 2 * tile + 1] << 8;
    const int rows = bytes[kRows + tile];
    if (rowBytes > kTileRowBytes || rows > kTileRows ||
        (rowBytes == 0) != (rows == 0))
      return std::nullopt;
    decoded[tile].rows = rows;
    decoded[tile].bytes = rowBytes;
  }
  return decoded;
}

using Multiply = void (*)(EmulatedTile &, const EmulatedTile &,
                          const EmulatedTile &);

template <Multiply multiply>
void dotProduct(int32_t accNumber, int32_t aNumber, int32_t bNumber) {
  EmulatedTile *acc = configured(accNumber);
  const EmulatedTile *a = configured(aNumber), *b = configured(bNumber);
  if (!acc || !a || !b)
    return;
  if (acc == a || acc == b || a == b || acc->rows != a->rows ||
      acc->bytes != b->bytes || a->bytes != 4 * b->rows || acc->bytes % 4 != 0)
    return fault();
  multiply(*acc, *a, *b);
}

void config(const void *memory) {
  uint8_t bytes[kConfigBytes];
  std::memcpy(bytes, memory, sizeof bytes);
  if (bytes[0] == 0) {
    tiles = {};
    return;
  }
  std::optional<TileFile> decoded =
      bytes[0] == 1 ? decode(bytes) : std::nullopt;
  if (!decoded)
    return fault();
  tiles = *decoded;
}

void release() { tiles = {}; }

void zero(int32_t number) {
  if (EmulatedTile *tile = configured(number))
    std::memset(tile->data, 0, sizeof tile->data);
}

void load(int32_t number, const void *memory, int64_t strideBytes) {
  EmulatedTile *tile = configured(number);
  if (!tile)
    return;
  const auto *row = static_cast<const uint8_t *>(memory);
  for (int index = 0; index < tile->rows; ++index)
    std::memcpy(tile->data[index], row + index * strideBytes, tile->bytes);
}

void store(int32_t number, void *memory, int64_t strideBytes) {
  const EmulatedTile *tile = configured(number);
  if (!tile)
    return;
  auto *row = static_cast<uint8_t *>(memory);
  for (int index = 0; index < tile->rows; ++index)
    std::memcpy(row + index * strideBytes, tile->data[index], tile->bytes);
}

template <class Function>
EmulatedInstruction instruction(std::string_view symbol, Function *function) {
  return {symbol, reinterpret_cast<void *>(function)};
}

} // namespace

std::span<const EmulatedInstruction> emulatedInstructions() {
  static const std::array<EmulatedInstruction, 11> instructions = {{
      instruction("lintel_tmm_config", config),
      instruction("lintel_tmm_release", release),
      instruction("lintel_tmm_zero", zero),
      instruction("lintel_tmm_load", load),
      instruction("lintel_tmm_store", store),
      instruction("lintel_tmm_dpbf16", dotProduct<multiplyBF16>),
      instruction("lintel_tmm_dpfp16", dotProduct<multiplyFP16>),
      instruction("lintel_tmm_dpbssd",
                  dotProduct<multiplyBytes<int8_t, int8_t>>),
      instruction("lintel_tmm_dpbsud",
                  dotProduct<multiplyBytes<int8_t, uint8_t>>),
      instruction("lintel_tmm_dpbusd",
                  dotProduct<multiplyBytes<uint8_t, int8_t>>),
      instruction("lintel_tmm_dpbuud",
                  dotProduct<multiplyBytes<uint8_t, uint8_t>>),
  }};
  return instructions;
}

uint64_t tileFaults() { return faults.load(std::memory_order_relaxed); }

} // namespace lintel
