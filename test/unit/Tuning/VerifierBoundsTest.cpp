// What the verifier makes of elements whose bounds are infinite, or far below
// those of others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Tuning/NaiveKernel.h"

#include "Tuning/Verifier.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

/// Of sqrt(log(exp(sum)) - sum) rounding decides whether it is a number.
TEST(VerifierBoundsTest, FindsWhatWasNotWrittenWhereTheOracleKnowsNothing) {
  const Epilogue unknown =
      Epilogue::fromRegion("{ ^bb0(%a: f32): "
                           "%e = \"math.exp\"(%a) : (f32) -> f32 "
                           "%l = \"math.log\"(%e) : (f32) -> f32 "
                           "%d = \"arith.subf\"(%l, %a) : (f32, f32) -> f32 "
                           "%r = \"math.sqrt\"(%d) : (f32) -> f32 "
                           "\"lintel.yield\"(%r) : (f32) -> () }",
                           {}, 1);
  const Problem problem =
      Problem::create(9, 7, 1, DataTypes(), unknown).value();
  const std::unique_ptr<Verifier> verifier =
      Verifier::create(problem, {9, Fill::exact, 1}).value();
  const auto verify = [&](int64_t leftOut, float value) {
    return verifier->verify([&](int64_t rows, const KernelTensor *outputs) {
      auto *out = static_cast<float *>(outputs[0].data);
      for (int64_t i = 0; i < rows * 7; ++i)
        if (i != leftOut)
          out[i / 7 * outputs[0].stride + i % 7] = value;
      return Status();
    });
  };
  const int64_t last = 9 * 7 - 1, none = -1;
  EXPECT_THAT(verify(last, 0).fault, StartsWith("output 0, row 8, column 6 was "
                                                "not written"));
  // A kernel's own NaN is as right there as any number.
  for (float value : {0.0f, std::nanf("")})
    EXPECT_EQ(verify(none, value).fault, "");
  EXPECT_FALSE(verify(last, 0).right());
}

/// silu of eight times a sum: of what is far below 0 it is tiny, and so is its
/// bound, far smaller than the sample's largest, that of the largest values.
TEST(VerifierBoundsTest, FindsAWrongSmallValueBetweenTheSamples) {
  constexpr int64_t kSize = 3000;
  const Epilogue steepSilu = Epilogue::fromRegion(
      "{ ^bb0(%a: f32): "
      "%c = \"arith.constant\"() <{value = 8.0 : f32}> : () -> f32 "
      "%o = \"arith.constant\"() <{value = 1.0 : f32}> : () -> f32 "
      "%v = \"arith.mulf\"(%a, %c) : (f32, f32) -> f32 "
      "%n = \"arith.negf\"(%v) : (f32) -> f32 "
      "%e = \"math.exp\"(%n) : (f32) -> f32 "
      "%d = \"arith.addf\"(%e, %o) : (f32, f32) -> f32 "
      "%r = \"arith.divf\"(%v, %d) : (f32, f32) -> f32 "
      "\"lintel.yield\"(%r) : (f32) -> () }",
      {}, 1);
  const Problem problem =
      Problem::create(kSize, kSize, 8, DataTypes(), steepSilu).value();
  const std::unique_ptr<Verifier> verifier =
      Verifier::create(problem, {kSize, Fill::exact, 2}).value();
  const OracleSample sample = OracleSample::evaluate(
      *Oracle::create(problem).value(), verifier->data(), problem, kSize, 2);
  ASSERT_FALSE(sample.complete());
  std::vector<bool> seen(kSize * kSize, false);
  for (const SampledSegment &segment : sample.segments())
    for (int64_t i = 0; i < segment.columns; ++i)
      seen[size_t(segment.first.row * kSize + segment.first.column + i)] = true;
  std::vector<float> right(kSize * kSize);
  const KernelTensor tensor{right.data(), kSize};
  computeLinear(verifier->data().inputs(), problem, kSize, &tensor);
  for (float &value : right)
    value = 8 * value / (1 + std::exp(-8 * value));
  size_t small = 0;
  while (seen[small] || std::abs(right[small]) < 1e-12 ||
         std::abs(right[small]) > sample.largestBound())
    ASSERT_LT(++small, right.size());

  const auto verify = [&](float factor) {
    return verifier->verify([&](int64_t rows, const KernelTensor *outputs) {
      auto *out = static_cast<float *>(outputs[0].data);
      for (int64_t i = 0; i < rows * kSize; ++i)
        out[i / kSize * outputs[0].stride + i % kSize] =
            right[size_t(i)] * (size_t(i) == small ? factor : 1);
      return Status();
    });
  };
  EXPECT_EQ(verify(1).fault, "");
  EXPECT_THAT(verify(0).fault,
              AllOf(HasSubstr("row " + std::to_string(small / kSize)),
                    HasSubstr("column " + std::to_string(small % kSize))));
  const Verdict again = verify(1);
  EXPECT_TRUE(again.right()) << again.fault;
  EXPECT_FALSE(again.refutesReference);
}

} // namespace
