// What the functions of one kernel have in common while they are built.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"
#include "Schedule/Strips.h"
#include "Tmm/TmmDialect.h"
#include "Transforms/IndexMath.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace lintel::ir {

/// A half-open range of index values.
struct Range {
  mlir::Value begin, end;
};

/// Sums of a cache line: f32 or i32.
inline constexpr int64_t kLineSums =
    Target::kLineBytes / int64_t(sizeof(float));

/// What is known of the layer.
struct KernelLayer {
  LinearOp op;
  Schedule schedule;
  Target target;
  mlir::Type activation, weight; ///< element types
  int64_t n, k, panels;
  /// Each height of tall strips has a micro-kernel, which serves the strips
  /// that are one row shorter too: it reads on into the next strip and keeps
  /// that row to itself. A known M has one height of tall strips. Tile
  /// registers serve strips of any height with one, since their rows are
  /// packed.
  StripHeights strips;
  /// Of a known M, the height of short strips that have a micro-kernel of their
  /// own (heightOfShortStrips), or 0.
  int64_t ownShortHeight;

  static KernelLayer of(LinearOp op);

  /// Ragged panels go through the scratch tile where masks are not free.
  bool raggedThroughTile() const {
    return !target.hasMaskRegisters() && n % schedule.nr != 0;
  }
  bool epilogueOnTile() const {
    return schedule.epilogue != EpiloguePlacement::registers;
  }
  /// The micro-kernel of a tile applies the epilogue of the tile before it.
  bool finishesInNext() const {
    return schedule.epilogue == EpiloguePlacement::next;
  }
  /// Tiles of sums that a thread needs at a time, where K is not cut.
  int64_t sumsInFlight() const { return finishesInNext() ? 2 : 1; }
  /// Tiles whose epilogue runs on registers in some calls only.
  bool decidesLastAtRunTime() const {
    return !epilogueOnTile() && (cutsDepth() || raggedThroughTile());
  }
  bool asksForValidRows() const {
    return strips.someShort && ownShortHeight == 0 && !epilogueOnTile();
  }
  /// All of K takes enough of them for a few instructions more around a
  /// micro-kernel's loop not to matter: with 13 they take 6 % of a tile. Where
  /// K is cut, into blocks that are an argument, no space has blocks as short.
  bool hasManySteps() const;
  /// One instruction multiplies what vectors hold when they are loaded.
  bool multipliesAsLoaded() const;
  /// The loops of micro-kernels carry what their addresses need, or have the
  /// time to work it out: on tile registers a product takes 16 cycles. Around
  /// runs of K there are too few registers for it.
  bool carriesAddresses() const {
    return schedule.onTiles() || !(schedule.vectorsAlongK(*dtypeOf(weight)) ||
                                   schedule.sumsRunsInHalf());
  }
  /// LLVM has nothing to improve in the loop of the micro-kernel of so many
  /// rows: no factor is used once, so that it would be an operand in memory; no
  /// constant would move in front; and no turn of several steps needs an order
  /// in which it fits the registers.
  bool laysMicrokernelOut(int64_t rows) const;
  bool oneTallHeight() const { return strips.tall.size() == 1; }
  /// Of all micro-kernels, tallest first.
  llvm::SmallVector<int64_t> microkernelHeights() const {
    llvm::SmallVector<int64_t> all(strips.tall.begin(), strips.tall.end());
    if (ownShortHeight > 0)
      all.push_back(ownShortHeight);
    return all;
  }
  bool packs() const { return schedule.packsA(); }
  /// A panel is widened into the workspace before the strips pass it.
  bool widensPanels() const { return schedule.widensPanels(); }
  /// The element type of panels as products find them.
  mlir::Type panelType() const;
  /// Rows of x are packed once for all blocks of K.
  bool packsWholeDepth() const { return schedule.pack == PackA::whole; }
  /// While tile registers multiply, they ask for the sums of the next tile.
  bool prefetchesSums() const { return schedule.onTiles() && cutsDepth(); }
  bool cutsDepth() const { return schedule.depth() == Depth::cut; }
  bool slicesDepth() const { return schedule.depth() == Depth::sliced; }
  /// One micro-kernel call takes all of K.
  bool wholeDepth() const { return schedule.depth() == Depth::whole; }
  /// Where the sums of unfinished tiles are.
  KernelField sumsField() const {
    return slicesDepth() ? KernelField::partials : KernelField::workspace;
  }
  /// Of the sums of a tile: every strip takes the room of mr rows.
  int64_t tileFloats() const { return schedule.mr * schedule.nr; }
  /// As a micro-kernel sees it: widened factors are plain f32, and lie as if
  /// nothing had been packed; parts of split ones are packed bf16.
  Schedule scheduleOfTile() const;
  /// Of a packed panel.
  int64_t paddedDepth() const {
    return *paddedDepthOf(*dtypeOf(weight), k, schedule.group);
  }
  /// Products are of x + 128, an unsigned integer; the epilogue takes 128 times
  /// the sums of the columns away.
  bool shiftsX() const {
    return activation.isSignlessInteger(8) &&
           schedule.takesUnsignedRows(target);
  }
  /// The element type of packed rows: shifted ones are unsigned, widened ones
  /// f32 or i16, parts of split ones bf16.
  mlir::Type packedActivation() const;
  /// Packed rows lie as those of x do.
  bool widensRows() const {
    return packedActivation() != activation && !shiftsX() && !splitsHalves();
  }
  /// x and panels of w are split into two bf16 each before tiles multiply them.
  bool splitsHalves() const { return schedule.splitsHalves(); }
  int64_t packedBytes() const {
    return packedActivation().getIntOrFloatBitWidth() / 8;
  }
  /// Elements of K of a row of x that stand side by side when it is packed.
  int64_t packedTogether() const {
    return schedule.onTiles() ? depthUnitOf(activation) : schedule.group;
  }
  int64_t weightBytes() const { return weight.getIntOrFloatBitWidth() / 8; }
  int64_t activationBytes() const {
    return activation.getIntOrFloatBitWidth() / 8;
  }
};

