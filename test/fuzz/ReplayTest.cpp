// Every harness on its own inputs and on some thousand damaged ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libFuzzer does for hours, in seconds and without it: the same mutations
// in every run.
#include "Runtime/Log.h"
#include "fuzz/Harness.h"
#include "fuzz/Mutator.h"
#include "fuzz/Properties.h"
#include "integration/CrashReport.h"

#include <gtest/gtest.h>

#include <string>

namespace lintel::fuzz {
namespace {

constexpr size_t kMostBytes = 1 << 16;

/// As a string literal of C, to make a regression of.
std::string literal(Input input) {
  constexpr size_t kMostShown = 4096;
  constexpr char digits[] = "01234567";
  std::string text = std::to_string(input.size()) + " bytes, \"";
  for (char c : textOf(input.first(std::min(input.size(), kMostShown)))) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      text += std::string("\\") + c;
    else if (c == '\n')
      text += "\\n";
    else if (byte >= ' ' && byte < 0x7f)
      text += c;
    else
      text +=
          {'\\', digits[byte >> 6], digits[byte >> 3 & 7], digits[byte & 7]};
  }
  return text + (input.size() > kMostShown ? "\"..." : "\"");
}

/// Runs the harness; what dies of the input says so.
testing::AssertionResult holds(const Harness &harness, Input input) {
  const integration::CrashReport report(std::string(harness.name) + ": " +
                                        literal(input));
  try {
    harness.run(input);
  } catch (const BrokenProperty &broken) {
    return testing::AssertionFailure()
           << broken.what() << "\nof " << literal(input);
  }
  return testing::AssertionSuccess();
}

/// By name in what ctest lists, which is to be the same in every build.
void PrintTo(const Harness *harness, std::ostream *out) {
  *out << harness->name;
}

class Replay : public testing::TestWithParam<const Harness *> {
protected:
  /// What is refused may be worth a warning; there are thousands here.
  void SetUp() override { setLogLevel(LogLevel::off); }
  void TearDown() override { setLogLevel(LogLevel::warn); }
};

TEST_P(Replay, TakesWhatIsRight) {
  for (const Bytes &input : GetParam()->taken()) {
    (void)countTaken();
    EXPECT_TRUE(holds(*GetParam(), input));
    EXPECT_GT(countTaken(), 0) << literal(input);
  }
}

TEST_P(Replay, RefusesWhatIsWrong) {
  for (const Bytes &input : GetParam()->refused()) {
    (void)countTaken();
    EXPECT_TRUE(holds(*GetParam(), input));
    EXPECT_EQ(countTaken(), 0) << literal(input);
  }
}

TEST_P(Replay, LivesThroughMutations) {
  const Harness &harness = *GetParam();
  const std::vector<Bytes> seeds = harness.taken();
  ASSERT_FALSE(seeds.empty());
  Sequence sequence(1);
  int taken = 0;
  (void)countTaken();
  for (int i = 0; i < harness.mutations; ++i) {
    const Bytes input = mutated(seeds[sequence.below(seeds.size())], seeds,
                                harness.dictionary, sequence, kMostBytes);
    ASSERT_TRUE(holds(harness, input)) << "mutation " << i;
    taken += countTaken() > 0;
  }
  // A reader that takes hardly any is not tested behind its first check.
  EXPECT_GT(taken, harness.mutations / 100);
  EXPECT_LT(taken, harness.mutations);
  RecordProperty("taken", taken);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(allHarnesses()),
                         [](const auto &harness) {
                           return std::string(harness.param->name);
                         });

TEST(Mutator, RepeatsItself) {
  const std::vector<Bytes> seeds = {bytesOf("128x768:768x3072 bias+relu")};
  Sequence first(7), second(7), third(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto next = [&](Sequence &sequence) {
      return mutated(seeds[0], seeds, {"gelu_erf"}, sequence, 64);
    };
    const Bytes input = next(first);
    EXPECT_LE(input.size(), 64u);
    EXPECT_EQ(input, next(second));
    differs |= input != next(third);
  }
  EXPECT_TRUE(differs);
}

} // namespace
} // namespace lintel::fuzz
