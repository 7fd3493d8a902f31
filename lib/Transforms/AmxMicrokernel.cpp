// The k loop of a tile on the tile registers of AMX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/AmxMicrokernel.h"

#include "Lintel/AmxTile.h"
#include "Lintel/ElementType.h"
#include "Schedule/AmxSchedules.h"
#include "Schedule/Partition.h"
#include "Transforms/IndexMath.h"
#include "Transforms/PendingEpilogue.h"
#include "Transforms/PrefetchLocality.h"
#include "Transforms/PrefetchTile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

namespace lintel::ir {

using mlir::Value;

tmm::ConfigAttr amxConfig(mlir::MLIRContext *context, int64_t rows,
                          int64_t columns) {
  constexpr int64_t kRowBytes = 64;
  const AmxTile tile = AmxTile::of(rows, columns);
  llvm::SmallVector<tmm::TileShape> shapes(AmxTile::kRegisters,
                                           {AmxTile::kRows, kRowBytes});
  for (int64_t row = 0; row < tile.rowTiles; ++row) {
    const int64_t height =
        tile.firstRow(row + 1, rows) - tile.firstRow(row, rows);
    shapes[tile.aRegister(row)].rows = height;
    for (int64_t column = 0; column < tile.columnTiles; ++column)
      shapes[tile.sumRegister(row, column)].rows = height;
  }
  return tmm::ConfigAttr::get(context, shapes);
}

namespace {

class AmxLowering {
public:
  explicit AmxLowering(MicrokernelOp op)
      : op(op), builder(op), loc(op.getLoc()), math(builder, loc),
        schedule(op.getSchedule().getValue()),
        tile(AmxTile::of(op.getRows(), schedule.nr)),
        element(op.getB().getType().getElementType()),
        stepDepth(depthUnitOf(element)) {}

  void lower() {
    if (schedule.prefetchesNextPanel())
      placeStreams();
    math.choose(op.getFirst(), [&] { zeroSums(); }, [&] { loadSums(); });
    // Packed rows are padded to whole steps; in place there is no rest.
    Value end = schedule.packsA() ? math.roundUpTo(op.getDepth(), stepDepth)
                                  : op.getDepth();
    if (op.getPendingRows())
      multiplyAndFinish(end);
    else
      multiply(math.constant(0), end);
    storeSums();
    op.erase();
  }

private:
  /// What is done between two products: asking for a few lines, since a burst
  /// would hold up the loads.
  using BetweenProducts = llvm::function_ref<void(Value, int64_t)>;

  void steps(Value begin, Value end, BetweenProducts between) {
    math.loop(begin, end, math.constant(stepDepth),
              [&](Value k) { multiplyStep(k, between); });
  }

  /// The first steps, as many as a register is high, ask for rows of what comes
  /// next as well.
  void multiply(Value begin, Value end) {
    if (op.getNextAcc() || !op.getTouched().empty()) {
      const int64_t height = ceilDiv(int64_t(op.getRows()), tile.rowTiles);
      Value asking = math.min(end, math.constant(height * stepDepth));
      steps(begin, asking,
            [&](Value k, int64_t product) { prefetch(k, product); });
      begin = asking;
    }
    steps(begin, end,
          [&](Value k, int64_t product) { prefetchWeight(k, product); });
  }

  /// Each product of the first steps takes along a vector of the pending tile:
  /// a row of the register that it adds to. The tile registers are at work for
  /// 16 cycles a product, in which vector registers would have nothing to do.
  void multiplyAndFinish(Value end) {
    Value taken = rowsTakenAlong(math, op.getRows(), op.getPendingRows(),
                                 op.getDepth(), stepDepth);
    Value finishing = math.mul(taken, math.constant(stepDepth));
    // Where nothing is pending nothing may be read of it: a call on some of the
    // columns has no operands for the others.
    math.when(math.greater(taken, math.constant(0)), [&] {
      PendingEpilogue pending(op, builder, math);
      llvm::SmallVector<TileRow> rows(tile.rowTiles);
      steps(math.constant(0), finishing, [&](Value k, int64_t product) {
        prefetch(k, product);
        const int64_t rowTile = product % tile.rowTiles;
        const int64_t columnTile = product / tile.rowTiles;
        Value step = math.divBy(k, stepDepth);
        if (columnTile == 0)
          rows[rowTile] = pending.rowOf(rowTile, step);
        pending.apply(rows[rowTile], rowTile, step, columnTile);
      });
    });
    multiply(finishing, end);
  }

