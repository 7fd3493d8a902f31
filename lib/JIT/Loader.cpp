// Linking kernels into the process with LLVM ORC.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JIT/Loader.h"

#include "Codegen/X86Target.h"
#include "TileEmulation/TileEmulation.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <atomic>
#include <string>

namespace lintel {

Kernel::~Kernel() = default;
Loader::~Loader() = default;

namespace {

namespace orc = llvm::orc;

Error linkError(llvm::Error error) {
  return Error(ErrorCode::compile,
               "kernel does not link: " + llvm::toString(std::move(error)));
}

/// The functions that emulate AMX, at their addresses in this process.
orc::SymbolMap emulationSymbols(orc::ExecutionSession &session) {
  orc::SymbolMap symbols;
  for (const EmulatedInstruction &instruction : emulatedInstructions())
    symbols[session.intern(llvm::StringRef(instruction.symbol))] = {
        orc::ExecutorAddr::fromPtr(instruction.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return symbols;
}

/// Keeps the session alive as long as any kernel.
class Session {
public:
  Session(std::unique_ptr<orc::LLJIT> jit, orc::JITDylib &emulation)
      : jit(std::move(jit)), emulation(emulation) {}
  std::unique_ptr<orc::LLJIT> jit;
  /// All that a kernel sees beside itself; looked into for objects that refer
  /// to it.
  orc::JITDylib &emulation;
  std::atomic<uint64_t> kernels = 0;
};

class LoadedKernel : public Kernel {
public:
  LoadedKernel(std::shared_ptr<Session> session, orc::JITDylib &library)
      : session(std::move(session)), library(library) {}
  ~LoadedKernel() override {
    // Removal fails only for a library that is gone already.
    llvm::consumeError(
        session->jit->getExecutionSession().removeJITDylib(library));
  }
  Status link(std::unique_ptr<llvm::MemoryBuffer> object,
              llvm::StringRef symbol) {
    if (llvm::Error error =
            session->jit->addObjectFile(library, std::move(object)))
      return linkError(std::move(error));
    auto address = session->jit->lookup(library, symbol);
    if (!address)
      return linkError(address.takeError());
    entry = address->toPtr<KernelFunction>();
    return {};
  }

private:
  std::shared_ptr<Session> session;
  orc::JITDylib &library;
};

class OrcLoader : public Loader {
public:
  explicit OrcLoader(std::shared_ptr<Session> session)
      : session(std::move(session)) {}

  Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) override {
    if (Status valid = validateObject(object, symbol); !valid)
      return valid.error();
    // Every object defines the same symbol, so each has a library of its own.
    std::string name = "kernel" + std::to_string(session->kernels++);
    auto library = session->jit->createJITDylib(name);
    if (!library)
      return linkError(library.takeError());
    library->addToLinkOrder(session->emulation);
    auto kernel = std::make_shared<LoadedKernel>(session, *library);
    llvm::StringRef bytes(reinterpret_cast<const char *>(object.data()),
                          object.size());
    if (Status linked = kernel->link(
            llvm::MemoryBuffer::getMemBufferCopy(bytes, name), symbol);
        !linked)
      return linked.error();
    return std::shared_ptr<const Kernel>(std::move(kernel));
  }

private:
  std::shared_ptr<Session> session;
};

} // namespace

Expected<std::shared_ptr<Loader>> Loader::create() {
  registerX86Target();
  orc::LLJITBuilder builder;
  builder.setJITTargetMachineBuilder(
      orc::JITTargetMachineBuilder(llvm::Triple("x86_64-unknown-linux-gnu")));
  // A closed world: of the process, kernels see the emulation and nothing else,
  // and nothing of the ORC run-time platform is needed for code without
  // initialisers or exceptions.
  builder.setLinkProcessSymbolsByDefault(false);
  builder.setPlatformSetUp(orc::setUpInactivePlatform);
  auto jit = builder.create();
  if (!jit)
    return linkError(jit.takeError());
  (*jit)->getExecutionSession().setErrorReporter([](llvm::Error error) {
    // The same error comes back from the lookup that caused it.
    llvm::consumeError(std::move(error));
  });
  auto emulation = (*jit)->createJITDylib("emulation");
  if (!emulation)
    return linkError(emulation.takeError());
  if (llvm::Error error = emulation->define(orc::absoluteSymbols(
          emulationSymbols((*jit)->getExecutionSession()))))
    return linkError(std::move(error));
  return std::shared_ptr<Loader>(std::make_shared<OrcLoader>(
      std::make_shared<Session>(std::move(*jit), *emulation)));
}

} // namespace lintel
