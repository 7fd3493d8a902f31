// One compiler a level, one loader, and the kernels made so far.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Machine.h"

#include "Codegen/Compiler.h"
#include "Target/HostTarget.h"

#include <map>
#include <string>

namespace lintel::integration {
namespace {

Expected<Loader *> loader() {
  static Expected<std::shared_ptr<Loader>> instance = Loader::create();
  if (!instance)
    return instance.error();
  return instance->get();
}

Expected<Compiler *> compilerFor(const Target &target) {
  static std::map<std::string, std::unique_ptr<Compiler>> compilers;
  std::unique_ptr<Compiler> &compiler = compilers[target.text()];
  if (!compiler) {
    Expected<std::unique_ptr<Compiler>> created = Compiler::create(target);
    if (!created)
      return created.error();
    compiler = std::move(*created);
  }
  return compiler.get();
}

Expected<std::shared_ptr<const Kernel>>
build(const Target &target, const Problem &problem, const Schedule &schedule) {
  Expected<Compiler *> compiler = compilerFor(target);
  if (!compiler)
    return compiler.error();
  Expected<Loader *> linker = loader();
  if (!linker)
    return linker.error();
  Expected<ObjectCode> object = (*compiler)->compile(problem, schedule);
  if (!object)
    return object.error();
  return (*linker)->load(object->bytes, kKernelSymbol);
}

} // namespace

std::optional<Target> hostTarget(IsaLevel isa) {
  static const HostFacts facts = readHostFacts();
  Expected<Target> target = targetFromFacts(facts, isa);
  return target ? std::optional(*target) : std::nullopt;
}

Expected<std::shared_ptr<const Kernel>> kernelFor(const Target &target,
                                                  const Problem &problem,
                                                  const Schedule &schedule) {
  static std::map<std::string, std::shared_ptr<const Kernel>> kernels;
  std::string key = target.text() + " " + problem.text() + " " +
                    problem.types().text() + " " + schedule.code().text();
  // A region's text does not say how its operands are read.
  for (const EpilogueOperand &operand : problem.epilogue().operands())
    key += " " + std::string(toString(operand.broadcast));
  std::shared_ptr<const Kernel> &kernel = kernels[key];
  if (!kernel) {
    Expected<std::shared_ptr<const Kernel>> built =
        build(target, problem, schedule);
    if (!built)
      return built.error();
    kernel = std::move(*built);
  }
  return kernel;
}

} // namespace lintel::integration
