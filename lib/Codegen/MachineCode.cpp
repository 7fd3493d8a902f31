// LLVM IR to machine code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Codegen/MachineCode.h"
#include "Codegen/FastAllocation.h"
#include "Codegen/X86Target.h"
#include "Transforms/KernelFunctions.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"

namespace lintel {
namespace {

/// Bytes. What a core fetches of decoded instructions in a cycle is of one line
/// (Zen 3; of half a line before Sunny Cove), and LLVM's own 16 bytes leave a k
/// loop to lie across one more. Beside a hyperthread that fetches every other
/// cycle, products of 6x16 in L1 reached 0.88 of what multiply-adds alone did
/// instead of 0.81 (Zen 3, decision 129). Functions that LLVM leaves alone are
/// laid out without it.
constexpr unsigned kLoopAlignment = 64;

/// The level's own CPU name: it implies the level's features and none that a
/// product name would add.
llvm::StringRef baseCpu(IsaLevel isa) {
  switch (isa) {
  case IsaLevel::x86_64:
    return "x86-64";
  case IsaLevel::avx2:
    return "x86-64-v3";
  case IsaLevel::avx512:
    return "x86-64-v4";
  }
  return "x86-64";
}

/// Whose scheduling model orders the instructions. LLVM's model for "generic"
/// is of a CPU before AVX2, and makes full register tiles spill; that of the
/// level does not.
llvm::StringRef tuneCpu(const Target &target) {
  if (target.cpu == "generic")
    return baseCpu(target.levelOfCode());
  return target.cpu;
}

/// Nobody times emulated vectors, whose code takes three times as long to make.
llvm::CodeGenOptLevel effortFor(const Target &target) {
  return target.emulatesVectors() ? llvm::CodeGenOptLevel::None
                                  : llvm::CodeGenOptLevel::Less;
}

/// Whether a remark is about a loop without loops inside.
bool isOfInnermostLoop(const llvm::DiagnosticInfoMIROptimization &remark) {
  const llvm::MachineBasicBlock *header = remark.getBlock();
  // Looked at only; the analyses ask for more.
  auto &function = const_cast<llvm::MachineFunction &>(*header->getParent());
  llvm::MachineDominatorTree dominators(function);
  const llvm::MachineLoopInfo loops(dominators);
  const llvm::MachineLoop *loop = loops.getLoopFor(header);
  return !loop || loop->isInnermost();
}

/// Keeps errors, which LLVM would end the process for, and adds up the register
/// allocator's remarks about the innermost loops of micro-kernels, those over
/// k: one around it, over runs of K, may well move what it counts with. A
/// kernel that needs no spill yields none.
class BackEndReports : public llvm::DiagnosticHandler {
public:
  explicit BackEndReports(IsaLevel isa) : isa(isa) {}
  bool isAnyRemarkEnabled() const override { return true; }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return pass == "regalloc";
  }
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error)
      keepError(info);
    auto *remark = llvm::dyn_cast<llvm::DiagnosticInfoMIROptimization>(&info);
    if (!remark)
      return info.getSeverity() == llvm::DS_Error;
    if (remark->getRemarkName() == "LoopSpillReloadCopies" &&
        remark->getFunction().hasFnAttribute(ir::kMicrokernel) &&
        isOfInnermostLoop(*remark))
      count(*remark);
    return true;
  }

  int64_t spills = 0;
  std::string errors; ///< "" if there were none

private:
  void keepError(const llvm::DiagnosticInfo &info) {
    errors += errors.empty() ? "" : "; ";
    llvm::raw_string_ostream stream(errors);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
  }

  void count(const llvm::DiagnosticInfoOptimizationBase &remark) {
    for (const auto &argument : remark.getArgs()) {
      llvm::StringRef key = argument.Key;
      int64_t value = 0;
      if (key.starts_with("Num") && !isNatural(key) &&
          !llvm::StringRef(argument.Val).getAsInteger(10, value))
        spills += value;
    }
  }

  /// SSE multiplies in place, so each product begins with a copy; with
  /// three-operand instructions a copy is as much a sign of too few registers
  /// as a spill.
  bool isNatural(llvm::StringRef key) const {
    return key == "NumVRCopies" && isa == IsaLevel::x86_64;
  }

  IsaLevel isa;
};

/// The passes that turn one module after another into bytes. To set them up
/// takes as long as a twentieth of an object, so that they are kept.
class Emission {
public:
  static Expected<std::unique_ptr<Emission>>
  create(llvm::TargetMachine &machine, llvm::CodeGenFileType kind) {
    std::unique_ptr<Emission> emission(new Emission);
    if (machine.addPassesToEmitFile(emission->passes, emission->stream, nullptr,
                                    kind, /*DisableVerify=*/true))
      return Error(ErrorCode::internal,
                   "LLVM cannot emit this kind of file for x86-64");
    return emission;
  }

