// lintel-lower-microkernel: tile ops become loops over vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"
#include "Schedule/Streams.h"
#include "Tmm/TmmDialect.h"
#include "Transforms/AmxMicrokernel.h"
#include "Transforms/ApplyEpilogue.h"
#include "Transforms/DotMicrokernel.h"
#include "Transforms/IndexMath.h"
#include "Transforms/KnownOperands.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"
#include "Transforms/PrefetchLocality.h"
#include "Transforms/ProductStep.h"
#include "Transforms/RegisterEpilogue.h"
#include "Transforms/TileAccess.h"
#include "Transforms/TileFactors.h"
#include "Transforms/TileSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELLOWERMICROKERNEL
#include "Transforms/Passes.h.inc"

namespace {

using mlir::Value;
using Values = llvm::SmallVector<Value>;

class MicrokernelLowering {
public:
  explicit MicrokernelLowering(MicrokernelOp op)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        schedule(op.getSchedule().getValue()),
        target(op.getTarget().getValue()), rows(op.getRows()),
        lanes(schedule.sumsRunsInHalf() ? 2 * target.lanes() : target.lanes()),
        vectors(schedule.nr / lanes),
        element(op.getB().getType().getElementType()),
        vectorType(mlir::VectorType::get(
            lanes, schedule.sumsRunsInHalf()
                       ? element
                       : op.getAcc().getType().getElementType())),
        stepDepth(schedule.group), turnDepth(depthOfTurn(op)),
        inMemory(op, builder, math) {}

  void lower() {
    if (schedule.sumsRunsInHalf())
      sumRuns();
    else
      sumDirectly();
    op.erase();
  }

private:
  void sumDirectly() {
    if (!isTrue(op.getFirst()))
      inMemory.prefetch();
    Values sums = addBlocksBefore(multiply(zeroSums()));
    if (schedule.epilogue == EpiloguePlacement::tile)
      inMemory.store(sums);
    else
      finish(sums);
  }

  /// Each run of K is summed in registers of f16 and then added to the sums of
  /// f32, which are in memory: in registers they would take two thirds of them.
  void sumRuns() {
    math.when(op.getFirst(), [&] { inMemory.storeZeros(); });
    TileFactors factors(op, builder, math);
    Value length = math.constant(kHalfRun);
    math.loop(math.constant(0), op.getDepth(), length, [&](Value begin) {
      Value end = math.add(begin, length);
      if (!isMultiple(op.getDepth(), kHalfRun))
        end = math.min(end, op.getDepth());
      inMemory.addHalves(multiplySteps(factors, begin, end, zeroSums()));
    });
  }

