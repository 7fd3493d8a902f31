// What the verifier finds between the elements that the oracle has seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/VerifierFixture.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <limits>
#include <vector>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;

namespace {

/// A row in which the sample has not seen a column; the end if it has in all.
int64_t rowNotSeenAt(const OracleSample &sample, int64_t column, int64_t rows) {
  std::vector<bool> seen(static_cast<size_t>(rows), false);
  for (const SampledSegment &segment : sample.segments())
    if (segment.first.column <= column &&
        segment.first.column + segment.columns > column)
      seen[static_cast<size_t>(segment.first.row)] = true;
  return std::find(seen.begin(), seen.end(), false) - seen.begin();
}

/// A problem too large for the oracle to see every element of.
class LargeVerifierTest : public VerifierTest {
protected:
  void SetUp() override {
    prepare("3000x64:64x3000", 3000);
    OracleSample sample = OracleSample::evaluate(
        *Oracle::create(*problem).value(), verifier->data(), *problem, 3000, 2);
    ASSERT_FALSE(sample.complete());
    unseenRow = rowNotSeenAt(sample, 1234, 3000);
    ASSERT_LT(unseenRow, 3000);
    // Computed once; a naive product of this size takes a while.
    product.resize(3000 * 3000);
    const KernelTensor tensor{product.data(), 3000};
    computeLinear(verifier->data().inputs(), *problem, 3000, &tensor);
  }
  Verifier::Run copied(float offset = 0) {
    return [this, offset](int64_t rows, const KernelTensor *outputs) {
      auto *out = static_cast<float *>(outputs[0].data);
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < 3000; ++column)
          out[row * outputs[0].stride + column] = product[row * 3000 + column];
      out[unseenRow * outputs[0].stride + 1234] += offset;
      return Status();
    };
  }

  int64_t unseenRow = 0;
  std::vector<float> product;
};

TEST_F(LargeVerifierTest, FindsAWrongElementThatTheOracleDidNotSample) {
  ASSERT_TRUE(verifier->verify(copied()).right());
  const Verdict verdict = verifier->verify(copied(0.25f));
  EXPECT_THAT(verdict.fault,
              AllOf(HasSubstr("row " + std::to_string(unseenRow)),
                    HasSubstr("column 1234")));
  EXPECT_FALSE(verdict.refutesReference);
}

/// With nothing to compare it with, either.
TEST_F(LargeVerifierTest, FindsWhatWasNotWrittenBetweenTheSamples) {
  const Verdict verdict =
      verifier->verify([&](int64_t rows, const KernelTensor *outputs) {
        auto *left = static_cast<float *>(outputs[0].data) +
                     unseenRow * outputs[0].stride + 1234;
        const float poison = *left;
        Status ran = copied()(rows, outputs);
        *left = poison;
        return ran;
      });
  EXPECT_EQ(verdict.fault, "output 0, row " + std::to_string(unseenRow) +
                               ", column 1234 was not written");
}

TEST_F(LargeVerifierTest, NoticesThatTheFirstAcceptedRunWasWrong) {
  ASSERT_TRUE(verifier->verify(copied(0.25f)).right());
  const Verdict verdict = verifier->verify(copied());
  EXPECT_TRUE(verdict.right()) << verdict.fault;
  EXPECT_TRUE(verdict.refutesReference);
  verifier->forgetReference();
  EXPECT_FALSE(verifier->verify(copied()).refutesReference);
  EXPECT_FALSE(verifier->verify(copied(0.25f)).right());
}

TEST_F(LargeVerifierTest, FindsANaNBetweenTheSamples) {
  ASSERT_TRUE(verifier->verify(copied()).right());
  const float noNumber = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(verifier->verify(copied(noNumber)).fault,
              HasSubstr("column 1234 is nan"));
}

/// Of rounded sums the sample knows the bounds.
TEST_F(LargeVerifierTest, FindsAFewBoundsTooMuchBetweenTheSamples) {
  prepare("3000x64:64x3000", 3000, Fill::gaussian);
  const KernelTensor tensor{product.data(), 3000};
  computeLinear(verifier->data().inputs(), *problem, 3000, &tensor);
  const OracleSample sample = OracleSample::evaluate(
      *Oracle::create(*problem).value(), verifier->data(), *problem, 3000, 2);
  ASSERT_TRUE(verifier->verify(copied()).right());
  const auto offset = static_cast<float>(10 * sample.largestBound());
  EXPECT_THAT(verifier->verify(copied(offset)).fault, HasSubstr("column 1234"));
}

