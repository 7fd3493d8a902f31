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
    {"lintel-assign-schedule", addAssignSchedule},
    {"lintel-approximate-math", addApproximateMath},
    {"lintel-tile", addTile},
    {"lintel-lower-microkernel", addLowerMicrokernel},
    {"lintel-verify-kernel", addVerifyKernel},
    {"lintel-verify-tmm", addVerifyTmm},
    {"lintel-lower-tmm", addLowerTmm},
    {"lintel-to-llvm", addToLLVM},
};
constexpr size_t planned = 2; ///< stages of lintel-plan
constexpr size_t lowered = 5; ///< stages of lintel-plan and lintel-lower

void addStages(mlir::OpPassManager &manager, const PipelineOptions &options,
               llvm::ArrayRef<PipelineStage> chosen) {
  for (const PipelineStage &stage : chosen)
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
  addStages(manager, choice, pipelineStages().take_front(planned));
}

void buildLowerPipeline(mlir::OpPassManager &manager, const LowerOptions &) {
  addStages(manager, PipelineOptions(),
            pipelineStages().slice(planned, lowered - planned));
}

void buildKernelPipeline(mlir::OpPassManager &manager,
                         const PipelineOptions &options) {
  addStages(manager, options, pipelineStages());
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