  /// Asks for this product's share of all that is asked for.
  void prefetch(Value k, int64_t product) {
    prefetchWeight(k, product);
    if (op.getNextAcc())
      prefetchNextSums(k, product);
    prefetchTouched(k, product);
  }

  void forEachSum(llvm::function_ref<void(int64_t, int64_t)> body) {
    for (int64_t row = 0; row < tile.rowTiles; ++row)
      for (int64_t column = 0; column < tile.columnTiles; ++column)
        body(row, column);
  }

  /// Where a register is among the sums of a tile.
  Value placeOfSums(int64_t row, int64_t column) {
    Value firstRow = math.constant(tile.firstRow(row, op.getRows()));
    return math.add(math.mul(firstRow, op.getLdacc()),
                    math.constant(AmxTile::sumColumn(column * AmxTile::kColumns,
                                                     schedule.mr)));
  }

  Value sumsAt(int64_t row, int64_t column) {
    return math.add(op.getAccOffset(), placeOfSums(row, column));
  }

  void zeroSums() {
    forEachSum([&](int64_t row, int64_t column) {
      tmm::ZeroOp::create(builder, loc, tile.sumRegister(row, column));
    });
  }

  void loadSums() {
    forEachSum([&](int64_t row, int64_t column) {
      tmm::LoadOp::create(builder, loc, tile.sumRegister(row, column),
                          op.getAcc(), sumsAt(row, column), op.getLdacc());
    });
  }

  void storeSums() {
    forEachSum([&](int64_t row, int64_t column) {
      tmm::StoreOp::create(builder, loc, tile.sumRegister(row, column),
                           op.getAcc(), sumsAt(row, column), op.getLdacc());
    });
  }

  tmm::LoadHint hintFor(StreamHint factor) const {
    return schedule.hint == factor ? tmm::LoadHint::streamed
                                   : tmm::LoadHint::standard;
  }

  /// `part`: of those that a step's elements of K are split into. Of each step
  /// all of one part come first.
  void loadA(int64_t row, Value k, int64_t part) {
    Value firstRow = math.constant(tile.firstRow(row, op.getRows()));
    Value step = math.constant(stepDepth);
    const bool packed = schedule.packsA();
    Value stride = packed ? step : op.getLda();
    Value stepAt = packed ? math.mul(k, math.constant(schedule.partsOfFactor() *
                                                      op.getRows()))
                          : k;
    if (part > 0)
      stepAt = math.add(stepAt, math.constant(stepDepth * op.getRows()));
    Value at =
        math.add(math.add(op.getAOffset(), stepAt), math.mul(firstRow, stride));
    tmm::LoadOp::create(builder, loc, tile.aRegister(row), op.getA(), at,
                        stride, hintFor(StreamHint::a));
  }

  /// Where a step begins to read B.
  Value stepOfB(Value k) {
    return math.add(
        op.getBOffset(),
        math.mul(k, math.constant(schedule.partsOfFactor() * schedule.nr)));
  }

  void loadB(int64_t column, Value k, int64_t part) {
    const int64_t columnElements = AmxTile::kColumns * schedule.group;
    Value at =
        math.add(stepOfB(k), math.constant(part * stepDepth * schedule.nr +
                                           column * columnElements));
    tmm::LoadOp::create(builder, loc, tile.bRegister(column), op.getB(), at,
                        math.constant(schedule.nr * schedule.group),
                        hintFor(StreamHint::b));
  }

  void prefetchWeight(Value k, int64_t product) {
    if (schedule.prefetchesNextPanel())
      prefetchNextPanel(k, product);
    if (schedule.ahead > 0)
      prefetchAhead(k, product);
  }

