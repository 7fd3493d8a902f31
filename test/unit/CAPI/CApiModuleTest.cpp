// The C ABI: layers that are stated as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/CAPI/CApiFixture.h"

#include <gmock/gmock.h>

#include <string>

using namespace lintel;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// A leaky relu of the scaled sums, and the sums themselves.
constexpr const char *kModule = R"(
func.func @layer(%x: tensor<?x24xf32>, %w: tensor<40x24xf32>,
    %s: tensor<40xf32>) -> (tensor<?x40xf32>, tensor<?x40xf32>) {
  %y:2 = lintel.linear %x, %w epilogue(%s : tensor<40xf32>)
      : (tensor<?x24xf32>, tensor<40x24xf32>)
      -> (tensor<?x40xf32>, tensor<?x40xf32>) {
  ^bb0(%acc: f32, %scale: f32):
    %slope = arith.constant 1.250000e-01 : f32
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.mulf %0, %slope : f32
    %2 = arith.maximumf %0, %1 : f32
    lintel.yield %2, %acc : f32, f32
  }
  return %y#0, %y#1 : tensor<?x40xf32>, tensor<?x40xf32>
}
)";

class CApiModuleTest : public CApiTest {
protected:
  void SetUp() override {
    CApiTest::SetUp();
    lintel_problem_free(problem);
    problem = nullptr;
  }
  /// What reading `module` ends with; its message is lintel_last_error().
  lintel_status statusOf(const std::string &module) {
    lintel_problem_free(problem);
    // Set, so that a failure is seen to clear it.
    problem = reinterpret_cast<lintel_problem *>(this);
    const lintel_status status =
        lintel_problem_parse_module(module.c_str(), &problem);
    EXPECT_EQ(problem == nullptr, status != LINTEL_OK);
    return status;
  }
};

TEST_F(CApiModuleTest, ComputesWhatItsRegionSays) {
  ASSERT_EQ(statusOf(kModule), LINTEL_OK) << lintel_last_error();
  ASSERT_EQ(lintel_problem_num_operands(problem), 1u);
  ASSERT_EQ(lintel_problem_num_outputs(problem), 2u);
  lintel_operand operand;
  ASSERT_EQ(lintel_problem_operand(problem, 0, &operand), LINTEL_OK);
  EXPECT_STREQ(operand.name, "operand0");
  EXPECT_STREQ(operand.dtype, "f32");
  EXPECT_EQ(operand.broadcast, LINTEL_COLUMN);

  const int64_t rows[] = {kRows};
  lintel_compile_options options = compileOptions();
  options.rows = rows;
  options.num_rows = 1;
  ASSERT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_OK)
      << lintel_last_error();
  ASSERT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth), LINTEL_OK);
  std::vector<float> sums(out);
  const lintel_tensor scale = {bias.data(), 0};
  const lintel_tensor outputs[] = {{out.data(), kColumns},
                                   {sums.data(), kColumns}};
  ASSERT_EQ(
      lintel_linear_run(linear, x.data(), kDepth, kRows, &scale, 1, outputs, 2),
      LINTEL_OK)
      << lintel_last_error();
  for (int64_t m = 0; m < kRows; ++m)
    for (int64_t n = 0; n < kColumns; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < kDepth; ++k)
        sum += double(x[m * kDepth + k]) * w[n * kDepth + k];
      ASSERT_NEAR(sums[m * kColumns + n], sum, 1e-4) << m << ", " << n;
      const double scaled = sum * bias[n];
      ASSERT_NEAR(out[m * kColumns + n], std::max(scaled, scaled / 8), 1e-4)
          << m << ", " << n;
    }
}

TEST_F(CApiModuleTest, LayersOfNamedStagesHaveOneOutput) {
  ASSERT_EQ(lintel_problem_parse(kProblem, "f32", &problem), LINTEL_OK);
  EXPECT_EQ(lintel_problem_num_outputs(problem), 1u);
  EXPECT_EQ(lintel_problem_num_outputs(nullptr), 0u);
}

TEST_F(CApiModuleTest, MistakesHaveAPlace) {
  EXPECT_EQ(statusOf("func.func @f( {\n"), LINTEL_PARSE);
  EXPECT_THAT(lintel_last_error(), StartsWith("module:1:"));
  EXPECT_EQ(statusOf(""), LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(),
              StartsWith("module: the module has no lintel.linear op"));
  std::string library = kModule;
  const std::string sum = "arith.maximumf %0, %1";
  library.replace(library.find(sum), sum.size(), "arith.remf %0, %1");
  EXPECT_EQ(statusOf(library), LINTEL_UNSUPPORTED);
  EXPECT_THAT(lintel_last_error(),
              StartsWith("module:11:10: 'arith.remf' op has no inline"));
}

TEST_F(CApiModuleTest, NullsAreNamed) {
  EXPECT_EQ(lintel_problem_parse_module(nullptr, &problem),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("module is null"));
  EXPECT_EQ(problem, nullptr);
  EXPECT_EQ(lintel_problem_parse_module(kModule, nullptr),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("problem is null"));
}

} // namespace
