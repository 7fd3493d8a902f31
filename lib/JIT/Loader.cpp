// Linking kernels into the process with LLVM ORC.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JIT/Loader.h"

#include "Codegen/X86Target.h"
#include "TileEmulation/TileEmulation.h"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace lintel {

Kernel::~Kernel() = default;
Loader::~Loader() = default;

namespace {

namespace orc = llvm::orc;

Error linkError(llvm::Error error, const std::string &reason = "") {
  return Error(ErrorCode::compile,
               "kernel does not link: " + llvm::toString(std::move(error)) +
                   (reason.empty() ? "" : ": " + reason));
}

/// Why the linker failed, which it tells the session; a lookup says only what
/// failed. Any thread may link what another asked for, so each reason is kept
/// under the name of its library.
class LinkReports : public orc::ObjectLinkingLayer::Plugin {
public:
  /// The linker calls this in the thread, and just before, it reports.
  llvm::Error
  notifyFailed(orc::MaterializationResponsibility &failed) override {
    std::scoped_lock lock(mutex);
    failing[std::this_thread::get_id()] = failed.getTargetJITDylib().getName();
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(orc::JITDylib &,
                                      orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(orc::JITDylib &, orc::ResourceKey,
                                   orc::ResourceKey) override {}

  void add(llvm::Error error) {
    std::string reason = llvm::toString(std::move(error));
    std::scoped_lock lock(mutex);
    if (auto library = failing.extract(std::this_thread::get_id()))
      reasons[library.mapped()] = std::move(reason);
  }

  /// "" if there was no report.
  std::string take(const std::string &library) {
    std::scoped_lock lock(mutex);
    auto found = reasons.extract(library);
    return found ? std::move(found.mapped()) : "";
  }

private:
  std::mutex mutex;
  /// The library that each thread is about to report. Not thread-local, as that
  /// would be gone for calls that `atexit` handlers make.
  std::map<std::thread::id, std::string> failing;
  std::map<std::string, std::string> reasons;
};

/// What a linker that cannot read an object says, which it does without naming
/// the library; "" if it can.
std::string readFailure(llvm::MemoryBufferRef object,
                        orc::ExecutionSession &session) {
  auto graph = llvm::jitlink::createLinkGraphFromObject(
      object, session.getSymbolStringPool());
  return graph ? "" : llvm::toString(graph.takeError());
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
  Session(std::unique_ptr<orc::LLJIT> jit, orc::JITDylib &emulation,
          std::shared_ptr<LinkReports> reports)
      : jit(std::move(jit)), emulation(emulation), reports(std::move(reports)) {
  }
  /// In a forked child the session may be locked by a thread of the parent, for
  /// ever, so that nothing which that linked is removed: its memory is left to
  /// the end of the process.
  ~Session() {
    if (::getpid() != process) {
      [[maybe_unused]] const orc::LLJIT *left = jit.release();
    }
  }

  std::unique_ptr<orc::LLJIT> jit;
  /// All that a kernel sees beside itself; looked into for objects that refer
  /// to it.
  orc::JITDylib &emulation;
  std::shared_ptr<LinkReports> reports;
  std::atomic<uint64_t> kernels = 0;

private:
  pid_t process = ::getpid();
};

class LoadedKernel : public Kernel {
public:
  LoadedKernel(std::shared_ptr<Session> session, orc::JITDylib &library)
      : session(std::move(session)), library(library) {}
  ~LoadedKernel() override {
    // Removal fails only for a library that is gone already.
    if (::getpid() == process)
      llvm::consumeError(
          session->jit->getExecutionSession().removeJITDylib(library));
  }
  Status link(llvm::MemoryBufferRef object, llvm::StringRef symbol) {
    auto copy = llvm::MemoryBuffer::getMemBufferCopy(
        object.getBuffer(), object.getBufferIdentifier());
    if (llvm::Error error =
            session->jit->addObjectFile(library, std::move(copy)))
      return linkError(std::move(error));
    auto address = session->jit->lookup(library, symbol);
    if (!address) {
      std::string reason = session->reports->take(library.getName());
      if (reason.empty())
        reason = readFailure(object, session->jit->getExecutionSession());
      return linkError(address.takeError(), reason);
    }
    entry = address->toPtr<KernelFunction>();
    return {};
  }

private:
  std::shared_ptr<Session> session;
  orc::JITDylib &library;
  pid_t process = ::getpid(); ///< that linked it
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
    if (Status linked =
            kernel->link(llvm::MemoryBufferRef(bytes, name), symbol);
        !linked)
      return linked.error();
    return std::shared_ptr<const Kernel>(std::move(kernel));
  }

private:
  std::shared_ptr<Session> session;
};

} // namespace

/// Whether the system lets this process do what loading a kernel takes, which
/// else each of a race's candidates would fail for.
static Status checkCodeCanBeMade() {
  const auto page = size_t(sysconf(_SC_PAGESIZE));
  void *memory = mmap(nullptr, page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return {}; // memory is out, which is for others to say
  const bool isMade = mprotect(memory, page, PROT_READ | PROT_EXEC) == 0;
  const int why = errno;
  munmap(memory, page);
  if (isMade || why == ENOMEM)
    return {};
  return Error(ErrorCode::unsupported,
               std::string("the system does not let this process make memory "
                           "executable (") +
                   std::strerror(why) +
                   "), which kernels need: look for systemd's "
                   "MemoryDenyWriteExecute, SELinux's execmem, or seccomp");
}

// Before there are threads, of which a fork may leave the list half made.
[[maybe_unused]] static const size_t emulatedAtLoading =
    emulatedInstructions().size();

Expected<std::shared_ptr<Loader>> Loader::create() {
  if (Status can = checkCodeCanBeMade(); !can)
    return can.error();
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
  auto reports = std::make_shared<LinkReports>();
  (*jit)->getExecutionSession().setErrorReporter(
      [reports](llvm::Error error) { reports->add(std::move(error)); });
  if (auto *linker = llvm::dyn_cast<orc::ObjectLinkingLayer>(
          &(*jit)->getObjLinkingLayer()))
    linker->addPlugin(reports);
  auto emulation = (*jit)->createJITDylib("emulation");
  if (!emulation)
    return linkError(emulation.takeError());
  if (llvm::Error error = emulation->define(orc::absoluteSymbols(
          emulationSymbols((*jit)->getExecutionSession()))))
    return linkError(std::move(error));
  return std::shared_ptr<Loader>(
      std::make_shared<OrcLoader>(std::make_shared<Session>(
          std::move(*jit), *emulation, std::move(reports))));
}

} // namespace lintel
