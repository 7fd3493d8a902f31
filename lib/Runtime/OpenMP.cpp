// Finding the OpenMP runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/OpenMP.h"

#include "Runtime/Log.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <fstream>
#include <link.h>
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

std::optional<OpenMPRuntime> findRuntime() {
  const std::vector<OpenMPRuntime> loaded = loadedRuntimes();
  for (size_t other = 1; other < loaded.size(); ++other)
    logMessage(LogLevel::info,
               "two OpenMP runtimes are loaded, whose threads may fight for "
               "CPUs: kernels take {}, not {}",
               loaded.front().path, loaded[other].path);
  if (!loaded.empty())
    return loaded.front();
  for (const char *file : {"libgomp.so.1", "libomp.so.5"})
    if (auto runtime = openRuntime(file, RTLD_NODELETE))
      return runtime;
  logMessage(LogLevel::warn,
             "no OpenMP runtime (libgomp.so.1 or libomp.so.5): kernels run "
             "on one thread");
  return std::nullopt;
}

/// Null until the runtime has been looked for.
std::atomic<const std::optional<OpenMPRuntime> *> foundRuntime = nullptr;
/// Threads that are about to look for it, or wait for one that does.
std::atomic<int> resolving = 0;
std::atomic<bool> lostToFork = false;

} // namespace

const OpenMPRuntime *openMPRuntime() {
  if (const auto *known = foundRuntime.load(std::memory_order_acquire))
    return known->has_value() ? &**known : nullptr;
  if (lostToFork.load(std::memory_order_relaxed))
    return nullptr;
  ++resolving;
  // Never destroyed: a call may still run while the process ends.
  static const auto *found = new std::optional<OpenMPRuntime>(findRuntime());
  foundRuntime.store(found, std::memory_order_release);
  --resolving;
  return found->has_value() ? &**found : nullptr;
}

bool openMPIsLostToFork() {
  if (!foundRuntime.load(std::memory_order_relaxed) && resolving > 0)
    lostToFork.store(true, std::memory_order_relaxed);
  return lostToFork.load(std::memory_order_relaxed);
}

bool openMPIsMapped() {
  std::ifstream map("/proc/self/maps");
  for (std::string line; std::getline(map, line);)
    if (namesOpenMP(line))
      return true;
  return false;
}

int64_t cpusOfBindingOpenMP() {
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
