// The stages from lintel.linear to the LLVM dialect, in their order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace lintel {

/// What a pipeline takes that chooses a schedule; all may stay empty.
template <class Self> struct ChoiceOptions : mlir::PassPipelineOptions<Self> {
  template <class Value>
  using Option = mlir::detail::PassOptions::Option<Value>;

  Option<std::string> schedule{*this, "schedule",
                               llvm::cl::desc("text of the schedule to pin"),
                               llvm::cl::init("")};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("text of the target"),
                             llvm::cl::init("")};
  Option<int64_t> threads{
      *this, "threads", llvm::cl::desc("threads that the schedule is made for"),
      llvm::cl::init(1)};
};

/// Options of lintel-plan.
struct PlanOptions : ChoiceOptions<PlanOptions> {};

/// Options of lintel-lower: what it reads, the layer carries.
struct LowerOptions : mlir::PassPipelineOptions<LowerOptions> {};

/// Options of lintel-kernel, and of its stages.
struct PipelineOptions : ChoiceOptions<PipelineOptions> {
  Option<bool> emulateTiles{
      *this, "emulate-tiles",
      llvm::cl::desc("call the emulation of AMX tile registers, as a "
                     "target with amx-emulation has it"),
      llvm::cl::init(false)};
  Option<bool> verifyTmm{*this, "verify-tmm",
                         llvm::cl::desc("check the use of AMX tile registers"),
                         llvm::cl::init(true)};
};

/// The pipeline of its own that a stage belongs to.
enum class StageKind {
  plan,   ///< lintel-plan
  lower,  ///< lintel-lower
  finish, ///< none
};

/// One stage: the name of its pass, and how to add it.
struct PipelineStage {
  llvm::StringRef name;
  StageKind kind;
  void (*add)(mlir::OpPassManager &manager, const PipelineOptions &options);
};

/// Every stage, in order, which nothing else knows.
llvm::ArrayRef<PipelineStage> pipelineStages();

/// lintel-plan: schedule and inline math; the result is still a linear layer.
void buildPlanPipeline(mlir::OpPassManager &manager,
                       const PlanOptions &options);
/// lintel-lower: a planned layer becomes loops over vectors.
void buildLowerPipeline(mlir::OpPassManager &manager,
                        const LowerOptions &options);
/// lintel-kernel: every stage, from layer to LLVM dialect.
void buildKernelPipeline(mlir::OpPassManager &manager,
                         const PipelineOptions &options);

/// Makes the three pipelines known to tools by their names.
void registerPipelines();

} // namespace lintel
