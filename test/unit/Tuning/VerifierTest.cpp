// What the verifier accepts and what it finds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/VerifierFixture.h"

#include "TileEmulation/TileEmulation.h"
#include "support/DecimalComma.h"
#include "support/FewAddresses.h"

#include <gmock/gmock.h>
#include <limits>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

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

/// 64 MiB of outputs find room, but not what others are compared with.
TEST_F(VerifierTest, TooLittleMemoryIsAnError) {
  const FewAddresses few(rlim_t(100) << 20);
  ASSERT_TRUE(few);
  Expected<std::unique_ptr<Verifier>> made =
      Verifier::create(problemOf("16384x1:1x1024"), {16384, Fill::exact, 1});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), ErrorCode::io);
  EXPECT_THAT(made.error().message(),
              AllOf(HasSubstr("out of memory"),
                    HasSubstr("what outputs are compared with")));
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
  EXPECT_EQ(verdict.failure, ErrorCode::io);
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

} // namespace
