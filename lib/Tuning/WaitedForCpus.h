// Telling slow kernels from CPUs that others use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>

namespace lintel {

/// Whether a call of `microseconds` seems to have waited for its CPUs, going by
/// what the estimate expects of it. Threads that wait for one that sleeps show
/// it in no other way: each call then takes some 8 ms, without scattering. On
/// idle CPUs (Zen 5, core list) calls took 0.4 to 3.7 times the estimate, on
/// such where two builds ran 50 to 2400 times.
inline bool waitedForCpus(double microseconds, double predicted,
                          double tooManyTimes = 10) {
  // What the estimate does not know of short calls counts for more.
  constexpr double kShortest = 50;
  return predicted > 0 && microseconds >= kShortest &&
         microseconds > tooManyTimes * predicted;
}

/// Whether it may have waited, so that other numbers of threads should tell.
inline bool mayHaveWaitedForCpus(double microseconds, double predicted) {
  return waitedForCpus(microseconds, predicted, /*tooManyTimes=*/3);
}

/// What to do where threads wait for each other's CPUs.
inline constexpr std::string_view kHowThreadsSleep =
    "OMP_WAIT_POLICY=passive lets those of OpenMP sleep between calls";

/// The same as a reason to doubt a time.
inline std::string timesTheEstimate(double microseconds, double predicted) {
  return fmt::format("a call took {:.0f} times what was estimated, as where "
                     "threads wait for CPUs ({})",
                     microseconds / predicted, kHowThreadsSleep);
}

/// Whether threads that together had no CPU for so long, as the system tells,
/// lacked one for a tenth of the time that calls took: nearly every call may
/// have waited, which then neither scatters nor takes many times what was
/// estimated. Beside two busy loops on two cores 8.0 ms instead of 1.4, with a
/// scatter of 0.4 %.
inline bool lackedCpus(double waitedSeconds, double seconds, int64_t threads) {
  constexpr double kNoticed = 0.1;
  return waitedSeconds > kNoticed * seconds * static_cast<double>(threads);
}

/// The same as a reason to doubt a time.
inline std::string lackedCpusText(double waitedSeconds, double seconds,
                                  int64_t threads) {
  if (threads == 1)
    return fmt::format("the thread had no CPU for {:.2f} s of {:.2f} s",
                       waitedSeconds, seconds);
  return fmt::format("{} threads had no CPU for {:.2f} s of {:.2f} s each ({})",
                     threads, waitedSeconds / static_cast<double>(threads),
                     seconds, kHowThreadsSleep);
}

/// The same of threads that lost to one, which may be a little slower.
inline std::string timesTheEstimate(double microseconds, double predicted,
                                    int64_t threads) {
  return fmt::format("{}, and one thread was as fast as {}",
                     timesTheEstimate(microseconds, predicted), threads);
}

} // namespace lintel
