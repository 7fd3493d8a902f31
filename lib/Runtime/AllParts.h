// Parts that an executor runs, and whether it ran them all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace lintel {

/// Has `executor` run part(tid, nthreads) on up to `threads` threads. Error: it
/// came back without having run each of them once, so that something is left
/// undone (internal): executors may be an embedder's, and one that drops parts,
/// as a pool that shuts down might, would otherwise leave outputs as they were
/// without a word.
template <class Part>
Status runAllParts(Executor &executor, int32_t threads, Part part) {
  struct Parts {
    Part &part;
    std::atomic<int32_t> finished{0}, wanted{0};
  } parts{part};
  executor.run(
      threads,
      [](void *context, int32_t tid, int32_t nthreads) {
        Parts &parts = *static_cast<Parts *>(context);
        parts.part(tid, nthreads);
        parts.wanted.store(nthreads, std::memory_order_relaxed);
        parts.finished.fetch_add(1, std::memory_order_relaxed);
      },
      &parts);
  const int32_t finished = parts.finished, wanted = parts.wanted;
  if (finished > 0 && finished == wanted)
    return {};
  const std::string of =
      finished > 0 ? std::to_string(finished) + " of " + std::to_string(wanted)
                   : "none of up to " + std::to_string(threads);
  return Error(ErrorCode::internal,
               "the executor came back after " + of +
                   " parts of a call; it must run each part once");
}

} // namespace lintel