  /// They stay valid until the next run.
  llvm::ArrayRef<char> run(llvm::Module &module) {
    bytes.clear();
    passes.run(module);
    return bytes;
  }

private:
  Emission() : stream(bytes) {}

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream;
  llvm::legacy::PassManager passes;
};

} // namespace

struct MachineCode::Impl {
  Target target;
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::PassBuilder passes;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::FunctionPassManager cleanup;   ///< of functions that compute
  llvm::FunctionPassManager reduction; ///< of loops that are to be optimized
  std::unique_ptr<Emission> objects;

  Impl(const Target &target, std::unique_ptr<llvm::TargetMachine> targetMachine)
      : target(target), machine(std::move(targetMachine)),
        passes(machine.get()) {
    passes.registerLoopAnalyses(loops);
    passes.registerFunctionAnalyses(functions);
    passes.registerCGSCCAnalyses(callGraph);
    passes.registerModuleAnalyses(modules);
    passes.crossRegisterProxies(loops, functions, callGraph, modules);
    cleanup.addPass(llvm::EarlyCSEPass());
    reduction.addPass(
        llvm::createFunctionToLoopPassAdaptor(llvm::LoopStrengthReducePass()));
  }

  void forget() {
    loops.clear();
    functions.clear();
    callGraph.clear();
    modules.clear();
  }

  struct Emitted {
    llvm::ArrayRef<char> bytes;
    int64_t loopSpills;
  };

  Expected<Emitted> emit(Emission &emission, llvm::Module &module) {
    auto owned = std::make_unique<BackEndReports>(target.isa);
    const BackEndReports &reports = *owned;
    module.getContext().setDiagnosticHandler(std::move(owned));
    const llvm::ArrayRef<char> bytes = emission.run(module);
    if (!reports.errors.empty())
      return Error(ErrorCode::compile,
                   "LLVM generates no code: " + reports.errors);
    return Emitted{bytes, reports.spills};
  }
};

MachineCode::MachineCode(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
MachineCode::~MachineCode() = default;

Expected<std::unique_ptr<MachineCode>>
MachineCode::create(const Target &target) {
  registerX86Target();
  registerFastAllocation();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string message;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return Error(ErrorCode::internal,
                 "LLVM has no x86-64 back end: " + message);
  llvm::TargetOptions options;
  options.LoopAlignment = kLoopAlignment;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, baseCpu(target.levelOfCode()), target.featureString(), options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, effortFor(target),
      /*JIT=*/true));
  if (!machine)
    return Error(ErrorCode::internal,
                 "LLVM makes no target machine for " + target.text());
  if (target.cpu != "generic" &&
      !machine->getMCSubtargetInfo()->isCPUStringValid(target.cpu))
    return Error(ErrorCode::invalidArgument,
                 "target: cpu '" + target.cpu +
                     "' is not a CPU that LLVM knows; use a name such as "
                     "znver4 or generic");
  return std::unique_ptr<MachineCode>(
      new MachineCode(std::make_unique<Impl>(target, std::move(machine))));
}

void MachineCode::prepare(llvm::Module &module) {
  module.setTargetTriple(impl->machine->getTargetTriple());
  module.setDataLayout(impl->machine->createDataLayout());
  std::string features = impl->target.featureString();
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", baseCpu(impl->target.levelOfCode()));
    function.addFnAttr("tune-cpu", tuneCpu(impl->target));
    function.addFnAttr("target-features", features);
    function.setDoesNotThrow();
    // Of a driver or block function it leaves out 1 % of the instructions, for
    // 2 % of an object's time.
    if (!function.hasFnAttribute(ir::kFastAllocation))
      impl->cleanup.run(function, impl->functions);
    if (!function.hasOptNone() && !function.hasFnAttribute(ir::kKeepsLoops))
      impl->reduction.run(function, impl->functions);
  }
  impl->forget();
}

Expected<EmittedObject> MachineCode::emitObject(llvm::Module &module) {
  if (!impl->objects) {
    auto emission =
        Emission::create(*impl->machine, llvm::CodeGenFileType::ObjectFile);
    if (!emission)
      return emission.error();
    impl->objects = std::move(*emission);
  }
  auto object = impl->emit(*impl->objects, module);
  if (!object) {
    impl->objects.reset(); // nobody knows what it was left with
    return object.error();
  }
  auto *data = reinterpret_cast<const std::byte *>(object->bytes.data());
  return EmittedObject{{data, data + object->bytes.size()}, object->loopSpills};
}

Expected<EmittedAssembly> MachineCode::emitAssembly(llvm::Module &module) {
  auto emission =
      Emission::create(*impl->machine, llvm::CodeGenFileType::AssemblyFile);
  if (!emission)
    return emission.error();
  auto text = impl->emit(**emission, module);
  if (!text)
    return text.error();
  return EmittedAssembly{{text->bytes.begin(), text->bytes.end()},
                         text->loopSpills};
}

} // namespace lintel
