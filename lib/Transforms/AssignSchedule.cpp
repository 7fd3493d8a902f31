// lintel-assign-schedule: decide how each linear layer is computed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lintel/KernelABI.h"
#include "Lintel/KnownCpu.h"
#include "Lintel/LintelDialect.h"
#include "Problem/ReadLinear.h"
#include "Schedule/Ranking.h"
#include "Transforms/LayerSchedule.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELASSIGNSCHEDULE
#include "Transforms/Passes.h.inc"

namespace {

struct AssignSchedulePass : impl::LintelAssignScheduleBase<AssignSchedulePass> {
  using LintelAssignScheduleBase::LintelAssignScheduleBase;

  /// Options are looked at before the layers, which may need none of them.
  mlir::LogicalResult initialize(mlir::MLIRContext *context) override {
    if (Status read = readOptions(); !read)
      return mlir::emitError(mlir::UnknownLoc::get(context),
                             read.error().message());
    return mlir::success();
  }

  void runOnOperation() override {
    auto walked = getOperation().walk([&](LinearOp op) {
      if (Status assigned = assign(op); !assigned) {
        op.emitOpError(assigned.error().message());
        return mlir::WalkResult::interrupt();
      }
      return mlir::WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  Status assign(LinearOp op) {
    const Target chosenTarget = targetFor(op);
    Expected<Schedule> chosen = scheduleFor(op, chosenTarget);
    if (!chosen)
      return chosen.error();
    if (Status legal = checkScheduleOf(op, *chosen, chosenTarget); !legal)
      return legal.error();
    op.setTargetAttr(TargetAttr::get(op.getContext(), chosenTarget));
    op.setScheduleAttr(ScheduleAttr::get(op.getContext(), *chosen));
    return {};
  }

  Status readOptions() {
    if (threads < 1 || threads > kMaxThreads)
      return Error(ErrorCode::invalidArgument,
                   "option threads is " + std::to_string(threads) +
                       "; it must be at least 1 and at most " +
                       std::to_string(kMaxThreads));
    if (!target.empty()) {
      Expected<Target> parsed = Target::parse(target);
      if (!parsed)
        return parsed.error();
      if (Status known = checkCpuIsKnown(*parsed); !known)
        return known.error().in("target");
      givenTarget = *parsed;
    }
    if (!schedule.empty()) {
      Expected<Schedule> parsed = Schedule::parse(schedule);
      if (!parsed)
        return parsed.error();
      givenSchedule = *parsed;
    }
    return {};
  }

  Target targetFor(LinearOp op) {
    if (TargetAttr own = op.getTargetAttr())
      return own.getValue();
    return givenTarget.value_or(genericTarget());
  }

  Expected<Schedule> scheduleFor(LinearOp op, const Target &onTarget) {
    if (ScheduleAttr own = op.getScheduleAttr())
      return own.getValue();
    if (givenSchedule)
      return *givenSchedule;
    Expected<std::vector<Problem>> shapes = shapesOf(op);
    if (!shapes)
      return shapes.error();
    Expected<Problem> problem = withEpilogueOf(op, shapes->front());
    if (!problem)
      return problem.error();
    if (auto packed = llvm::dyn_cast<PackedType>(op.getW().getType()))
      return bestForPanels({packed.getN(), packed.getK()}, *problem, onTarget);
    if (std::optional<Schedule> best = bestPredictedSchedule(
            *problem, onTarget, static_cast<int>(threads)))
      return *best;
    return Error(ErrorCode::unsupported,
                 "the search space has no schedule of " +
                     problem->types().text() + " for the target '" +
                     onTarget.text() +
                     "'; name one, which may be legal all the same, or a "
                     "target with more extensions or larger caches");
  }

  /// A weight that is packed already leaves only the tiles as wide as its
  /// panels.
  Expected<Schedule> bestForPanels(const PanelShape &panel,
                                   const Problem &problem,
                                   const Target &onTarget) {
    if (std::optional<Schedule> best = bestPredictedSchedule(
            problem, onTarget, static_cast<int>(threads), panel))
      return *best;
    return Error(ErrorCode::unsupported,
                 "no schedule of the search space reads panels of n = " +
                     std::to_string(panel.columns) +
                     " columns and k = " + std::to_string(panel.group) +
                     ", as the weight is packed; name one, which may be legal "
                     "all the same, or pack the weight for another");
  }

  std::optional<Target> givenTarget; ///< by the option, as the schedule is
  std::optional<Schedule> givenSchedule;
};

} // namespace
} // namespace lintel::ir
