// Finding the OpenMP runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/OpenMP.h"

#include "Runtime/Log.h"

#include <atomic>
#include <dlfcn.h>
#include <link.h>
#include <optional>
#include <string_view>
#include <vector>

namespace lintel {
namespace {

bool namesOpenMP(std::string_view path) {
  std::string_view file = path.substr(path.rfind('/') + 1);
  // Wheels carry renamed copies, such as libgomp-a34b3233.so.1.
  for (std::string_view name : {"libgomp", "libomp", "libiomp5"})
    if (file.find(name) != file.npos)
      return true;
  return false;
}

/// Paths of the loaded libraries that may be an OpenMP runtime. Nothing is
/// opened here: the loader holds its lock during the walk.
std::vector<std::string> loadedCandidates() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info *library, size_t, void *data) {
        if (library->dlpi_name && namesOpenMP(library->dlpi_name))
          static_cast<std::vector<std::string> *>(data)->push_back(
              library->dlpi_name);
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

std::optional<OpenMPRuntime> findRuntime() {
  for (const std::string &path : loadedCandidates())
    if (auto runtime = openRuntime(path.c_str(), RTLD_NOLOAD))
      return runtime;
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

std::string openMPRuntimePath() {
  const OpenMPRuntime *runtime = openMPRuntime();
  return runtime ? runtime->path : "none";
}

} // namespace lintel