  void addProduct(int64_t sum, int64_t a, int64_t b) {
    if (element.isBF16())
      tmm::DpBF16Op::create(builder, loc, sum, a, b);
    else if (element.isF16())
      tmm::DpFP16Op::create(builder, loc, sum, a, b);
    else if (op.getA().getType().getElementType().isUnsignedInteger(8))
      tmm::DpBUSDOp::create(builder, loc, sum, a, b);
    else
      tmm::DpBSSDOp::create(builder, loc, sum, a, b);
  }

  /// A product for each sum, or, of factors that are split, four: then each
  /// pass but the first changes the part of one factor, of B in the second and
  /// fourth, of A in the third, which goes on with the tile of B that is there.
  /// What is done between products is spread over
  /// all passes: its order is kept, since odd ones get one product at most.
  void multiplyStep(Value k, BetweenProducts between) {
    if (!schedule.splitsHalves())
      return multiplyParts(k, {.loadsA = true, .loadsB = true},
                           [&](int64_t product) { between(k, product); });
    constexpr Pass passes[] = {
        {.a = 0, .b = 0, .loadsA = true, .loadsB = true},
        {.a = 0, .b = 1, .loadsB = true, .columns = Columns::backwards},
        {.a = 1, .b = 1, .loadsA = true},
        {.a = 1, .b = 0, .loadsB = true}};
    constexpr auto kPasses = int64_t(std::size(passes));
    for (int64_t pass = 0; pass < kPasses; ++pass)
      multiplyParts(k, passes[pass], [&](int64_t product) {
        if (product * kPasses / tile.sums() == pass)
          between(k, product);
      });
  }

  enum class Columns { forwards, backwards };

  /// Which parts of the factors a product for each sum takes, which of them the
  /// registers do not hold, and in which order columns of tiles follow.
  struct Pass {
    int64_t a = 0, b = 0;
    bool loadsA = false, loadsB = false;
    Columns columns = Columns::forwards;
  };

  /// Each tile is loaded right before its first product, so that loads and
  /// products overlap.
  void multiplyParts(Value k, const Pass &pass,
                     llvm::function_ref<void(int64_t)> between) {
    for (int64_t turn = 0; turn < tile.columnTiles; ++turn) {
      const int64_t column = pass.columns == Columns::forwards
                                 ? turn
                                 : tile.columnTiles - 1 - turn;
      // Behind the first one the register, where it is one, holds another.
      const bool loadsB = pass.loadsB || (turn > 0 && tile.holdsA());
      for (int64_t row = 0; row < tile.rowTiles; ++row) {
        if (turn == 0 && pass.loadsA)
          loadA(row, k, pass.a);
        if (row == 0 && loadsB)
          loadB(column, k, pass.b);
        addProduct(tile.sumRegister(row, column), tile.aRegister(row),
                   tile.bRegister(column));
        between(column * tile.rowTiles + row);
      }
    }
  }

  /// How far apart the streams are in which a step asks for the next panel.
  void placeStreams() {
    asked = AskedLines::of(schedule);
    streamDistance = math.mul(math.roundUpTo(op.getDepth(), stepDepth),
                              math.constant(asked.ofPart));
  }

  /// Asks for this product's share of the lines of the next panel, stream by
  /// stream.
  void prefetchNextPanel(Value k, int64_t product) {
    forShareOf(schedule.streams * asked.ofStep, product, [&](int64_t line) {
      if (line == 0) // A step takes as many elements of K as a line holds.
        stream =
            math.add(op.getNext(), math.mul(k, math.constant(asked.ofStep)));
      else if (line % asked.ofStep == 0)
        stream = math.add(stream, streamDistance);
      Value weight = op.getNextIn() ? op.getNextIn() : op.getB();
      prefetchLineOf(viewOfLines(weight, stream, asked.ofStep),
                     line % asked.ofStep);
    });
  }

  /// Those of the `lines` of a step that are asked for after a product.
  void forShareOf(int64_t lines, int64_t product,
                  llvm::function_ref<void(int64_t)> ask) {
    for (int64_t line = lines * product / tile.sums();
         line < lines * (product + 1) / tile.sums(); ++line)
      ask(line);
  }

