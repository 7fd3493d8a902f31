// The k loop of a tile of dot products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/DotMicrokernel.h"

#include "Transforms/IndexMath.h"
#include "Transforms/ProductStep.h"
#include "Transforms/TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {
namespace {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

class DotLowering {
public:
  explicit DotLowering(MicrokernelOp op)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        target(op.getTarget().getValue()), rows(op.getRows()),
        columns(op.getSchedule().getValue().nr),
        group(op.getSchedule().getValue().group), lanes(target.lanes()),
        product(ProductStep::create(builder, loc,
                                    op.getB().getType().getElementType(),
                                    target, Accumulate::f32, /*left=*/{})),
        zero(mlir::arith::ConstantOp::create(
            builder, loc,
            builder.getZeroAttr(mlir::VectorType::get(
                lanes, op.getAcc().getType().getElementType())))) {}

  void lower() {
    Value depth = op.getDepth();
    a = math.view(op.getA(), op.getAOffset(), {math.constant(rows), depth},
                  {op.getLda(), math.constant(1)});
    b = math.view(op.getB(), op.getBOffset(), {depth}, {math.constant(1)});
    Value whole = math.roundDownTo(depth, group);
    Values chained = multiplyTail(whole, multiplyWhole(whole));
    store(reduce(addChains(builder, loc, chained, chains())));
    op.erase();
  }

private:
  /// Of the elements of a vector; null: all are there.
  struct Masks {
    Value ofA, ofB;
  };

  size_t chains() const { return product->chains(rows, columns); }

  /// All whole vectors of K.
  Values multiplyWhole(Value whole) {
    auto loop = mlir::scf::ForOp::create(
        builder, loc, math.constant(0), whole, math.constant(group),
        Values(rows * columns * chains(), zero));
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Values sums =
        multiply(loop.getInductionVar(), {}, loop.getRegionIterArgs());
    mlir::scf::YieldOp::create(builder, loc, sums);
    return loop.getResults();
  }

  /// What is left of K, lanes beyond it off. A depth of whole vectors, where it
  /// is known, leaves nothing.
  Values multiplyTail(Value whole, const Values &sums) {
    if (isMultiple(op.getDepth(), group))
      return sums;
    const unsigned bits =
        op.getB().getType().getElementType().getIntOrFloatBitWidth();
    if (bits == 32 || target.hasMaskRegisters()) {
      Value mask = laneMask(builder, loc, op.getDepth(), whole, group, bits);
      return multiply(whole, {.ofA = mask, .ofB = mask}, sums);
    }
    return multiply(whole, {.ofA = knownMask(), .ofB = {}}, sums);
  }

  /// Of a known depth, which checkKnownOperands has seen, where nothing masks
  /// what is narrower than a lane. B needs none, being padded with zeros.
  Value knownMask() {
    const int64_t left = *mlir::getConstantIntValue(op.getDepth()) % group;
    llvm::SmallVector<bool> there(group, false);
    std::fill_n(there.begin(), left, true);
    return mlir::arith::ConstantOp::create(
        builder, loc,
        mlir::DenseElementsAttr::get(
            mlir::VectorType::get(group, builder.getI1Type()), there));
  }

  /// One vector of each column, then of each row: the parts of `columns` + 1
  /// vectors are live beside the sums.
  Values multiply(Value k, Masks masks, mlir::ValueRange before) {
    llvm::SmallVector<ProductStep::Parts> panel;
    Value first = math.mul(k, math.constant(columns));
    for (int64_t c = 0; c < columns; ++c)
      panel.push_back(product->loadB(
          b, {math.add(first, math.constant(c * group))}, masks.ofB));
    Values sums(before);
    llvm::MutableArrayRef<Value> rest(sums);
    for (int64_t r = 0; r < rows; ++r) {
      ProductStep::Parts x =
          product->loadA(a, {math.constant(r), k}, masks.ofA);
      for (int64_t c = 0; c < columns; ++c, rest = rest.drop_front(chains()))
        product->accumulate(x, panel[c], rest.take_front(chains()));
    }
    return sums;
  }

  /// The first half of the result adds up neighbours of `low`, the second those
  /// of `high`.
  Value addNeighbours(Value low, Value high) {
    llvm::SmallVector<int64_t> even, odd;
    for (int64_t lane = 0; lane < 2 * lanes; lane += 2) {
      even.push_back(lane);
      odd.push_back(lane + 1);
    }
    return addSums(
        builder, loc,
        mlir::vector::ShuffleOp::create(builder, loc, low, high, even),
        mlir::vector::ShuffleOp::create(builder, loc, low, high, odd));
  }

  /// One lane a sum, in order. Every level halves the vectors; when one is
  /// left, it is its own neighbour until its lanes are sums.
  Values reduce(llvm::ArrayRef<Value> sums) {
    Values reduced;
    for (; !sums.empty(); sums = sums.drop_front(std::min<size_t>(
                              sums.size(), static_cast<size_t>(lanes)))) {
      Values level(sums.take_front(static_cast<size_t>(lanes)));
      for (int64_t width = lanes; width > 1; width /= 2) {
        Values next;
        for (size_t i = 0; i < level.size(); i += 2)
          next.push_back(addNeighbours(
              level[i], level[std::min(i + 1, level.size() - 1)]));
        level = std::move(next);
      }
      reduced.push_back(level.front());
    }
    return reduced;
  }

  void store(const Values &reduced) {
    Value acc = math.view(op.getAcc(), op.getAccOffset(),
                          {math.constant(rows * columns)}, {math.constant(1)});
    for (auto [index, sums] : llvm::enumerate(reduced)) {
      Value at = math.constant(static_cast<int64_t>(index) * lanes);
      mlir::vector::StoreOp::create(builder, loc, sums, acc, at);
    }
  }

  MicrokernelOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  Target target;
  int64_t rows, columns;
  int64_t group; ///< elements of K of a vector
  int64_t lanes; ///< sums of a vector
  std::unique_ptr<ProductStep> product;
  Value zero, a, b;
};

} // namespace

void lowerDotMicrokernel(MicrokernelOp op) { DotLowering(op).lower(); }

} // namespace lintel::ir
