// What the verifier accepts and what it finds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"

#include "TileEmulation/TileEmulation.h"
#include "Tuning/Verifier.h"
#include "support/DecimalComma.h"

#include <gmock/gmock.h>
#include <limits>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// A verifier and a right kernel for it, which `sabotage` spoils afterwards.
class VerifierTest : public testing::Test {
protected:
  using Sabotage = std::function<void(float *out, int64_t stride)>;

  void prepare(std::string_view text, int64_t rows, Fill fill = Fill::exact) {
    problem = problemOf(text);
    Expected<std::unique_ptr<Verifier>> made =
        Verifier::create(*problem, {rows, fill, 2});
    ASSERT_TRUE(made) << made.error().message();
    verifier = std::move(*made);
  }
  Verifier::Run kernel(Sabotage sabotage = nullptr) {
    return [this, sabotage](int64_t rows, const KernelTensor *outputs) {
      computeLinear(verifier->data().inputs(), *problem, rows, outputs);
      if (sabotage)
        sabotage(static_cast<float *>(outputs[0].data), outputs[0].stride);
      return Status();
    };
  }
  std::string fault(Sabotage sabotage) {
    return verifier->verify(kernel(std::move(sabotage))).fault;
  }

  std::optional<Problem> problem;
  std::unique_ptr<Verifier> verifier;
};

TEST_F(VerifierTest, AcceptsARightKernel) {
  for (Fill fill : {Fill::exact, Fill::gaussian}) {
    prepare("37x50:50x41", 37, fill);
    const Verdict verdict = verifier->verify(kernel());
    EXPECT_TRUE(verdict.right()) << verdict.fault;
    EXPECT_LE(verdict.maxError, 1);
    EXPECT_FALSE(verdict.refutesReference);
  }
}

/// As a kernel does whose tile registers are not configured for what it does.
void zeroATileThatIsNone() {
  for (const EmulatedInstruction &instruction : emulatedInstructions())
    if (instruction.symbol == "lintel_tmm_zero")
      reinterpret_cast<void (*)(int32_t)>(instruction.address)(8);
}

TEST_F(VerifierTest, FindsAnEmulatedInstructionThatWouldTrap) {
  prepare("5x8:8x7", 5);
  EXPECT_THAT(fault([](float *, int64_t) { zeroATileThatIsNone(); }),
              HasSubstr("it would trap (emulated, 1 times)"));
  EXPECT_TRUE(verifier->verify(kernel()).right());
}

TEST_F(VerifierTest, AcceptsWithoutK) {
  prepare("5x0:0x7", 5);
  EXPECT_TRUE(verifier->verify(kernel()).right());
}

TEST_F(VerifierTest, FindsOneWrongElement) {
  prepare("37x50:50x41", 37);
  EXPECT_THAT(fault([](float *out, int64_t stride) {
                out[36 * stride + 40] += 0.001f;
              }),
              AllOf(HasSubstr("row 36"), HasSubstr("column 40")));
  const Verdict verdict = verifier->verify(
      kernel([](float *out, int64_t stride) { out[3 * stride + 2] += 1; }));
  EXPECT_GT(verdict.maxError, 1);
}

TEST_F(VerifierTest, WritesNumbersWithAPointInEveryLocale) {
  prepare("9x5:5x7", 9);
  const auto half = [](float *out, int64_t) { out[0] = 1234.5; };
  const std::string expected = fault(half);
  EXPECT_THAT(expected,
              StartsWith("output 0, row 0, column 0 is 1234.5; right is "));
  const DecimalComma locale;
  EXPECT_EQ(fault(half), expected);
  if (!locale.isInstalled())
    GTEST_SKIP() << "no locale with a decimal comma is installed";
}

TEST_F(VerifierTest, FindsWhatWasNotWritten) {
  prepare("9x5:5x7", 9);
  const Verdict verdict =
      verifier->verify([](int64_t, const KernelTensor *) { return Status(); });
  EXPECT_THAT(verdict.fault, HasSubstr("row 0, column 0 was not written"));
  EXPECT_EQ(verdict.maxError, std::numeric_limits<double>::infinity());
}

TEST_F(VerifierTest, PoisonsAnewBeforeEachRun) {
  prepare("9x5:5x7", 9);
  ASSERT_TRUE(verifier->verify(kernel()).right());
  EXPECT_FALSE(
      verifier->verify([](int64_t, const KernelTensor *) { return Status(); })
          .right());
}

TEST_F(VerifierTest, FindsOneWrongElementAfterARightRun) {
  prepare("37x50:50x41", 37);
  ASSERT_TRUE(verifier->verify(kernel()).right());
  EXPECT_THAT(fault([](float *out, int64_t stride) {
                out[36 * stride + 40] += 0.001f;
              }),
              AllOf(HasSubstr("row 36"), HasSubstr("column 40")));
  EXPECT_TRUE(verifier->verify(kernel()).right());
}

TEST_F(VerifierTest, GivesEqualRunsTheSameError) {
  prepare("37x50:50x41", 37, Fill::gaussian);
  const double first = verifier->verify(kernel()).maxError;
  EXPECT_GT(first, 0);
  EXPECT_EQ(verifier->verify(kernel()).maxError, first);
}

TEST_F(VerifierTest, FindsStrayWrites) {
  prepare("9x5:5x7", 9);
  EXPECT_THAT(fault([](float *out, int64_t) { out[-1] = 0; }),
              HasSubstr("before the first row"));
  EXPECT_THAT(
      fault([](float *out, int64_t stride) { out[4 * stride + 7] = 0; }),
      AllOf(HasSubstr("row 4"), HasSubstr("column 7")));
  EXPECT_THAT(fault([](float *out, int64_t stride) { out[9 * stride] = 0; }),
              HasSubstr("after the last row"));
}

