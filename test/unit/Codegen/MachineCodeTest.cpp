// LLVM IR to machine code: attributes, clean-up, the watch for spills.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Codegen/MachineCode.h"
#include "unit/Codegen/Machines.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

std::unique_ptr<MachineCode> machineFor(const Target &target) {
  return std::move(*MachineCode::create(target));
}

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context,
                                    const std::string &text) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return module;
}

constexpr const char *kRepeats = R"(
  define void @f(ptr %p, float %a, float %b) {
    %x = fadd float %a, %b
    %y = fadd float %a, %b
    %z = fmul float %x, %y
    store float %z, ptr %p
    ret void
  })";

/// A function that carries `count` vectors of 16 floats around a loop.
std::string loopCarrying(int count, const std::string &attributes) {
  std::string phis, sums, stores;
  for (int i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    phis += "  %s" + n +
            " = phi <16 x float> [ zeroinitializer, %entry ], [ %t" + n +
            ", %loop ]\n";
    sums += "  %q" + n + " = getelementptr float, ptr %p, i64 " +
            std::to_string(16 * i) + "\n  %v" + n +
            " = load <16 x float>, ptr %q" + n + "\n  %t" + n +
            " = fadd <16 x float> %s" + n + ", %v" + n + "\n";
    stores += "  store <16 x float> %t" + n + ", ptr %q" + n + "\n";
  }
  return "define void @f(ptr %p, i64 %n) \"stackrealign\" " + attributes +
         " {\nentry:\n  br label %loop\n"
         "loop:\n  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n" +
         phis + sums +
         "  %j = add i64 %i, 1\n  %more = icmp slt i64 %j, %n\n"
         "  br i1 %more, label %loop, label %exit\nexit:\n" +
         stores + "  ret void\n}\n";
}

int64_t spillsOf(const std::string &text) {
  auto machine = machineFor(targetOf(IsaLevel::avx512));
  llvm::LLVMContext context;
  auto module = parse(context, text);
  machine->prepare(*module);
  auto object = machine->emitObject(*module);
  EXPECT_TRUE(object);
  return object ? object->loopSpills : -1;
}

TEST(MachineCode, WhatLlvmCannotGenerateIsAnError) {
  auto machine = machineFor(targetOf(IsaLevel::x86_64));
  llvm::LLVMContext context;
  auto module =
      parse(context, "define void @f() {\n"
                     "  call void asm \"no_such_instruction\", \"\"()\n"
                     "  ret void\n}\n");
  machine->prepare(*module);
  auto object = machine->emitObject(*module);
  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code(), ErrorCode::compile);
  EXPECT_THAT(object.error().message(),
              AllOf(HasSubstr("LLVM generates no code"),
                    HasSubstr("no_such_instruction")));
}

TEST(MachineCode, TakesEveryCpuThatTunesForAnIsaLevel) {
  for (const char *cpu : {"generic", "znver4", "znver5", "cascadelake",
                          "sapphirerapids", "graniterapids", "x86-64-v4"})
    EXPECT_TRUE(MachineCode::create(targetOf(IsaLevel::avx512, cpu))) << cpu;
  for (IsaLevel isa : kAllIsaLevels)
    EXPECT_TRUE(MachineCode::create(targetOf(isa)));
}

TEST(MachineCode, RefusesACpuThatLlvmDoesNotKnow) {
  for (const char *cpu : {"pentium-99", "", "znver4,+amx-tile", "ZNVER4"}) {
    auto machine = MachineCode::create(targetOf(IsaLevel::avx2, cpu));
    ASSERT_FALSE(machine) << cpu;
    EXPECT_EQ(machine.error().code(), ErrorCode::invalidArgument);
    EXPECT_THAT(machine.error().message(), HasSubstr(std::string("'") + cpu));
  }
}

TEST(MachineCode, PreparesFunctionsForTheTarget) {
  const Target target = targetOf(IsaLevel::avx2, "znver3");
  auto machine = machineFor(target);
  llvm::LLVMContext context;
  auto module = parse(context, kRepeats);
  machine->prepare(*module);
  llvm::Function *function = module->getFunction("f");
  auto attribute = [&](const char *name) {
    return function->getFnAttribute(name).getValueAsString().str();
  };
  EXPECT_EQ(attribute("target-cpu"), "x86-64-v3");
  EXPECT_EQ(attribute("tune-cpu"), "znver3");
  EXPECT_EQ(attribute("target-features"), target.featureString());
  EXPECT_TRUE(function->doesNotThrow());
  EXPECT_EQ(module->getTargetTriple().str(), "x86_64-unknown-linux-gnu");
  EXPECT_EQ(function->getInstructionCount(), 4u)
      << "one of the two equal sums is left";
}

TEST(MachineCode, LooksForNothingInWhatIsAllocatedFast) {
  auto machine = machineFor(targetOf(IsaLevel::avx2));
  llvm::LLVMContext context;
  auto module = parse(context, kRepeats);
  llvm::Function *function = module->getFunction("f");
  function->addFnAttr("lintel-fast-allocation");
  machine->prepare(*module);
  EXPECT_EQ(function->getInstructionCount(), 5u) << "both sums are left";
}

/// LLVM's "generic" model makes full tiles spill; NoSpill.EveryTile would show
/// it.
TEST(MachineCode, TunesForItsIsaLevelWhenNoCpuIsNamed) {
  for (auto [isa, cpu] : {std::pair(IsaLevel::x86_64, "x86-64"),
                          std::pair(IsaLevel::avx2, "x86-64-v3"),
                          std::pair(IsaLevel::avx512, "x86-64-v4")}) {
    auto machine = machineFor(targetOf(isa));
    llvm::LLVMContext context;
    auto module = parse(context, kRepeats);
    machine->prepare(*module);
    EXPECT_EQ(module->getFunction("f")
                  ->getFnAttribute("tune-cpu")
                  .getValueAsString()
                  .str(),
              cpu);
  }
}