  /// Adds the sums of the K blocks before this one. Last, so that the products
  /// begin without them: loaded first, they hold up the whole tile where they
  /// come from L2 or beyond.
  Values addBlocksBefore(const Values &sums) {
    if (isTrue(op.getFirst()))
      return sums;
    auto branch = mlir::scf::IfOp::create(
        builder, loc, mlir::SmallVector<mlir::Type>(sums.size(), vectorType),
        op.getFirst(), /*addThenBlock=*/true, /*addElseBlock=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    mlir::scf::YieldOp::create(builder, loc, sums);
    builder.setInsertionPointToStart(branch.elseBlock());
    mlir::scf::YieldOp::create(builder, loc, inMemory.addTo(sums));
    return branch.getResults();
  }

  static bool isTrue(Value condition) {
    return mlir::matchPattern(condition, mlir::m_One());
  }

  Values zeroSums() {
    Value zero = mlir::arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(vectorType));
    return Values(rows * vectors, zero);
  }

  Values multiply(const Values &initial) {
    TileFactors factors(op, builder, math);
    Value whole = math.roundDownTo(op.getDepth(), stepDepth);
    Values sums = schedule.streams > 1
                      ? multiplyStreams(factors, whole, startChains(initial))
                      : multiplySteps(factors, math.constant(0), whole,
                                      startChains(initial));
    return addChains(builder, loc, multiplyRest(factors, whole, sums),
                     chains());
  }

  /// A loop over K in [begin, end), `depth` elements a turn, that carries sums.
  Values loop(TileFactors &factors, Value begin, Value end, int64_t depth,
              Values carried,
              llvm::function_ref<Values(const FactorOffsets &, Values)> body) {
    const size_t sums = carried.size();
    carried.append(factors.carriedAt(begin));
    auto loop = mlir::scf::ForOp::create(builder, loc, begin, end,
                                         math.constant(depth), carried);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    mlir::ValueRange before = loop.getRegionIterArgs();
    const FactorOffsets at =
        factors.fromCarried(loop.getInductionVar(), before.drop_front(sums));
    Values after = body(at, Values(before.take_front(sums)));
    after.append(factors.carriedAfter(at, depth));
    mlir::scf::YieldOp::create(builder, loc, after);
    return Values(loop.getResults().take_front(sums));
  }

  /// Adds the products of K in [begin, end), which are whole steps: in turns,
  /// and what these leave one by one.
  Values multiplySteps(TileFactors &factors, Value begin, Value end,
                       const Values &before) {
    const auto turn = [&](const FactorOffsets &at, const Values &sums) {
      return multiplyTurn(factors, at, sums);
    };
    if (turnDepth == stepDepth)
      return loop(factors, begin, end, turnDepth, before, turn);
    Value depth = math.sub(end, begin);
    Value whole = math.add(begin, math.roundDownTo(depth, turnDepth));
    Values sums = loop(factors, begin, whole, turnDepth, before, turn);
    if (isMultiple(depth, turnDepth))
      return sums;
    return loop(factors, whole, end, stepDepth, sums,
                [&](const FactorOffsets &at, const Values &step) {
                  return multiplyStep(factors, at, 0, Value(), step);
                });
  }

  Values multiplyTurn(TileFactors &factors, const FactorOffsets &at,
                      Values sums) {
    for (int64_t line = 0; line < schedule.share; ++line)
      prefetch(factors.lineOfNextPanel(at, line), kToL2);
    for (int64_t depth = 0; depth < turnDepth; depth += stepDepth)
      sums = prefetchAndMultiply(factors, at, depth, sums);
    return sums;
  }

  /// The depth of each stream, of a K that is known. What a step reads counts
  /// as a line at least, though it may straddle two.
  int64_t depthOfStreams() {
    const int64_t rowsSideBySide = isTransposed(op) ? rows : 1;
    const auto read = [&](mlir::MemRefType factor, int64_t wide) {
      const int64_t bytes =
          wide * factor.getElementType().getIntOrFloatBitWidth() / 8;
      return StreamRead{
          bytes, std::max<int64_t>(bytes * stepDepth, Target::kLineBytes)};
    };
    return streamDepth(*mlir::getConstantIntValue(op.getDepth()),
                       schedule.streams, stepDepth,
                       {read(op.getA().getType(), rowsSideBySide),
                        read(op.getB().getType(), schedule.nr)});
  }

  /// Adds the products of K in [0, end): a step of each stream in turn, and
  /// then what they leave. All steps of a turn stand side by side: a loop over
  /// them ends too often for a core to run ahead (9.6 instead of 7.4 ms for
  /// 1x4096:4096x16384 in f32 on Zen 5).
  Values multiplyStreams(TileFactors &factors, Value end,
                         const Values &before) {
    const int64_t depth = depthOfStreams();
    Values sums =
        loop(factors, math.constant(0), math.constant(depth), stepDepth, before,
             [&](const FactorOffsets &at, Values turn) {
               for (int64_t stream = 0; stream < schedule.streams; ++stream)
                 turn = prefetchAndMultiply(factors, at, depth * stream, turn);
               return turn;
             });
    const int64_t done = depth * schedule.streams;
    if (mlir::getConstantIntValue(end) == done)
      return sums;
    return multiplySteps(factors, math.constant(done), end, sums);
  }

  /// Of the step that stands `depth` elements of K behind `at`.
  Values prefetchAndMultiply(TileFactors &factors, const FactorOffsets &at,
                             int64_t depth, const Values &before) {
    prefetch(factors, at, depth, schedule.prefetch, kToL1);
    prefetch(factors, at, depth, schedule.ahead, kToL2);
    return multiplyStep(factors, at, depth, Value(), before);
  }

  std::unique_ptr<ProductStep> step(Value left) {
    return ProductStep::create(builder, loc, element, target,
                               schedule.accumulate, left);
  }

  size_t chains() { return step(Value())->chains(rows, vectors); }

  Values startChains(const Values &initial) {
    const size_t count = chains();
    if (count == 1)
      return initial;
    Value zero = zeroSums().front();
    Values chained;
    for (Value sum : initial) {
      chained.push_back(sum);
      chained.append(count - 1, zero);
    }
    return chained;
  }

  /// `vectors` loads of B, then for each row one broadcast of A, or one for
  /// each of its multiply-adds, and `vectors` of these. Row by row, so that
  /// beside the sums B and one row of A are live.
  Values multiplyStep(TileFactors &factors, const FactorOffsets &at,
                      int64_t depth, Value left, mlir::ValueRange before) {
    const std::unique_ptr<ProductStep> product = step(left);
    llvm::SmallVector<ProductStep::Parts> panel;
    for (int64_t v = 0; v < vectors; ++v) {
      const FactorPlace place = factors.columnOfB(at, v * lanes, depth);
      panel.push_back(product->loadB(place.view, place.indices));
    }
    Values sums(before);
    const size_t count = chains();
    size_t first = 0;
    for (int64_t r = 0; r < rows; ++r) {
      ProductStep::Parts row;
      for (int64_t v = 0; v < vectors; ++v, first += count) {
        if (v == 0 || (factors.embedsRows() && factors.embeds(r)))
          row = rowOfA(factors, at, r, v, depth, *product);
        product->accumulate(
            row, panel[v],
            llvm::MutableArrayRef<Value>(sums).slice(first, count));
      }
    }
    return sums;
  }

  ProductStep::Parts rowOfA(TileFactors &factors, const FactorOffsets &at,
                            int64_t row, int64_t vector, int64_t depth,
                            ProductStep &product) {
    if (factors.embedsRows())
      return {mlir::vector::BroadcastOp::create(
          builder, loc, vectorType,
          factors.elementOfA(at, row, vector, depth))};
    const FactorPlace place = factors.rowOfA(at, row, depth);
    return product.splatA(place.view, place.indices);
  }

  /// The elements that are left of a K that steps do not divide.
  Values multiplyRest(TileFactors &factors, Value whole,
                      mlir::ValueRange before) {
    if (stepDepth == 1 || isMultiple(op.getDepth(), stepDepth))
      return Values(before);
    Value left = math.sub(op.getDepth(), whole);
    Value someLeft = math.greater(op.getDepth(), whole);
    const FactorOffsets at = factors.at(whole);
    if (isTrue(someLeft))
      return multiplyStep(factors, at, 0, left, before);
    auto branch =
        mlir::scf::IfOp::create(builder, loc, before.getTypes(), someLeft,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    mlir::scf::YieldOp::create(builder, loc, before);
    builder.setInsertionPointToStart(branch.thenBlock());
    mlir::scf::YieldOp::create(builder, loc,
                               multiplyStep(factors, at, 0, left, before));
    return branch.getResults();
  }

  /// Asks for the cache lines of B that a later step reads, `distance` bytes
  /// ahead. Beyond the panel lies the next, or what was packed, beyond the last
  /// nothing that a prefetch could fault on. The end of a stream asks for the
  /// beginning of the one behind it once more, and nobody for those of the next
  /// panel but its first: 8 of some 500 steps, 2048 bytes ahead in 64 columns
  /// of f32 and 4096 of K.
  void prefetch(TileFactors &factors, const FactorOffsets &at, int64_t depth,
                int64_t distance, unsigned locality) {
    const int64_t elementBytes = element.getIntOrFloatBitWidth() / 8;
    const int64_t stepBytes = schedule.nr * stepDepth * elementBytes;
    if (distance < stepBytes)
      return;
    const int64_t lineColumns = Target::kLineBytes / elementBytes / stepDepth;
    for (int64_t column = 0; column < schedule.nr; column += lineColumns)
      prefetch(factors.columnOfB(at, column,
                                 depth + distance / stepBytes * stepDepth),
               locality);
  }

  void prefetch(const FactorPlace &place, unsigned locality) {
    mlir::memref::PrefetchOp::create(builder, loc, place.view, place.indices,
                                     /*isWrite=*/false, locality,
                                     /*isDataCache=*/true);
  }