// No integer says of itself that nobody wrote it.
TEST(IntegerVerifierTest, FindsWhatWasNotWrittenBetweenTheSamples) {
  constexpr int64_t kRows = 3000, kColumns = 3000, kColumn = 1234;
  const Problem problem =
      *Problem::parse("3000x8:8x3000", *DataTypes::parse("u8s8:u8"));
  const std::unique_ptr<Verifier> verifier =
      Verifier::create(problem, {kRows, Fill::exact, 2}).value();
  const std::unique_ptr<Oracle> oracle = Oracle::create(problem).value();
  const OracleSample sample =
      OracleSample::evaluate(*oracle, verifier->data(), problem, kRows, 2);
  ASSERT_FALSE(sample.complete());
  const int64_t unseenRow = rowNotSeenAt(sample, kColumn, kRows);
  ASSERT_LT(unseenRow, kRows);
  std::vector<ReferenceElement> row;
  std::vector<uint8_t> right;
  for (int64_t i = 0; i < kRows; ++i) {
    oracle->evaluateRow(verifier->data().inputs(), i, true, row);
    for (const ReferenceElement &element : row)
      right.push_back(uint8_t(element.value));
  }
  // `spoil` gets what lies between the samples, after the run so many.
  const auto verify =
      [&](void (*spoil)(uint8_t &unseen, uint8_t before, int run)) {
        int run = 0;
        return verifier->verify([&](int64_t rows, const KernelTensor *outputs) {
          auto *out = static_cast<uint8_t *>(outputs[0].data);
          uint8_t &unseen = out[unseenRow * outputs[0].stride + kColumn];
          const uint8_t before = unseen;
          for (int64_t i = 0; i < rows * kColumns; ++i)
            out[i / kColumns * outputs[0].stride + i % kColumns] =
                right[static_cast<size_t>(i)];
          spoil(unseen, before, run++);
          return Status();
        });
      };
  EXPECT_THAT(verify([](uint8_t &unseen, uint8_t before, int) {
                unseen = before;
              }).fault,
              AllOf(HasSubstr("row " + std::to_string(unseenRow)),
                    HasSubstr("column 1234")));
  // As where threads meet, once.
  EXPECT_THAT(verify([](uint8_t &unseen, uint8_t, int run) {
                if (run == 0)
                  unseen ^= 1;
              }).fault,
              HasSubstr("a second run is right"));
  const Verdict whole = verify([](uint8_t &, uint8_t, int) {});
  EXPECT_TRUE(whole.right()) << whole.fault;
  EXPECT_FALSE(whole.refutesReference);
}

/// The first run that was right had the last columns alone.
TEST(IntegerVerifierTest, FindsWhatNoRunHasWritten) {
  const Problem problem =
      *Problem::parse("9x5:5x7", *DataTypes::parse("u8s8:u8"));
  const std::unique_ptr<Verifier> verifier =
      Verifier::create(problem, {9, Fill::exact, 1}).value();
  const std::unique_ptr<Oracle> oracle = Oracle::create(problem).value();
  std::vector<ReferenceElement> row;
  const auto lastColumns = [&](int64_t rows, const KernelTensor *outputs) {
    for (int64_t i = 0; i < rows; ++i) {
      oracle->evaluateRow(verifier->data().inputs(), i, true, row);
      for (int64_t column = 3; column < 7; ++column)
        static_cast<uint8_t *>(
            outputs[0].data)[i * outputs[0].stride + column] =
            uint8_t(row[size_t(column)].value);
    }
    return Status();
  };
  for (int times = 0; times < 2; ++times)
    EXPECT_TRUE(verifier->verify(lastColumns, 3).right());
  for (int times = 0; times < 2; ++times)
    EXPECT_FALSE(verifier->verify(lastColumns, 0).right());
}

} // namespace
