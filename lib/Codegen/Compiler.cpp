// From problem, schedule and target to object bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Codegen/Compiler.h"

#include "Codegen/MachineCode.h"
#include "Lintel/LintelDialect.h"
#include "Pipeline/Pipelines.h"
#include "Problem/BuildLinear.h"
#include "Problem/DiagnosticText.h"
#include "Schedule/Legality.h"
#include "Transforms/KernelFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace lintel {
namespace {

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

/// Whether there was any of which LLVM was to leave something alone.
bool optimizeMicrokernels(mlir::ModuleOp module) {
  bool changed = false;
  const auto leavesAlone = [](mlir::Attribute attribute) {
    auto name = llvm::dyn_cast<mlir::StringAttr>(attribute);
    return name && (name == "optnone" || name == ir::kKeepsLoops);
  };
  const mlir::Attribute microkernel =
      mlir::StringAttr::get(module.getContext(), ir::kMicrokernel);
  for (auto function : module.getOps<mlir::LLVM::LLVMFuncOp>()) {
    mlir::ArrayAttr given = function.getPassthroughAttr();
    if (!given || !llvm::is_contained(given, microkernel))
      continue;
    llvm::SmallVector<mlir::Attribute> kept(given.begin(), given.end());
    llvm::erase_if(kept, leavesAlone);
    changed |= kept.size() < given.size();
    function.setPassthroughAttr(
        mlir::ArrayAttr::get(module.getContext(), kept));
  }
  return changed;
}

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

} // namespace

struct Compiler::Impl {
  Target target;
  mlir::MLIRContext context;
  PipelineOptions options;
  std::unique_ptr<mlir::PassManager> pipeline;
  std::unique_ptr<MachineCode> machine;

  explicit Impl(const Target &target)
      : target(target), context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    mlir::registerBuiltinDialectTranslation(registry);
    mlir::registerLLVMDialectTranslation(registry);
    context.appendDialectRegistry(registry);
    options.target = target.text();
    // Off as the verifiers are, but for the emulation, which tests run on.
    options.verifyTmm = target.emulatesTiles();
    pipeline = std::make_unique<mlir::PassManager>(&context);
    pipeline->enableVerifier(false);
    buildKernelPipeline(*pipeline, options);
  }

  /// The layer's module, with its schedule and target pinned.
  Expected<mlir::OwningOpRef<mlir::ModuleOp>>
  plannedModule(const Problem &problem, const Schedule &schedule) {
    if (Status legal = checkSchedule(schedule, problem, target); !legal)
      return legal.error().in("schedule '" + schedule.text() + "'");
    auto module = buildModule(context, problem);
    if (!module)
      return module.error();
    (*module)->walk([&](mlir::func::FuncOp function) {
      function.setSymName(kKernelSymbol);
    });
    (*module)->walk([&](ir::LinearOp op) {
      op.setScheduleAttr(ir::ScheduleAttr::get(&context, schedule));
      op.setTargetAttr(ir::TargetAttr::get(&context, target));
    });
    return module;
  }

  Expected<std::unique_ptr<llvm::Module>>
  translate(mlir::ModuleOp module, llvm::LLVMContext &llvmContext) {
    std::unique_ptr<llvm::Module> translated = mlir::translateModuleToLLVMIR(
        module, llvmContext, kKernelSymbol, /*disableVerification=*/true);
    if (!translated)
      return Error(ErrorCode::internal,
                   "the kernel does not translate to LLVM IR");
    machine->prepare(*translated);
    return translated;
  }

  /// To be asked for last: emitting takes a translated module apart, and
  /// `module` is what emitBest left.
  Expected<std::string> llvmIrOf(mlir::ModuleOp module) {
    llvm::LLVMContext llvmContext;
    auto translated = translate(module, llvmContext);
    if (!translated)
      return translated.error();
    std::string text;
    llvm::raw_string_ostream stream(text);
    (*translated)->print(stream, nullptr);
    return text;
  }

  /// What one of MachineCode's two ways to emit makes of `module`.
  template <typename Emitted>
  using Emission = Expected<Emitted> (MachineCode::*)(llvm::Module &);

  template <typename Emitted>
  Expected<Emitted> emit(mlir::ModuleOp module, Emission<Emitted> emission) {
    llvm::LLVMContext llvmContext;
    auto translated = translate(module, llvmContext);
    if (!translated)
      return translated.error();
    return (machine.get()->*emission)(**translated);
  }

  /// Leaves micro-kernels that run out of registers as they are written to
  /// LLVM, which may find an order in which they do not; `module` is then what
  /// it was given. Those on tiles hold addresses in registers, and nothing of a
  /// loop depends on these.
  template <typename Emitted>
  Expected<Emitted> emitBest(mlir::OwningOpRef<mlir::ModuleOp> &module,
                             const Schedule &schedule,
                             Emission<Emitted> emission) {
    auto emitted = emit(*module, emission);
    if (!emitted || emitted->loopSpills == 0 || schedule.onTiles())
      return emitted;
    mlir::OwningOpRef<mlir::ModuleOp> optimized(module->clone());
    if (!optimizeMicrokernels(*optimized))
      return emitted;
    auto better = emit(*optimized, emission);
    if (!better || better->loopSpills >= emitted->loopSpills)
      return emitted;
    module = std::move(optimized);
    return better;
  }

  /// Calls of the emulation move registers through memory, vectors that are
  /// emulated take two, and nobody times them.
  int64_t spillsThatCount(int64_t loopSpills, const Schedule &schedule) const {
    const bool isEmulated =
        schedule.onTiles() ? target.emulatesTiles() : target.emulatesVectors();
    return isEmulated ? 0 : loopSpills;
  }
};

