// lintel-verify-tmm: what tile registers hold, from op to op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tmm/TmmDialect.h"
#include "Transforms/Passes.h"

#include "mlir/Analysis/DataFlow/DenseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELVERIFYTMM
#include "Transforms/Passes.h.inc"

namespace {

using mlir::LogicalResult;
using tmm::ConfigAttr;
using tmm::TileShape;

/// What is known of the registers on every path to one place.
struct TileState {
  ConfigAttr config;          ///< null: none, or not the same on every path
  bool configLost = false;    ///< it ended in a call, on some path
  bool configDiffers = false; ///< from path to path
  uint8_t held = 0, lost = 0; ///< bit t: tile t has a value; lost it in a call

  static TileState atEntry(mlir::Operation *function) {
    return {function->getAttrOfType<ConfigAttr>(tmm::kConfiguredAttribute)};
  }
  bool holds(uint64_t tile) const { return held >> tile & 1; }
  bool lostTile(uint64_t tile) const { return lost >> tile & 1; }
  void write(uint64_t tile) {
    held |= uint8_t(1) << tile;
    lost &= ~(uint8_t(1) << tile);
  }
  TileState joined(const TileState &other) const {
    const bool same = config == other.config;
    return {same ? config : ConfigAttr(), configLost || other.configLost,
            !same || configDiffers || other.configDiffers,
            uint8_t(held & other.held), uint8_t(lost | other.lost)};
  }
  friend bool operator==(const TileState &, const TileState &) = default;
};

/// What a call leaves of the registers, as the callee's attributes say.
struct CallEffect {
  bool untouched = false;
  ConfigAttr configured;

  explicit CallEffect(mlir::CallOpInterface call) {
    if (mlir::Operation *callee = call.resolveCallable()) {
      untouched = callee->hasAttr(tmm::kUntouchedAttribute);
      configured = callee->getAttrOfType<ConfigAttr>(tmm::kConfiguredAttribute);
    }
  }
  void apply(TileState &state) const {
    if (untouched)
      return;
    state.lost |= state.held;
    state.held = 0;
    if (!configured && state.config) {
      state.config = {};
      state.configLost = true;
    }
  }
};

void apply(mlir::Operation *op, TileState &state) {
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case([&](tmm::ConfigOp config) { state = {config.getConfig()}; })
      .Case([&](tmm::ReleaseOp) { state = {}; })
      .Case<tmm::ZeroOp, tmm::LoadOp>(
          [&](auto write) { state.write(write.getTile()); });
}

class TileLattice : public mlir::dataflow::AbstractDenseLattice {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileLattice)
  using AbstractDenseLattice::AbstractDenseLattice;

  mlir::ChangeResult join(const TileState &other) {
    TileState joined = state ? state->joined(other) : other;
    if (state == joined)
      return mlir::ChangeResult::NoChange;
    state = joined;
    return mlir::ChangeResult::Change;
  }
  mlir::ChangeResult join(const AbstractDenseLattice &other) override {
    const auto &from = static_cast<const TileLattice &>(other).state;
    return from ? join(*from) : mlir::ChangeResult::NoChange;
  }
  void print(llvm::raw_ostream &stream) const override {
    stream << "tiles " << (state ? state->held : 0);
  }

  std::optional<TileState> state; ///< nothing: not reached
};

class TileAnalysis
    : public mlir::dataflow::DenseForwardDataFlowAnalysis<TileLattice> {
public:
  using DenseForwardDataFlowAnalysis::DenseForwardDataFlowAnalysis;

  LogicalResult visitOperation(mlir::Operation *op, const TileLattice &before,
                               TileLattice *after) override {
    if (!before.state)
      return mlir::success();
    TileState state = *before.state;
    apply(op, state);
    propagateIfChanged(after, after->join(state));
    return mlir::success();
  }
  void visitCallControlFlowTransfer(mlir::CallOpInterface call,
                                    mlir::dataflow::CallControlFlowAction,
                                    const TileLattice &before,
                                    TileLattice *after) override {
    if (!before.state)
      return;
    TileState state = *before.state;
    CallEffect(call).apply(state);
    propagateIfChanged(after, after->join(state));
  }
  void setToEntryState(TileLattice *lattice) override {
    mlir::Block *block =
        llvm::cast<mlir::ProgramPoint *>(lattice->getAnchor())->getBlock();
    propagateIfChanged(lattice,
                       lattice->join(TileState::atEntry(block->getParentOp())));
  }
};

/// Whether control leaves the function at `op`: at a terminator of its body,
/// and at one of LLVM in any region, which conversions leave as it is. What is
/// never reached leaves nothing behind.
bool leavesFunction(mlir::Operation *op) {
  return op->mightHaveTrait<mlir::OpTrait::IsTerminator>() &&
         op == &op->getBlock()->back() && op->getNumSuccessors() == 0 &&
         !llvm::isa<mlir::LLVM::UnreachableOp, mlir::ub::UnreachableOp>(op) &&
         (llvm::isa<mlir::FunctionOpInterface>(op->getParentOp()) ||
          llvm::isa_and_present<mlir::LLVM::LLVMDialect>(op->getDialect()));
}

