// Fixtures for tests that run on every ISA level.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "GuardedCall.h"
#include "Layers.h"
#include "Machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

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
  /// Runs these codes in blockings that the space would not propose, as three
  /// parts, on rows that begin one element behind a line; until one is wrong.
  void checkInAwkwardBlockings(const std::vector<Schedule> &codes,
                               const Problem &problem, int64_t rows);
  /// Fails fatally unless the first result holds the oracle's values to the
  /// last bit, or any NaN for NaN.
  static void expectBits(const GuardedCall &call);
  /// The kernel of the call's problem; null, and a failure, if there is none.
  std::shared_ptr<const Kernel> kernelOf(const GuardedCall &call,
                                         const Schedule &schedule);
  Problem problem(std::optional<int64_t> m, int64_t n, int64_t k) const {
    return layer(m, n, k, epilogue, types);
  }

  /// The level with these extensions and no others; AMX is emulated where the
  /// CPU lacks what is asked for. False if this machine cannot run it.
  bool chooseLevel(IsaLevel isa, const std::set<Extension> &extensions = {});

  /// In how many ways cases like this one share things out: two, unless it is
  /// alone and takes all.
  size_t shares() const { return std::min<size_t>(sharers, 2); }
  /// Whether this case takes the thing of that number.
  bool takes(size_t number) const {
    return number % shares() == part % shares();
  }

  /// What tiles with vectors along N add products to first, where the layer's
  /// types leave that to the target: pairs of products of bytes to s16.
  Accumulate accumulate() const {
    return types.accumulate == DType::s16 && target.sumsPairsInWords()
               ? Accumulate::s16
               : Accumulate::f32;
  }

  Target target;
  Epilogue epilogue;
  DataTypes types;
  size_t turn = 0; ///< differs between levels and between epilogues
  size_t part = 0, sharers = 1; ///< of a KernelCase

private:
  template <class Run>
  bool judge(GuardedCall &call, const Schedule &schedule,
             const std::string &how, Run run);
};

/// What a test's instance is for; printed as the end of its name.
struct LevelCase {
  IsaLevel isa;
};
struct KernelCase {
  /// What cases that share out what is compiled may differ in.
  struct Layer {
    std::string epilogue, types;
  };

  IsaLevel isa;
  std::string epilogue;
  std::string types = "f32";
  std::set<Extension> extensions = {};
  /// Of cases of one level, instructions and types of x and w, which share out
  /// what is compiled: which of them this is, and the layers of all; none of
  /// one that is alone.
  size_t part = 0;
  std::vector<Layer> alike = {};
};
void PrintTo(const LevelCase &instance, std::ostream *out);
void PrintTo(const KernelCase &instance, std::ostream *out);

/// Every level, and every level with every epilogue.
std::vector<LevelCase> allLevels();
std::vector<KernelCase> allKernels();
/// Every level, with and without products of bf16 pairs, with 16-bit types.
std::vector<KernelCase> narrowKernels();
/// Of these one of bf16 and one of f16 for each level, for suites that take
/// long.
std::vector<KernelCase> someNarrowKernels();
/// Sums of f16, where the CPU has AVX512-FP16.
std::vector<KernelCase> halfSumKernels();
/// Tile registers, with the types that they multiply.
std::vector<KernelCase> amxKernels();

/// Every level, with and without products of four integers, of AVX512-VNNI and
/// of AVX-VNNI, with types of int8
/// and scales and zero points of every kind.
std::vector<KernelCase> integerKernels();

/// A test for each ISA level; skipped where the machine cannot run it.
class LevelTest : public testing::TestWithParam<LevelCase>,
                  protected KernelChecks {
protected:
  void SetUp() override;
};

/// A test for each ISA level and epilogue.
class KernelTest : public testing::TestWithParam<KernelCase>,
                   protected KernelChecks {
protected:
  void SetUp() override;
};

} // namespace lintel::integration

/// Instances of a LevelTest or KernelTest suite; `cases`: allLevels() or
/// allKernels().
#define LINTEL_ON(cases, suite)                                                \
  INSTANTIATE_TEST_SUITE_P(Isa, suite, testing::ValuesIn(cases),               \
                           testing::PrintToStringParamName())
/// Instances of a KernelTest suite beside those of LINTEL_ON.
#define LINTEL_ON_INTEGERS(suite)                                              \
  INSTANTIATE_TEST_SUITE_P(Integers, suite,                                    \
                           testing::ValuesIn(integerKernels()),                \
                           testing::PrintToStringParamName())
#define LINTEL_ON_NARROW_TYPES(suite)                                          \
  INSTANTIATE_TEST_SUITE_P(Narrow, suite, testing::ValuesIn(narrowKernels()),  \
                           testing::PrintToStringParamName())
#define LINTEL_ON_SOME_NARROW_TYPES(suite)                                     \
  INSTANTIATE_TEST_SUITE_P(Narrow, suite,                                      \
                           testing::ValuesIn(someNarrowKernels()),             \
                           testing::PrintToStringParamName())
#define LINTEL_ON_HALF_SUMS(suite)                                             \
  INSTANTIATE_TEST_SUITE_P(HalfSums, suite,                                    \
                           testing::ValuesIn(halfSumKernels()),                \
                           testing::PrintToStringParamName())
#define LINTEL_ON_TILE_REGISTERS(suite)                                        \
  INSTANTIATE_TEST_SUITE_P(Amx, suite, testing::ValuesIn(amxKernels()),        \
                           testing::PrintToStringParamName())
