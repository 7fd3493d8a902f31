// What one step of a micro-kernel's k loop reads and multiplies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace lintel::ir {

/// x * y + sum, of vectors of floats.
mlir::Value multiplyAdd(mlir::OpBuilder &builder, mlir::Location loc,
                        const Target &target, mlir::Value x, mlir::Value y,
                        mlir::Value sum);

/// The sum of two vectors of sums: of f32 or i32.
mlir::Value addSums(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a,
                    mlir::Value b);

/// The sums of which `chains` next to each other are one.
llvm::SmallVector<mlir::Value> addChains(mlir::OpBuilder &builder,
                                         mlir::Location loc,
                                         mlir::ValueRange sums, size_t chains);

/// A step takes the elements of K that one lane of 32-bit sums does
/// (depthOfLane). What it loads is one or several vectors, its parts, whose
/// products with the parts of the other factor add up.
class ProductStep {
public:
  using Parts = llvm::SmallVector<mlir::Value, 2>;

  /// The fastest way to multiply elements of B of this type, f32, bf16, f16 or
  /// i8, on the target, and to add the products to sums of f32 or i32, or to
  /// twice as many in a vector of f16. `left`: elements of K that are left at
  /// the end, fewer than a lane holds; null for a step that takes as many.
  static std::unique_ptr<ProductStep>
  create(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
         const Target &target, Accumulate accumulate, mlir::Value left);
  ProductStep(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
              const Target &target, mlir::Value left);
  virtual ~ProductStep() = default;

  /// A vector of B: in every lane the elements of one column, padding included;
  /// or all of one column, those that the mask leaves out being zero.
  virtual Parts loadB(mlir::Value view, mlir::ValueRange at,
                      mlir::Value mask = {}) = 0;
  /// A vector of elements of A that stand side by side, for products with a
  /// vector of one column of B. Of those that the mask leaves out the products
  /// with zeros are zero.
  virtual Parts loadA(mlir::Value view, mlir::ValueRange at, mlir::Value mask) {
    return loadB(view, at, mask);
  }
  /// The step's elements of A, which begin at `at`, in every lane. No others
  /// are read, but of packed bytes, which have room for a whole step; any
  /// number stands for them where B is padded with zeros.
  virtual Parts splatA(mlir::Value view, mlir::ValueRange at) = 0;
  /// Vectors that one of B, or the splat of A, becomes.
  virtual size_t parts() const { return 1; }
  /// Sums of an accumulator that a loop carries in a tile of so many rows and
  /// vectors. Where a factor is used once, LLVM lets the multiply-add overwrite
  /// it instead of the sum; if another multiply-add to the same sum follows, it
  /// cannot undo that, and copies all sums in every step.
  size_t chains(int64_t rows, int64_t vectors) const {
    return rows > 1 && vectors > 1 ? 1 : parts();
  }
  /// Adds the products of the parts to the sums, one after the other.
  void accumulate(const Parts &a, const Parts &b,
                  llvm::MutableArrayRef<mlir::Value> sums);

protected:
  /// x * y + sum, of one part.
  virtual mlir::Value multiplyAdd(mlir::Value x, mlir::Value y,
                                  mlir::Value sum);
  mlir::VectorType vectorOf(mlir::Type type, int64_t perLane = 1) const;
  /// `perLane` elements a lane; with a mask, zero for those it leaves out. A
  /// mask that is a constant has them at the end, and needs no instruction that
  /// masks.
  mlir::Value loadVector(mlir::Value view, mlir::ValueRange at, int64_t perLane,
                         mlir::Value mask);
  /// The first `count` elements, fewer than `zeros` has, before zeros: in
  /// pieces of a power of two, nothing beyond them being read.
  mlir::Value loadPrefix(mlir::Value view, mlir::ValueRange at,
                         mlir::Value zeros, int64_t count);
  /// `count` elements of A or B, as one integer.
  mlir::Value loadBits(mlir::Value view, mlir::ValueRange at, int64_t count);
  /// One of them, before zeros, as an integer of `bits`.
  mlir::Value loadSingle(mlir::Value view, mlir::ValueRange at, unsigned bits);
  mlir::Value splat(mlir::Value scalar, int64_t perLane = 1);
  mlir::Value reinterpret(mlir::Value vector, mlir::VectorType type);

  mlir::OpBuilder &builder;
  const mlir::Location loc;
  const mlir::Type element;
  const Target target;
  const mlir::Value left;
};

} // namespace lintel::ir