/// Creates the functions of one kernel and the calls between them. An offset
/// counts elements of what it goes into: of x, packed or not, of w, of an
/// operand, of an output, or sums.
class KernelWriter {
public:
  /// Inserts before `function`, whose name the kernel takes.
  KernelWriter(LinearOp op, mlir::func::FuncOp function);

  /// The builder then stands at the start of the function's body.
  mlir::func::FuncOp createFunction(llvm::StringRef symbol,
                                    mlir::TypeRange inputs);
  mlir::func::FuncOp createPrivate(llvm::StringRef symbol,
                                   mlir::TypeRange inputs);
  /// Says that the function is a micro-kernel.
  void markMicrokernel(mlir::func::FuncOp function);
  /// Has LLVM take the function as it is written: its loops carry what their
  /// addresses need, and what LLVM would look for in them takes it three times
  /// as long.
  void leaveUnoptimized(mlir::func::FuncOp function);
  /// And has it allocate registers one basic block at a time, which takes a
  /// seventh of the time: the function does little but call others.
  void leaveOnStack(mlir::func::FuncOp function);
  /// Has LLVM optimize the function, but for the strength of what its loops
  /// compute.
  void keepLoops(mlir::func::FuncOp function);
  /// Returns from the function; the builder then stands after it.
  void finish(mlir::func::FuncOp function);
  void call(llvm::StringRef symbol, mlir::ValueRange operands);
  /// What a function does with tile registers, where the kernel has them:
  /// expects them configured, or leaves them as they are.
  void worksOnTiles(mlir::func::FuncOp function);
  void leavesTilesAlone(mlir::func::FuncOp function);
  /// How the kernel's tile registers are configured.
  tmm::ConfigAttr tileConfig();
  mlir::Value number(mlir::Value args, KernelField field);
  mlir::Value pointer(mlir::Value args, KernelField field, mlir::Type element);

  std::string microkernelName(int64_t rows) const {
    return name + "_microkernel_" + std::to_string(rows);
  }
  std::string epilogueName() const { return name + "_epilogue"; }
  std::string reduceName() const { return name + "_reduce"; }
  std::string prefetchName() const { return name + "_prefetch"; }
  std::string packName() const { return name + "_pack"; }
  std::string widenName() const { return name + "_widen"; }
  std::string blockName() const { return name + "_block"; }

  const KernelLayer layer;
  mlir::OpBuilder builder;
  const mlir::Location loc;
  IndexMath math;
  const std::string name;
  const mlir::Type indexType, sumType, argsType;

private:
  /// Adds attributes that the function has in LLVM IR.
  void passThrough(mlir::func::FuncOp function,
                   llvm::ArrayRef<llvm::StringRef> attributes);
};

/// The first row of a strip: short strips come first, so that the row after one
/// belongs to the next.
mlir::Value firstRowOf(IndexMath &math, mlir::Value strip, mlir::Value baseRows,
                       mlir::Value shortStrips);

/// How many rows it has: `baseRows`, or one more.
mlir::Value rowsOfStrip(IndexMath &math, mlir::Value strip,
                        mlir::Value baseRows, mlir::Value shortStrips);

/// lintel::strideOfWidenedRows().
mlir::Value strideOfWidenedRows(IndexMath &math, mlir::Value depth);

/// Where two nested loops over m and n stand.
struct Turn {
  mlir::Value m, n;
  mlir::Value inner, innerBegin; ///< of the inner one: where it is, and began
  mlir::Value before; ///< the sum of what turns before add, null without one
};

/// Two nested loops over m and n whose nesting is chosen at run time, with one
/// copy of the body. Each turn adds `added` to a sum, of which a null one makes
/// none.
void orderedLoops(IndexMath &math, const Steps &m, const Steps &n,
                  mlir::Value outerIsN, mlir::Value added,
                  llvm::function_ref<void(const Turn &)> body);

} // namespace lintel::ir
