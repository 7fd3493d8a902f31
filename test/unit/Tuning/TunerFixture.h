// Tuners with the real compiler on this machine, and ways to deceive them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "unit/Tuning/NaiveKernel.h"
#include "unit/Tuning/ThisMachine.h"

#include "Tuning/Tuner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <span>
#include <string_view>

namespace lintel {

inline void doesNothing(const KernelArgs *, int32_t, int32_t) {}

/// Writes nothing.
class UselessKernel : public Kernel {
public:
  UselessKernel() { entry = doesNothing; }
};

/// Loads what it is given, but replaces the first `broken` kernels.
class SabotagingLoader : public Loader {
public:
  SabotagingLoader(std::shared_ptr<Loader> real, int broken)
      : real(std::move(real)), broken(broken) {}
  Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) override {
    if (broken-- > 0)
      return std::shared_ptr<const Kernel>(std::make_shared<UselessKernel>());
    return real->load(object, symbol);
  }

private:
  std::shared_ptr<Loader> real;
  std::atomic<int> broken;
};

/// Tuners for this machine.
class TunerTest : public testing::Test {
protected:
  static std::unique_ptr<Tuner> tunerWith(std::shared_ptr<Loader> loader,
                                          const Target &target = hostTarget()) {
    return std::move(
        Tuner::create(target, std::move(loader), openMPExecutor()).value());
  }
  /// This machine with a last-level cache of so many MiB.
  static Target hostWithCacheOf(int64_t mebibytes) {
    Target target = hostTarget();
    target.l3 = mebibytes << 20;
    return target;
  }
  static std::unique_ptr<Tuner> realTuner() {
    return tunerWith(Loader::create().value());
  }
  static TuningOptions quick(int threads = 2) {
    TuningOptions options;
    options.threads = threads;
    options.budgetMilliseconds = 100;
    options.maxCandidates = 8;
    options.maxObjects = 3;
    options.maxNeighbours = 0;
    return options;
  }
  static TuningResult tune(std::string_view problem,
                           const TuningOptions &options) {
    Expected<TuningResult> result =
        realTuner()->tune(problemOf(problem), options);
    EXPECT_TRUE(result) << result.error().message();
    return std::move(*result);
  }
};

} // namespace lintel