TEST_F(VerifierTest, ReportsARunThatFails) {
  prepare("9x5:5x7", 9);
  const Verdict verdict =
      verifier->verify([](int64_t, const KernelTensor *) -> Status {
        return Error(ErrorCode::io, "no workspace");
      });
  EXPECT_FALSE(verdict.ran);
  EXPECT_EQ(verdict.fault, "no workspace");
}

TEST_F(VerifierTest, JudgesTheFirstRowsAlone) {
  prepare("9x5:5x7", 9);
  for (int64_t rows = 1; rows <= 9; ++rows)
    EXPECT_TRUE(verifier->verifyFirstRows(rows, kernel()).right());
  const Verdict tooMany =
      verifier->verifyFirstRows(3, [&](int64_t, const KernelTensor *outputs) {
        return kernel()(4, outputs);
      });
  EXPECT_THAT(tooMany.fault, HasSubstr("after the last row"));
}

TEST_F(VerifierTest, JudgesTheLastColumnsAlone) {
  prepare("9x5:5x7", 9);
  const auto withoutFirst = [&](int64_t columns) {
    return [this, columns](int64_t rows, const KernelTensor *outputs) {
      std::vector<float> before(9 * 7, 0);
      const KernelTensor all{before.data(), 7};
      computeLinear(verifier->data().inputs(), *problem, rows, &all);
      auto *out = static_cast<float *>(outputs[0].data);
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = columns; column < 7; ++column)
          out[row * outputs[0].stride + column] = before[row * 7 + column];
      return Status();
    };
  };
  EXPECT_TRUE(verifier->verify(withoutFirst(3), 3).right());
  EXPECT_THAT(verifier->verify(withoutFirst(3), 2).fault,
              HasSubstr("column 2 was not written"));
  EXPECT_THAT(verifier->verify(withoutFirst(3), 4).fault,
              HasSubstr("column 3 of row 0"));
}

/// A naive kernel of a narrow type, whose bits `spoil` changes.
class NarrowVerifierTest : public testing::TestWithParam<const char *> {
protected:
  using Spoil = std::function<void(uint16_t *out, int64_t stride)>;

  void prepare(std::string_view text, int64_t rows, Fill fill) {
    problem =
        Problem::parse(text, DataTypes::parse(GetParam()).value()).value();
    Expected<std::unique_ptr<Verifier>> made =
        Verifier::create(*problem, {rows, fill, 2});
    ASSERT_TRUE(made) << made.error().message();
    verifier = std::move(*made);
  }
  Verdict verify(const Spoil &spoil = nullptr) {
    return verifier->verify([&](int64_t rows, const KernelTensor *outputs) {
      computeLinear(verifier->data().inputs(), *problem, rows, outputs);
      if (spoil)
        spoil(static_cast<uint16_t *>(outputs[0].data), outputs[0].stride);
      return Status();
    });
  }

  std::optional<Problem> problem;
  std::unique_ptr<Verifier> verifier;
};

TEST_P(NarrowVerifierTest, AcceptsARightKernel) {
  for (Fill fill : {Fill::exact, Fill::gaussian}) {
    prepare("37x50:50x41", 37, fill);
    const Verdict verdict = verify();
    EXPECT_TRUE(verdict.right()) << verdict.fault;
    EXPECT_LE(verdict.maxError, 1);
  }
}

TEST_P(NarrowVerifierTest, FindsALastBitAndWhatIsMissing) {
  prepare("37x50:50x41", 37, Fill::exact);
  EXPECT_THAT(verify([](uint16_t *out, int64_t stride) {
                out[36 * stride + 40] ^= 1;
              }).fault,
              AllOf(HasSubstr("row 36"), HasSubstr("column 40")));
  EXPECT_THAT(verify([](uint16_t *out, int64_t stride) {
                out[4 * stride + 41] = 0;
              }).fault,
              AllOf(HasSubstr("row 4"), HasSubstr("column 41")));
  EXPECT_THAT(
      verifier->verify([](int64_t, const KernelTensor *) { return Status(); })
          .fault,
      HasSubstr("row 0, column 0 was not written"));
}

/// Too large for the oracle to see every element of.
TEST_P(NarrowVerifierTest, ComparesWithTheFirstAcceptedRun) {
  prepare("400x64:64x9000", 400, Fill::exact);
  ASSERT_FALSE(OracleSample::evaluate(*Oracle::create(*problem).value(),
                                      verifier->data(), *problem, 400, 2)
                   .complete());
  const Verdict first = verify();
  EXPECT_TRUE(first.right()) << first.fault;
  EXPECT_TRUE(verify().right());
  const auto spoil = [](uint16_t *out, int64_t stride) {
    for (int64_t row = 100; row < 200; ++row)
      out[row * stride + 4321] ^= 1;
  };
  const Verdict second = verify(spoil);
  EXPECT_THAT(second.fault, HasSubstr("column 4321"));
}

INSTANTIATE_TEST_SUITE_P(Types, NarrowVerifierTest,
                         testing::Values("bf16", "f16"));

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
  const auto verify = [&](bool writesAll) {
    return verifier->verify([&](int64_t rows, const KernelTensor *outputs) {
      auto *out = static_cast<uint8_t *>(outputs[0].data);
      for (int64_t i = 0; i < rows * kColumns; ++i)
        if (writesAll || i != unseenRow * kColumns + kColumn)
          out[i / kColumns * outputs[0].stride + i % kColumns] =
              right[static_cast<size_t>(i)];
      return Status();
    });
  };
  EXPECT_THAT(verify(false).fault,
              AllOf(HasSubstr("row " + std::to_string(unseenRow)),
                    HasSubstr("column 1234")));
  const Verdict whole = verify(true);
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
