// The stages from a lintel.linear op to the LLVM dialect.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pipeline/Pipelines.h"

#include "Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"

namespace lintel {
namespace {

void addAssignSchedule(mlir::OpPassManager &manager,
                       const PipelineOptions &options) {
  ir::LintelAssignScheduleOptions pass;
  pass.schedule = options.schedule;
  pass.target = options.target;
  pass.threads = options.threads;
  manager.addPass(ir::createLintelAssignSchedule(pass));
}

void addApproximateMath(mlir::OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(ir::createLintelApproximateMath());
}

void addTile(mlir::OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(ir::createLintelTile());
}

void addLowerMicrokernel(mlir::OpPassManager &manager,
                         const PipelineOptions &) {
  manager.addPass(ir::createLintelLowerMicrokernel());
}

void addVerifyKernel(mlir::OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(ir::createLintelVerifyKernel());
}

void addVerifyTmm(mlir::OpPassManager &manager,
                  const PipelineOptions &options) {
  if (options.verifyTmm)
    manager.addPass(ir::createLintelVerifyTmm());
}

void addLowerTmm(mlir::OpPassManager &manager, const PipelineOptions &options) {
  ir::LintelLowerTmmOptions pass;
  pass.emulate = options.emulateTiles;
  manager.addPass(ir::createLintelLowerTmm(pass));
}

void addToLLVM(mlir::OpPassManager &manager, const PipelineOptions &) {
  manager.addPass(ir::createLintelToLLVM());
}

// Math becomes inline while the epilogue is still one scalar region: one copy
// is rewritten, where after lintel-lower-microkernel there is one for each
// register of the tile.
constexpr PipelineStage stages[] = {
    {"lintel-assign-schedule", StageKind::plan, addAssignSchedule},
    {"lintel-approximate-math", StageKind::plan, addApproximateMath},
    {"lintel-tile", StageKind::lower, addTile},
    {"lintel-lower-microkernel", StageKind::lower, addLowerMicrokernel},
    {"lintel-verify-kernel", StageKind::lower, addVerifyKernel},
    {"lintel-verify-tmm", StageKind::finish, addVerifyTmm},
    {"lintel-lower-tmm", StageKind::finish, addLowerTmm},
    {"lintel-to-llvm", StageKind::finish, addToLLVM},
};

void addStages(mlir::OpPassManager &manager, const PipelineOptions &options,
               StageKind kind) {
  for (const PipelineStage &stage : stages)
    if (stage.kind == kind)
      stage.add(manager, options);
}

} // namespace

llvm::ArrayRef<PipelineStage> pipelineStages() { return stages; }

void buildPlanPipeline(mlir::OpPassManager &manager,
                       const PlanOptions &options) {
  PipelineOptions choice;
  choice.schedule = options.schedule;
  choice.target = options.target;
  choice.threads = options.threads;
  addStages(manager, choice, StageKind::plan);
}

void buildLowerPipeline(mlir::OpPassManager &manager, const LowerOptions &) {
  addStages(manager, PipelineOptions(), StageKind::lower);
}

void buildKernelPipeline(mlir::OpPassManager &manager,
                         const PipelineOptions &options) {
  for (const PipelineStage &stage : stages)
    stage.add(manager, options);
}

void registerPipelines() {
  mlir::PassPipelineRegistration<PlanOptions>(
      "lintel-plan", "choose a schedule and make the epilogue's math inline",
      buildPlanPipeline);
  mlir::PassPipelineRegistration<LowerOptions>(
      "lintel-lower", "lower planned layers to loops over vectors",
      buildLowerPipeline);
  mlir::PassPipelineRegistration<PipelineOptions>(
      "lintel-kernel", "compile layers to SPMD kernels in the LLVM dialect",
      buildKernelPipeline);
}

} // namespace lintel
