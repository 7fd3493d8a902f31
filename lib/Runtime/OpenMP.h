// The OpenMP runtime of the process, found at run time and never linked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace lintel {

/// The entry points that a parallel region needs. libgomp, libomp and libiomp5
/// all export them.
struct OpenMPRuntime {
  void (*parallel)(void (*region)(void *), void *data, unsigned threads,
                   unsigned flags) = nullptr; ///< GOMP_parallel
  int (*threadNumber)() = nullptr;            ///< omp_get_thread_num
  int (*teamSize)() = nullptr;                ///< omp_get_num_threads
  int (*inParallel)() = nullptr;              ///< omp_in_parallel
  std::string path;                           ///< the library's file
};

/// The runtime that is loaded in the process, of several that which PyTorch
/// uses, else the first; else libgomp.so.1, else libomp.so.5; null, after one
/// log line, if there is none. Decided at the first call, which is that of a
/// parallel region or Engine::host(), so that a host's runtime has the most
/// time to appear: two in one process fight for CPUs. A library that could not
/// be opened for want of descriptors or memory is tried again at the next call.
/// Null, unless it was found before, where wasForkedBesideThreads().
const OpenMPRuntime *openMPRuntime();

/// The CPUs of the runtime that is loaded, where it binds its threads
/// (OMP_PROC_BIND, OMP_PLACES, ...): it has bound the thread that loaded it,
/// whose mask tells of one. 0 where it binds none, where none is loaded, and
/// where wasForkedBesideThreads().
/// Does not choose it for kernels, but libomp initialises itself to answer.
int64_t cpusOfBindingOpenMP();

/// File of openMPRuntime(), or "none".
std::string openMPRuntimePath();

} // namespace lintel
