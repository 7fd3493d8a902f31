// Parts that an executor runs, and whether it ran them all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/FetchLines.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace lintel {

/// What part `tid` of `n` adds to the mark of those that were run: one to their
/// number, in the low bits, and to the rest of the mark a hash of its own (the
/// one of splitmix64). Sums of plain numbers would not do: of 0, 0, 3, 3 they
/// are those of 0, 1, 2, 3.
inline constexpr int kBitsOfCount = 16;
constexpr uint64_t markOfPart(int32_t tid, int32_t n) {
  uint64_t hash =
      (uint64_t(n) << 32 | (uint64_t(tid) + 1)) * 0x9e3779b97f4a7c15;
  hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ hash >> 27) * 0x94d049bb133111eb;
  return (hash << kBitsOfCount) + 1;
}

/// The mark of parts 0 to n - 1 of n.
constexpr uint64_t markOfParts(int32_t n) {
  uint64_t mark = 0;
  for (int32_t tid = 0; tid < n; ++tid)
    mark += markOfPart(tid, n);
  return mark;
}

/// What the parts of one region share. Whoever called has just written it, so
/// each part misses each line of it: 2 us before parts without work were done,
/// one line after the other, with 16 threads of Emerald Rapids. So `part` is
/// here itself, with what it has captured, all its lines are asked for at once,
/// and nobody writes to them unless the executor did something out of the
/// ordinary.
template <class Part> struct alignas(kLineBytes) PartsOfRegion {
  PartsOfRegion(Part part, int32_t threads)
      : part(std::move(part)), threads(threads) {}

  /// Runs part `tid` of `nthreads`, unless that is none of this region.
  void run(int32_t tid, int32_t nthreads) {
    const auto *first = reinterpret_cast<const char *>(this);
    fetchLines(first, reinterpret_cast<const char *>(&finished) - first);
    if (!agrees(nthreads) || tid < 0 || tid >= nthreads) {
      beyond.store(true, std::memory_order_relaxed);
      return;
    }
    part(tid, nthreads);
    finished.fetch_add(markOfPart(tid, nthreads), std::memory_order_relaxed);
  }

  /// Of how many parts the region was.
  int32_t wanted() const {
    const int32_t count = made;
    return count == 0 ? threads : count;
  }

  Part part;
  const int32_t threads;        ///< parts that the executor was asked for
  std::atomic<int32_t> made{0}; ///< those it ran, where it was others; else 0
  std::atomic<bool> beyond{false};
  alignas(kLineBytes) std::atomic<uint64_t> finished{0};

private:
  /// Whether the region may have so many parts, going by those that began
  /// before this one; marks tell of the rest.
  bool agrees(int32_t nthreads) {
    int32_t count = made.load(std::memory_order_relaxed);
    if (count == 0 && nthreads != threads &&
        made.compare_exchange_strong(count, nthreads,
                                     std::memory_order_relaxed))
      count = nthreads;
    return nthreads <= threads && nthreads == (count == 0 ? threads : count);
  }
};

/// Has `executor` run part(tid, nthreads) on up to `threads` threads. Error: it
/// came back without having run each part once, going by their mark, or ran
/// parts of several numbers, or of more than were asked for, which are not run
/// (internal): executors may be an embedder's. One that drops parts, as a pool
/// that shuts down might, would otherwise leave outputs as they were without a
/// word, and one that always runs all of its threads would have kernels write
/// beyond the workspaces that were made for them.
template <class Part>
Status runAllParts(Executor &executor, int32_t threads, Part part) {
  PartsOfRegion<Part> parts(std::move(part), threads);
  executor.run(
      threads,
      [](void *context, int32_t tid, int32_t nthreads) {
        static_cast<PartsOfRegion<Part> *>(context)->run(tid, nthreads);
      },
      &parts);
  const uint64_t finished = parts.finished;
  const auto count = int32_t(finished & ((1 << kBitsOfCount) - 1));
  const int32_t wanted = parts.wanted();
  if (parts.beyond)
    return Error(ErrorCode::internal,
                 "the executor ran parts of " + std::to_string(wanted) +
                     ", or such as are none of them, where up to " +
                     std::to_string(threads) +
                     " were asked for; it must run parts 0 to n - 1 of one n "
                     "from 1 to that number");
  if (finished == markOfParts(wanted))
    return {};
  if (parts.made != 0 && count > 0)
    return Error(ErrorCode::internal,
                 "the executor ran " + std::to_string(count) +
                     " parts of a call, which are not those of " +
                     std::to_string(wanted) +
                     "; it must run parts 0 to n - 1 of one n, each once");
  if (count == wanted && count > 0)
    return Error(ErrorCode::internal,
                 "the executor ran some of the " + std::to_string(wanted) +
                     " parts of a call twice and others not at all; it must "
                     "run each part once");
  const std::string of =
      count > 0 ? std::to_string(count) + " of " + std::to_string(wanted)
                : "none of up to " + std::to_string(threads);
  return Error(ErrorCode::internal,
               "the executor came back after " + of +
                   " parts of a call; it must run each part once");
}

} // namespace lintel
