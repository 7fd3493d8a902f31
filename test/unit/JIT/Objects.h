// Objects for the linker's tests: compiled layers, LLVM IR, assembly text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Codegen/Compiler.h"
#include "Codegen/MachineCode.h"
#include "Lintel/KernelABI.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace lintel {

using Bytes = std::vector<std::byte>;

/// The baseline: what every x86-64 CPU runs.
inline Target baseline() { return Target(); }

inline Bytes objectOfLayer(std::string_view problem, std::string_view schedule,
                           const Target &target = baseline()) {
  auto compiler = Compiler::create(target);
  if (!compiler) {
    ADD_FAILURE() << compiler.error().message();
    return {};
  }
  auto object = (*compiler)->compile(Problem::parse(problem).value(),
                                     Schedule::parse(schedule).value());
  if (!object) {
    ADD_FAILURE() << object.error().message();
    return {};
  }
  return std::move(object->bytes);
}

/// The object of LLVM IR; `module asm` lines in it are assembled.
inline Bytes objectOfIr(const std::string &text) {
  auto machine = MachineCode::create(baseline());
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str();
    return {};
  }
  (*machine)->prepare(*module);
  return std::move((*machine)->emitObject(*module)->bytes);
}

/// A kernel that writes `value` to the place that KernelArgs::workspace points
/// to.
inline std::string storingKernel(int value) {
  return "define void @lintel_kernel(ptr %args, i32 %tid, i32 %n) {\n"
         "  %at = getelementptr i8, ptr %args, i64 " +
         std::to_string(offsetof(KernelArgs, workspace)) +
         "\n  %to = load ptr, ptr %at\n  store i32 " + std::to_string(value) +
         ", ptr %to\n  ret void\n}\n";
}

/// A kernel beside whose code stand these lines of assembly.
inline Bytes objectWithAssembly(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) {
    text += "module asm \"";
    for (char c : line)
      text += c == '"' ? std::string("\\22") : std::string(1, c);
    text += "\"\n";
  }
  return objectOfIr(text + "module asm \".text\"\n" + storingKernel(1));
}

} // namespace lintel