TEST(MachineCode, EmitsAssemblyAndElf) {
  auto machine = machineFor(targetOf(IsaLevel::x86_64));
  llvm::LLVMContext context;
  auto forText = parse(context, kRepeats);
  machine->prepare(*forText);
  auto text = machine->emitAssembly(*forText);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_THAT(text->text, AllOf(HasSubstr("f:"), HasSubstr("mulss")));
  auto forObject = parse(context, kRepeats);
  machine->prepare(*forObject);
  auto object = machine->emitObject(*forObject);
  ASSERT_TRUE(object) << object.error().message();
  ASSERT_GE(object->bytes.size(), 4u);
  EXPECT_EQ(object->bytes[1], std::byte('E'));
}

TEST(MachineCode, CountsSpillsInLoopsOfMicrokernels) {
  EXPECT_GT(spillsOf(loopCarrying(40, "\"lintel-microkernel\"")), 0);
  EXPECT_EQ(spillsOf(loopCarrying(20, "\"lintel-microkernel\"")), 0);
  EXPECT_EQ(spillsOf(loopCarrying(40, "")), 0) << "only micro-kernels count";
}

TEST(MachineCode, GoesOnAfterAnError) {
  auto machine = machineFor(targetOf(IsaLevel::x86_64));
  const auto emit = [&](const std::string &text) {
    llvm::LLVMContext context;
    auto module = parse(context, text);
    machine->prepare(*module);
    return machine->emitObject(*module);
  };
  auto before = emit(kRepeats);
  ASSERT_TRUE(before) << before.error().message();
  EXPECT_FALSE(emit("define void @f() {\n"
                    "  call void asm \"no_such_instruction\", \"\"()\n"
                    "  ret void\n}\n"));
  auto after = emit(kRepeats);
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_TRUE(after->bytes == before->bytes);
}

/// Stores to every %s-th number.
std::string stridedLoop(const char *attributes) {
  return std::string("define void @f(ptr %p, i64 %n, i64 %s) ") + attributes +
         " {\n"
         "begin:\n"
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i64 [ 0, %begin ], [ %next, %loop ]\n"
         "  %o = mul i64 %i, %s\n"
         "  %q = getelementptr float, ptr %p, i64 %o\n"
         "  store float 0.0, ptr %q\n"
         "  %next = add i64 %i, 1\n"
         "  %more = icmp ult i64 %next, %n\n"
         "  br i1 %more, label %loop, label %end\n"
         "end:\n"
         "  ret void\n}\n";
}

bool multipliesInItsLoop(const std::string &text) {
  auto machine = machineFor(targetOf(IsaLevel::avx2));
  llvm::LLVMContext context;
  auto module = parse(context, text);
  machine->prepare(*module);
  for (const llvm::BasicBlock &block : *module->getFunction("f"))
    for (const llvm::Instruction &instruction : block)
      if (block.getName() == "loop" &&
          instruction.getOpcode() == llvm::Instruction::Mul)
        return true;
  return false;
}

TEST(MachineCode, ReducesTheStrengthOfLoopsThatItMayOptimize) {
  EXPECT_FALSE(multipliesInItsLoop(stridedLoop("")));
  EXPECT_TRUE(multipliesInItsLoop(stridedLoop("noinline optnone")));
  EXPECT_TRUE(multipliesInItsLoop(stridedLoop("\"lintel-keeps-loops\"")));
}

/// What emits code has a pass of its own for it, which is switched off.
TEST(MachineCode, EmitsLoopsAsTheyArePrepared) {
  auto machine = machineFor(targetOf(IsaLevel::avx2));
  llvm::LLVMContext context;
  auto module = parse(context, stridedLoop("\"lintel-keeps-loops\""));
  machine->prepare(*module);
  auto text = machine->emitAssembly(*module);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_THAT(text->text, HasSubstr("imulq"));
}

std::string assemblyOf(const std::string &text) {
  auto machine = machineFor(targetOf(IsaLevel::avx2));
  llvm::LLVMContext context;
  auto module = parse(context, text);
  machine->prepare(*module);
  auto assembly = machine->emitAssembly(*module);
  EXPECT_TRUE(assembly) << assembly.error().message();
  return assembly ? assembly->text : "";
}

/// What a loop carries is on the stack from one turn of it to the next.
TEST(MachineCode, AllocatesRegistersFastWhereItIsTold) {
  const std::string spills = "\tmovq\t%[a-z0-9]+, -[0-9]+\\(%rsp\\)";
  EXPECT_THAT(assemblyOf(stridedLoop("noinline optnone "
                                     "\"lintel-fast-allocation\"")),
              ContainsRegex(spills));
  EXPECT_THAT(assemblyOf(stridedLoop("noinline optnone")),
              Not(ContainsRegex(spills)));
}

TEST(MachineCode, LoopsBeginCacheLines) {
  auto machine = machineFor(targetOf(IsaLevel::avx2));
  llvm::LLVMContext context;
  for (const char *attributes : {"", "\"lintel-keeps-loops\""}) {
    auto module = parse(context, stridedLoop(attributes));
    machine->prepare(*module);
    auto text = machine->emitAssembly(*module);
    ASSERT_TRUE(text) << text.error().message();
    EXPECT_THAT(text->text, ContainsRegex("p2align\t6\n.LBB0_1:"))
        << attributes;
  }
}

} // namespace