/// Checks one op against what is known before it.
class TileCheck {
public:
  TileCheck(mlir::Operation *op, const TileState &state)
      : op(op), state(state) {}

  LogicalResult run() {
    return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(op)
        .Case<tmm::ZeroOp, tmm::LoadOp>(
            [&](auto write) { return configured(write.getTile()); })
        .Case([&](tmm::StoreOp store) { return readable(store.getTile()); })
        .Case([&](tmm::DotInterface dot) { return product(dot); })
        .Case([&](mlir::CallOpInterface call) { return callable(call); })
        .Default([&](mlir::Operation *) {
          return leavesFunction(op) ? leaves() : mlir::success();
        });
  }

private:
  LogicalResult configured(uint64_t tile) {
    if (!state.config && state.configLost)
      return op->emitOpError("comes after a call that may have changed the "
                             "configuration; load it again, or mark the "
                             "callee '")
             << tmm::kConfiguredAttribute << "' or '"
             << tmm::kUntouchedAttribute << "'";
    if (!state.config)
      return op->emitOpError("needs one tmm.config before it on every path, or "
                             "a function marked '")
             << tmm::kConfiguredAttribute << "'";
    if (!state.config.getTile(tile))
      return op->emitOpError("names tile ")
             << tile << ", which " << state.config << " leaves out";
    return mlir::success();
  }

  LogicalResult readable(uint64_t tile) {
    if (mlir::failed(configured(tile)))
      return mlir::failure();
    if (state.holds(tile))
      return mlir::success();
    if (state.lostTile(tile))
      return op->emitOpError("reads tile ")
             << tile << ", which was live across a call: store it before, or "
             << "mark the callee '" << tmm::kUntouchedAttribute << "'";
    return op->emitOpError("reads tile ")
           << tile << ", which is not loaded or zeroed on every path to here";
  }

  LogicalResult product(tmm::DotInterface dot) {
    for (uint64_t tile : {dot.getAcc(), dot.getA(), dot.getB()})
      if (mlir::failed(readable(tile)))
        return mlir::failure();
    const TileShape acc = *state.config.getTile(dot.getAcc());
    const TileShape a = *state.config.getTile(dot.getA());
    const TileShape b = *state.config.getTile(dot.getB());
    if (acc.rows == a.rows && acc.bytes == b.bytes && a.bytes == 4 * b.rows)
      return mlir::success();
    return op->emitOpError("multiplies tiles that do not fit: acc ")
           << acc.rows << "x" << acc.bytes << ", a " << a.rows << "x" << a.bytes
           << ", b " << b.rows << "x" << b.bytes
           << "; acc needs the rows of a and the bytes of b, and a 4 bytes for "
              "each row of b";
  }

  LogicalResult callable(mlir::CallOpInterface call) {
    const CallEffect effect(call);
    if (!effect.untouched && function()->hasAttr(tmm::kUntouchedAttribute))
      return op->emitOpError("stands in a function marked '")
             << tmm::kUntouchedAttribute << "', so its callee must be too";
    if (!effect.configured || effect.configured == state.config)
      return mlir::success();
    auto error = op->emitOpError("calls a function that expects ")
                 << effect.configured << ", but ";
    if (state.config)
      return error << state.config << " is loaded";
    return error << "no configuration is loaded on every path";
  }

  LogicalResult leaves() {
    const TileState entry = TileState::atEntry(function());
    const bool isKnown = !state.configDiffers && !state.configLost;
    if (isKnown && state.config == entry.config)
      return mlir::success();
    if (entry.config)
      return op->emitOpError("leaves another configuration than the "
                             "function's '")
             << tmm::kConfiguredAttribute << "' promises: " << entry.config;
    return op->emitOpError(isKnown ? "leaves" : "may leave")
           << " tiles configured; tmm.release before it"
           << (isKnown ? "" : ", on every path");
  }

  mlir::Operation *function() {
    return op->getParentOfType<mlir::FunctionOpInterface>();
  }

  mlir::Operation *op;
  const TileState &state;
};

struct VerifyTmmPass : impl::LintelVerifyTmmBase<VerifyTmmPass> {
  void runOnOperation() override {
    if (!hasTiles())
      return;
    if (mlir::failed(checkCanBeFollowed()))
      return signalPassFailure();
    bool valid = true;
    getOperation().walk([&](mlir::FunctionOpInterface function) {
      valid &= mlir::succeeded(check(function));
    });
    if (!valid)
      signalPassFailure();
  }

  /// What is elsewhere nobody follows.
  LogicalResult checkCanBeFollowed() {
    auto walked = getOperation().walk([](mlir::Operation *op) {
      return mlir::failed(checkPlace(op)) || mlir::failed(checkIsNoBlackBox(op))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::advance();
    });
    return mlir::failure(walked.wasInterrupted());
  }