Compiler::Compiler(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Compiler::~Compiler() = default;

Expected<std::unique_ptr<Compiler>> Compiler::create(const Target &target) {
  auto machine = MachineCode::create(target);
  if (!machine)
    return machine.error();
  auto impl = std::make_unique<Impl>(target);
  impl->machine = std::move(*machine);
  return std::unique_ptr<Compiler>(new Compiler(std::move(impl)));
}

Expected<ObjectCode> Compiler::compile(const Problem &problem,
                                       const Schedule &schedule) {
  auto start = std::chrono::steady_clock::now();
  DiagnosticText diagnostics(impl->context);
  auto module = impl->plannedModule(problem, schedule);
  if (!module)
    return module.error();
  if (mlir::failed(impl->pipeline->run(**module)))
    return Error(ErrorCode::compile, diagnostics.text());
  auto object = impl->emitBest(*module, schedule, &MachineCode::emitObject);
  if (!object)
    return object.error();
  return ObjectCode{std::move(object->bytes),
                    impl->spillsThatCount(object->loopSpills, schedule),
                    millisecondsSince(start)};
}

Expected<KernelTexts> Compiler::explain(const Problem &problem,
                                        const Schedule &schedule, Forms forms) {
  DiagnosticText diagnostics(impl->context);
  auto module = impl->plannedModule(problem, schedule);
  if (!module)
    return module.error();
  std::vector<StageText> texts;
  const auto add = [&](const std::string &stage) {
    if (forms == Forms::all)
      texts.push_back({stage, printed(**module)});
  };
  add("linear");
  PipelineOptions options;
  options.copyOptionValuesFrom(impl->options);
  options.verifyTmm = true;
  for (const PipelineStage &stage : pipelineStages()) {
    mlir::PassManager manager(&impl->context);
    stage.add(manager, options);
    if (mlir::failed(manager.run(**module)))
      return Error(ErrorCode::compile, diagnostics.text()).in(stage.name.str());
    add(stage.name.str());
  }
  auto assembly = impl->emitBest(*module, schedule, &MachineCode::emitAssembly);
  if (!assembly)
    return assembly.error();
  if (forms == Forms::all) {
    auto llvmIr = impl->llvmIrOf(**module);
    if (!llvmIr)
      return llvmIr.error();
    texts.push_back({"llvm-ir", std::move(*llvmIr)});
  }
  texts.push_back({"assembly", std::move(assembly->text)});
  return KernelTexts{std::move(texts),
                     impl->spillsThatCount(assembly->loopSpills, schedule)};
}

} // namespace lintel
