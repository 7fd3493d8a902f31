// Short names for the index arithmetic and loops that kernels are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace lintel::ir {

/// The values that a loop's variable takes: begin, begin + step, ... before
/// end.
struct Steps {
  mlir::Value begin, end, step;
};

/// Fails, with an error on `op`, unless it stands in a function, nested as it
/// may be: an IndexMath at it keeps its constants where the function begins.
mlir::LogicalResult checkStandsInFunction(mlir::Operation *op);

/// Emits `arith` and `scf` operations on index values at a builder's insertion
/// point, in a function. Every value that is divided or compared is
/// non-negative, so divisions and comparisons are unsigned.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value);
  mlir::Value fromI32(mlir::Value value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// a / divisor rounded down, for any a.
  mlir::Value divBy(mlir::Value a, int64_t divisor);
  /// a / divisor rounded up, for any a.
  mlir::Value ceilDivBy(mlir::Value a, int64_t divisor);
  /// The multiple of `unit` that a is or that comes before it, after it.
  mlir::Value roundDownTo(mlir::Value a, int64_t unit);
  mlir::Value roundUpTo(mlir::Value a, int64_t unit);
  /// a / b rounded down, for a and b below 2^32: a 64-bit division is three
  /// times slower, and LLVM surrounds each with branches that try to avoid it.
  mlir::Value divU32(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);

  mlir::Value equals(mlir::Value a, mlir::Value b);
  mlir::Value greater(mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value negate(mlir::Value condition);
  mlir::Value boolean(bool value);

  /// A strided view of the elements from `offset` on behind a rank-0 memref. A
  /// constant size or stride becomes part of the type.
  mlir::Value view(mlir::Value pointer, mlir::Value offset,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes,
                   llvm::ArrayRef<mlir::OpFoldResult> strides);

  /// for i in [begin, end) by step: body(i). The builder stands after it.
  void loop(mlir::Value begin, mlir::Value end, mlir::Value step,
            llvm::function_ref<void(mlir::Value)> body);
  /// for i in [0, count): body(i).
  void loop(mlir::Value count, llvm::function_ref<void(mlir::Value)> body);
  /// `count` turns of body(carried), which returns what the next one has for
  /// `carried`.
  void loop(mlir::Value count, mlir::ValueRange carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>
                body);
  /// Two nested loops in one: for o in [outer.begin, outer.end) by outer.step,
  /// for i in [inner.begin, inner.end) by inner.step: body(o, i, carried),
  /// which returns what the next turn of either has for `carried`.
  ///
  /// LLVM reduces the strength of whatever depends on a loop's variable, which
  /// takes a fifth of the time of a block function and gains nothing there.
  /// These variables follow no rule that it knows.
  void nest(const Steps &outer, const Steps &inner, mlir::ValueRange carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(
                mlir::Value, mlir::Value, mlir::ValueRange)>
                body);
  /// if condition: body(). No branch where the condition is known to hold.
  void when(mlir::Value condition, llvm::function_ref<void()> body);
  /// if condition: yes(), else: no(). The builder stands after it. No branch
  /// where the condition is known to hold.
  void choose(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::DenseMap<std::pair<mlir::Block *, int64_t>, mlir::Value> constants;
};

} // namespace lintel::ir
