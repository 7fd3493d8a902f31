// The dialect in C++: everything that the .td files generate.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lintel::tmm {

inline constexpr uint64_t kTileRegisters = 8;

/// Attributes of functions; the dialect's description says what they promise.
inline constexpr const char *kConfiguredAttribute = "tmm.configured";
inline constexpr const char *kUntouchedAttribute = "tmm.untouched";

struct TileShape {
  int64_t rows = 0;  ///< 1 to 16
  int64_t bytes = 0; ///< of a row, 4 to 64
  friend bool operator==(const TileShape &, const TileShape &) = default;
};

/// Found by argument-dependent lookup from the attribute's storage.
inline llvm::hash_code hash_value(const TileShape &shape) {
  return llvm::hash_combine(shape.rows, shape.bytes);
}

/// The resource that every op of the dialect reads and writes.
struct TileRegisters : mlir::SideEffects::Resource::Base<TileRegisters> {
  llvm::StringRef getName() final { return "tile registers"; }
};

class DotInterface;
namespace detail {
/// Three different registers from 0 to 7.
mlir::LogicalResult verifyDot(DotInterface op);
} // namespace detail

} // namespace lintel::tmm

#include "Tmm/TmmDialect.h.inc"
#include "Tmm/TmmEnums.h.inc"
#include "Tmm/TmmInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Tmm/TmmAttrs.h.inc"

#define GET_OP_CLASSES
#include "Tmm/TmmOps.h.inc"
