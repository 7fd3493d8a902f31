// What the benchmark programs share: batches of calls, how they end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/Clock.h"
#include "lintel/Error.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace lintel::bench {

/// Seconds that `count` calls of `work` take.
template <class Work> double timeBatch(int64_t count, Work &&work) {
  const Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < count; ++i)
    work();
  return millisecondsSince(start) / 1000;
}

/// How many calls of `work` take at least `seconds`. The fastest of three tries
/// counts, so that an interruption is not taken for work.
template <class Work> int64_t batchFor(double seconds, Work &&work) {
  constexpr int64_t kMost = int64_t(1) << 40;
  for (int64_t count = 1; count < kMost; count *= 2)
    if (std::min({timeBatch(count, work), timeBatch(count, work),
                  timeBatch(count, work)}) >= seconds)
      return count;
  return kMost;
}

/// Says what went wrong; the exit status of a program that cannot go on.
inline int fail(const Error &error) {
  std::fprintf(stderr, "error: %s\n", error.message().c_str());
  return 1;
}

/// With what a program ends that would end with `code`: its table may not have
/// been written, as on a full disk.
inline int finishOutput(int code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return code;
  std::fputs("error: cannot write to standard output\n", stderr);
  return 1;
}

} // namespace lintel::bench