  /// Of what uses tile registers, or may: control must reach it by ways that
  /// the analysis knows, on the thread whose registers it follows.
  static LogicalResult checkPlace(mlir::Operation *op) {
    const bool isTmm = llvm::isa_and_present<tmm::TmmDialect>(op->getDialect());
    auto call = llvm::dyn_cast<mlir::CallOpInterface>(op);
    if (!isTmm && (!call || CallEffect(call).untouched))
      return mlir::success();
    mlir::Operation *around = op->getParentOp();
    while (llvm::isa_and_present<mlir::RegionBranchOpInterface>(around) &&
           !around->hasTrait<mlir::OpTrait::HasParallelRegion>())
      around = around->getParentOp();
    if (llvm::isa_and_present<mlir::func::FuncOp>(around) ||
        (!isTmm && llvm::isa_and_present<mlir::FunctionOpInterface>(around)))
      return mlir::success();
    return op->emitOpError("must stand in a func.func, and there in no region "
                           "but of sequential control flow, where the use of "
                           "tile registers can be followed");
  }

  /// The name of LLVM's that `op` calls an instruction by, or declares as a
  /// function.
  static llvm::StringRef intrinsicOf(mlir::Operation *op) {
    if (auto intrinsic = llvm::dyn_cast<mlir::LLVM::CallIntrinsicOp>(op))
      return intrinsic.getIntrin();
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    return function ? function.getName() : "";
  }

  /// Instructions that write tile registers, and what may be one, that are no
  /// ops of the dialect. One that restores state writes these too.
  static LogicalResult checkIsNoBlackBox(mlir::Operation *op) {
    llvm::StringRef name = intrinsicOf(op);
    const bool isOnTiles =
        name.consume_front("llvm.x86.") &&
        llvm::any_of(
            llvm::ArrayRef<llvm::StringRef>(
                {"tile", "ldtilecfg", "sttilecfg", "tdp", "tcmm", "tmmul",
                 "ttmmul", "tcvtrow", "ttdp", "t2rpnt", "xrstor"}),
            [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
    if (!isOnTiles && !llvm::isa<mlir::LLVM::InlineAsmOp>(op))
      return mlir::success();
    return op->emitOpError(
        "may change tile registers beside operations of tmm, "
        "where nobody follows it; lower all of them at once");
  }

  /// Most modules have none, and are spared the analysis.
  bool hasTiles() {
    return getOperation()
        .walk([](mlir::Operation *op) {
          const bool promises = llvm::isa<mlir::FunctionOpInterface>(op) &&
                                (op->hasAttr(tmm::kConfiguredAttribute) ||
                                 op->hasAttr(tmm::kUntouchedAttribute));
          return promises || llvm::isa_and_present<tmm::TmmDialect>(
                                 op->getDialect())
                     ? mlir::WalkResult::interrupt()
                     : mlir::WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether a function finds the registers as it promises at each of its ops
  /// because none changes them: what most do, and needs no analysis.
  static bool onlyPassesTilesOn(mlir::FunctionOpInterface function) {
    const auto expected =
        function->getAttrOfType<ConfigAttr>(tmm::kConfiguredAttribute);
    const bool untouched = function->hasAttr(tmm::kUntouchedAttribute);
    return !function
                ->walk([&](mlir::Operation *op) {
                  bool keeps =
                      !llvm::isa_and_present<tmm::TmmDialect>(op->getDialect());
                  if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op)) {
                    const CallEffect effect(call);
                    keeps = effect.untouched || (!untouched && expected &&
                                                 effect.configured == expected);
                  }
                  return keeps ? mlir::WalkResult::advance()
                               : mlir::WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  LogicalResult check(mlir::FunctionOpInterface function) {
    if (function.isExternal() || onlyPassesTilesOn(function))
      return mlir::success();
    mlir::DataFlowSolver solver(
        mlir::DataFlowConfig().setInterprocedural(false));
    mlir::dataflow::loadBaselineAnalyses(solver);
    solver.load<TileAnalysis>();
    if (mlir::failed(solver.initializeAndRun(function)))
      return function->emitError("the analysis of its tiles did not end");
    bool valid = true;
    const bool untouched = function->hasAttr(tmm::kUntouchedAttribute);
    function->walk([&](mlir::Operation *op) {
      if (untouched &&
          llvm::isa_and_present<tmm::TmmDialect>(op->getDialect())) {
        op->emitOpError("stands in a function marked '")
            << tmm::kUntouchedAttribute << "'";
        valid = false;
        return;
      }
      const auto *before =
          solver.lookupState<TileLattice>(solver.getProgramPointBefore(op));
      if (before && before->state)
        valid &= mlir::succeeded(TileCheck(op, *before->state).run());
    });
    return mlir::success(valid);
  }
};

} // namespace
} // namespace lintel::ir
