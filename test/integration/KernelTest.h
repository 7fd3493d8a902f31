// Fixtures for tests that run on every ISA level.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "GuardedCall.h"
#include "Layers.h"
#include "Machine.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <tuple>

namespace lintel::integration {

/// Compiles, runs and judges kernels of one level.
class KernelChecks {
protected:
  /// Runs and compares with the oracle. False, and a failure that says how to
  /// reproduce it, if something is wrong.
  bool right(GuardedCall &call, const Schedule &schedule,
             const Team &team = {});
  /// The same as an engine calls it.
  bool right(GuardedCall &call, const Schedule &schedule, Executor &executor,
             int32_t threads);
  /// The kernel of the call's problem; null, and a failure, if there is none.
  std::shared_ptr<const Kernel> kernelOf(const GuardedCall &call,
                                         const Schedule &schedule);
  Problem problem(std::optional<int64_t> m, int64_t n, int64_t k) const {
    return layer(m, n, k, epilogue);
  }

  Target target;
  Epilogue epilogue;
  size_t turn = 0; ///< differs between levels and between epilogues

private:
  template <class Run>
  bool judge(GuardedCall &call, const Schedule &schedule,
             const std::string &how, Run run);
};

/// A test for each ISA level.
class LevelTest : public testing::TestWithParam<IsaLevel>,
                  protected KernelChecks {
protected:
  void SetUp() override;
};

/// A test for each ISA level and epilogue.
class KernelTest
    : public testing::TestWithParam<std::tuple<IsaLevel, const char *>>,
      protected KernelChecks {
protected:
  void SetUp() override;
};

std::string levelName(const testing::TestParamInfo<IsaLevel> &info);
std::string
kernelName(const testing::TestParamInfo<KernelTest::ParamType> &info);

} // namespace lintel::integration

/// A LevelTest suite on all levels.
#define LINTEL_ON_ALL_LEVELS(suite)                                            \
  INSTANTIATE_TEST_SUITE_P(Isa, suite,                                         \
                           testing::ValuesIn(lintel::integration::kIsaLevels), \
                           lintel::integration::levelName)

/// A KernelTest suite on all levels, with all epilogues.
#define LINTEL_ON_ALL_KERNELS(suite)                                           \
  INSTANTIATE_TEST_SUITE_P(                                                    \
      Isa, suite,                                                              \
      testing::Combine(testing::ValuesIn(lintel::integration::kIsaLevels),     \
                       testing::ValuesIn(lintel::integration::kEpilogues)),    \
      lintel::integration::kernelName)
