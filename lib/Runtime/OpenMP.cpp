// Finding the OpenMP runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/OpenMP.h"

#include "Runtime/Fork.h"
#include "Runtime/Log.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lintel {
namespace {

std::string_view fileOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool namesOpenMP(std::string_view path) {
  const std::string_view file = fileOf(path);
  // Wheels carry renamed copies, such as libgomp-a34b3233.so.1.
  for (std::string_view name : {"libgomp", "libomp", "libiomp5"})
    if (file.starts_with(name) && file.size() > name.size() &&
        (file[name.size()] == '.' || file[name.size()] == '-'))
      return true;
  return false;
}

/// What PyTorch computes with. It finds its runtime among its own dependencies,
/// also where another package brought another one before.
bool namesPyTorch(std::string_view path) {
  return fileOf(path).starts_with("libtorch_cpu.so");
}

/// Paths of the loaded libraries that may be an OpenMP runtime or depend on the
/// one to take, best first. Nothing is opened here: the loader holds its lock
/// during the walk.
std::vector<std::string> loadedCandidates() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info *library, size_t, void *data) {
        auto &found = *static_cast<std::vector<std::string> *>(data);
        if (!library->dlpi_name)
          return 0;
        if (namesPyTorch(library->dlpi_name))
          found.insert(found.begin(), library->dlpi_name);
        else if (namesOpenMP(library->dlpi_name))
          found.push_back(library->dlpi_name);
        return 0;
      },
      &paths);
  return paths;
}

template <class Function>
bool resolve(void *library, const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(dlsym(library, name));
  return function != nullptr;
}

/// The runtime in `file`, if that can be opened with `mode` and is one. The
/// handle is kept: the runtime's threads live until the process ends.
std::optional<OpenMPRuntime> openRuntime(const char *file, int mode) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | mode);
  if (!library)
    return std::nullopt;
  OpenMPRuntime runtime;
  if (!resolve(library, "GOMP_parallel", runtime.parallel) ||
      !resolve(library, "omp_get_thread_num", runtime.threadNumber) ||
      !resolve(library, "omp_get_num_threads", runtime.teamSize) ||
      !resolve(library, "omp_in_parallel", runtime.inParallel)) {
    dlclose(library);
    return std::nullopt;
  }
  // The file that the functions come from; `file` may only depend on it.
  Dl_info origin;
  bool known = dladdr(reinterpret_cast<void *>(runtime.parallel), &origin) != 0;
  runtime.path = known && origin.dli_fname ? origin.dli_fname : file;
  return runtime;
}

/// The runtimes that are loaded, best first, each once.
std::vector<OpenMPRuntime> loadedRuntimes() {
  std::vector<OpenMPRuntime> runtimes;
  for (const std::string &path : loadedCandidates()) {
    auto runtime = openRuntime(path.c_str(), RTLD_NOLOAD);
    if (runtime && std::ranges::find(runtimes, runtime->path,
                                     &OpenMPRuntime::path) == runtimes.end())
      runtimes.push_back(std::move(*runtime));
  }
  return runtimes;
}

/// Whether the loader, which says `why` a library cannot be opened, may open it
/// another time. It repeats the system's words, and gives no number.
bool mayPass(std::string_view why) {
  for (int passing : {EMFILE, ENFILE, ENOMEM})
    if (why.find(std::strerror(passing)) != why.npos)
      return true;
  return false;
}

struct Search {
  std::optional<OpenMPRuntime> found;
  std::string failures; ///< why nothing was
};

Search findRuntime() {
  std::vector<OpenMPRuntime> loaded = loadedRuntimes();
  for (size_t other = 1; other < loaded.size(); ++other)
    logMessage(LogLevel::info,
               "two OpenMP runtimes are loaded, whose threads may fight for "
               "CPUs: kernels take {}, not {}",
               loaded.front().path, loaded[other].path);
  if (!loaded.empty())
    return {std::move(loaded.front()), ""};
  Search search;
  for (const char *file : {"libgomp.so.1", "libomp.so.5"}) {
    search.found = openRuntime(file, RTLD_NODELETE);
    if (search.found)
      return search;
    const char *reason = dlerror();
    search.failures += search.failures.empty() ? "" : "; ";
    search.failures += reason ? reason : std::string(file) + " is none";
  }
  return search;
}

/// Null until a runtime was found, or none for good.
std::atomic<const std::optional<OpenMPRuntime> *> decided = nullptr;

/// Looks for the runtime, and decides if it can.
void lookForRuntime() {
  static constinit std::mutex looking;
  static constinit bool logged = false;
  std::scoped_lock lock(looking);
  if (decided.load(std::memory_order_relaxed))
    return;
  Search search = findRuntime();
  if (!search.found && !std::exchange(logged, true))
    logMessage(LogLevel::warn,
               "no OpenMP runtime: kernels run on one thread ({})",
               search.failures);
  // Never destroyed: a call may still run while the process ends.
  if (search.found || !mayPass(search.failures))
    decided.store(new std::optional(std::move(search.found)),
                  std::memory_order_release);
}

} // namespace

const OpenMPRuntime *openMPRuntime() {
  if (!decided.load(std::memory_order_acquire) && !wasForkedBesideThreads())
    lookForRuntime();
  const auto *known = decided.load(std::memory_order_acquire);
  return known && known->has_value() ? &**known : nullptr;
}

int64_t cpusOfBindingOpenMP() {
  if (wasForkedBesideThreads())
    return 0;
  for (const std::string &path : loadedCandidates()) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!library)
      continue;
    int (*binding)() = nullptr, (*cpus)() = nullptr;
    const bool isRuntime = resolve(library, "omp_get_proc_bind", binding) &&
                           resolve(library, "omp_get_num_procs", cpus);
    const int64_t bound = isRuntime && binding() != 0 ? cpus() : 0;
    dlclose(library);
    if (isRuntime)
      return bound;
  }
  return 0;
}

std::string openMPRuntimePath() {
  const OpenMPRuntime *runtime = openMPRuntime();
  return runtime ? runtime->path : "none";
}

} // namespace lintel