  void finish(const Values &sums) {
    if (isTrue(op.getLast()))
      return applyEpilogueOnRegisters(builder, op, sums);
    auto branch = mlir::scf::IfOp::create(builder, loc, op.getLast(),
                                          /*withElseRegion=*/true);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    inMemory.store(sums);
    builder.setInsertionPointToStart(branch.thenBlock());
    applyEpilogueOnRegisters(builder, op, sums);
  }

  MicrokernelOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  Schedule schedule;
  Target target;
  int64_t rows, lanes, vectors; ///< vectors of `lanes` sums in a row
  mlir::Type element;           ///< of B
  mlir::VectorType vectorType;  ///< of sums in registers
  int64_t stepDepth;            ///< elements of K that a step of the loop takes
  int64_t turnDepth;            ///< and a turn, of one step or more
  TileSums inMemory;
};

/// Before anything is lowered, so that errors leave the ops as they are.
template <class Op> mlir::LogicalResult checkLowerable(Op op) {
  return mlir::failure(mlir::failed(checkStandsInFunction(op)) ||
                       mlir::failed(checkKnownOperands(op)) ||
                       mlir::failed(keepTarget(op, op.getTargetAttr())));
}

struct LowerMicrokernelPass
    : impl::LintelLowerMicrokernelBase<LowerMicrokernelPass> {
  void runOnOperation() override {
    llvm::SmallVector<MicrokernelOp> microkernels;
    llvm::SmallVector<ApplyEpilogueOp> epilogues;
    const auto collect = [](auto op, auto &ops) {
      ops.push_back(op);
      return mlir::WalkResult(checkLowerable(op));
    };
    auto walked = getOperation().walk([&](mlir::Operation *op) {
      return llvm::TypeSwitch<mlir::Operation *, mlir::WalkResult>(op)
          .Case([&](MicrokernelOp one) { return collect(one, microkernels); })
          .Case([&](ApplyEpilogueOp one) { return collect(one, epilogues); })
          .Default(mlir::WalkResult::advance());
    });
    if (walked.wasInterrupted())
      return signalPassFailure();
    for (MicrokernelOp op : microkernels) {
      const Schedule &schedule = op.getSchedule().getValue();
      if (schedule.onTiles())
        lowerAmxMicrokernel(op);
      else if (schedule.group >
               interleaveOf(op.getB().getType().getElementType()))
        lowerDotMicrokernel(op);
      else
        MicrokernelLowering(op).lower();
    }
    for (ApplyEpilogueOp op : epilogues)
      lowerApplyEpilogue(op);
  }
};

} // namespace
} // namespace lintel::ir