  Value viewOfLines(Value pointer, Value at, int64_t lines) {
    return math.view(pointer, at, {math.constant(lines * stepDepth)},
                     {math.constant(1)});
  }

  void prefetchLineOf(Value lines, int64_t line) {
    mlir::memref::PrefetchOp::create(
        builder, loc, lines, mlir::ValueRange{math.constant(line * stepDepth)},
        /*isWrite=*/false, kToL2, /*isDataCache=*/true);
  }

  /// Asks for what a later step reads of B. Beyond the panel lies the next,
  /// beyond the last nothing that a prefetch could fault on.
  void prefetchAhead(Value k, int64_t product) {
    Value distance =
        math.constant(schedule.ahead / Target::kLineBytes * stepDepth);
    Value lines =
        viewOfLines(op.getB(), math.add(stepOfB(k), distance), schedule.nr);
    forShareOf(schedule.nr, product,
               [&](int64_t line) { prefetchLineOf(lines, line); });
  }

  /// Asks for a row of the register that this product adds to, as it is to be
  /// in the next tile.
  void prefetchNextSums(Value k, int64_t product) {
    const int64_t row = product % tile.rowTiles;
    const int64_t column = product / tile.rowTiles;
    Value next = math.view(op.getAcc(), op.getNextAcc(),
                           {math.constant(int64_t(schedule.mr) * schedule.nr)},
                           {math.constant(1)});
    Value step = math.divBy(k, stepDepth);
    Value at =
        math.add(math.mul(step, op.getLdacc()), placeOfSums(row, column));
    mlir::memref::PrefetchOp::create(builder, loc, next, at, /*isWrite=*/false,
                                     kToL1, /*isDataCache=*/true);
  }

  int64_t linesOfTouchedRow() {
    int64_t lines = 0;
    for (Value tensor : op.getTouched())
      lines += linesOfRow(tensor, schedule.nr);
    return lines;
  }

  /// Rows of each row of registers that a step asks for: more than one where
  /// all of K is known to take fewer steps than a register has rows, as long as
  /// no product has to ask for more than some lines. What is left nobody asks
  /// for, as for the last rows of a block of K as short.
  int64_t touchedRowsOfStep() {
    constexpr int64_t kMostLines = 4;
    llvm::APInt depth;
    if (!mlir::matchPattern(op.getDepth(), mlir::m_ConstantInt(&depth)) ||
        op.getTouched().empty())
      return 1;
    const int64_t steps =
        std::max<int64_t>(1, ceilDiv(depth.getSExtValue(), stepDepth));
    const int64_t wanted =
        ceilDiv(ceilDiv(int64_t(op.getRows()), tile.rowTiles), steps);
    const int64_t most =
        kMostLines * tile.sums() / (tile.rowTiles * linesOfTouchedRow());
    return std::clamp<int64_t>(most, 1, wanted);
  }

  /// Asks for this product's share of what the epilogue will touch.
  void prefetchTouched(Value k, int64_t product) {
    const int64_t rows = tile.rowTiles * touchedRowsOfStep();
    const int64_t lines = rows * linesOfTouchedRow();
    if (lines == 0)
      return;
    int64_t line = 0;
    Value before = math.mul(math.divBy(k, stepDepth), math.constant(rows));
    for (int64_t row = 0; row < rows; ++row)
      for (Value tensor : op.getTouched())
        for (int64_t i = 0; i < linesOfRow(tensor, schedule.nr); ++i)
          if (line++ * tile.sums() / lines == product)
            prefetchLine(builder, loc, tensor,
                         math.add(before, math.constant(row)), i, kToL2);
  }

  MicrokernelOp op;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexMath math;
  Schedule schedule;
  AmxTile tile;
  mlir::Type element; ///< of B
  /// Elements of K that a row of a register holds: those of a cache line.
  int64_t stepDepth;
  /// Where the next panel is prefetched.
  AskedLines asked{};
  Value streamDistance; ///< in elements
  /// Where a step asks next: products come in order, and each goes on where the
  /// one before it stopped.
  Value stream;
};

} // namespace

void lowerAmxMicrokernel(MicrokernelOp op) { AmxLowering(op).lower(); }

} // namespace lintel::ir
