// The C ABI: what it computes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/CAPI/CApiFixture.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>
#include <thread>
#include <unistd.h>

using namespace lintel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// Calls body(context, tid, 2) on two threads.
void twoThreads(void *calls, int32_t maxThreads, lintel_parallel_body body,
                void *context) {
  ++*static_cast<std::atomic<int> *>(calls);
  if (maxThreads < 2)
    return body(context, 0, 1);
  std::thread other(body, context, 1, 2);
  body(context, 0, 2);
  other.join();
}

TEST(CApi, KnowsItsVersion) { EXPECT_STREQ(lintel_version(), "0.1.0"); }

TEST_F(CApiTest, MeasuresThePeakOfItsThreads) {
  double gflops = -1;
  ASSERT_EQ(lintel_engine_measure_peak(engine, "f32", &gflops), LINTEL_OK);
  EXPECT_GT(gflops, 0.1);
  EXPECT_LT(gflops, 2000); // one core

  EXPECT_EQ(lintel_engine_measure_peak(nullptr, "f32", &gflops),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("engine is null"));
  EXPECT_EQ(gflops, 0);
  EXPECT_EQ(lintel_engine_measure_peak(engine, "f32", nullptr),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("gflops is null"));
  EXPECT_EQ(lintel_engine_measure_peak(engine, nullptr, &gflops),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("dtype is null"));
  EXPECT_EQ(lintel_engine_measure_peak(engine, "f31", &gflops),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("f31"));
  EXPECT_EQ(gflops, 0);
}

TEST_F(CApiTest, ThePeakIsThatOfTheExecutor) {
  std::atomic<int> calls = 0;
  lintel_engine_options options = engineOptions();
  options.threads = 2;
  options.executor = twoThreads;
  options.executor_user = &calls;
  lintel_engine *own = nullptr;
  ASSERT_EQ(lintel_engine_create(&options, &own), LINTEL_OK);
  double gflops = 0;
  EXPECT_EQ(lintel_engine_measure_peak(own, "f32", &gflops), LINTEL_OK);
  EXPECT_GT(gflops, 0.1);
  EXPECT_GE(calls, 3);
  lintel_engine_free(own);
}

TEST_F(CApiTest, ComputesALayer) {
  compile();
  ASSERT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth), LINTEL_OK);
  ASSERT_EQ(run(), LINTEL_OK) << lintel_last_error();
  expectRight();
  EXPECT_THAT(lintel_linear_report(linear),
              HasSubstr("\"problem\":\"5x24:24x40 bias+relu\""));
  EXPECT_THAT(lintel_linear_report(linear), HasSubstr("\"source\":\"tuned\""));
}

TEST_F(CApiTest, ALayerMayOutliveItsEngine) {
  compile();
  lintel_engine_free(engine);
  engine = nullptr;
  ASSERT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth), LINTEL_OK);
  ASSERT_EQ(run(), LINTEL_OK) << lintel_last_error();
  expectRight();
}

TEST_F(CApiTest, RunsOnTheEmbeddersThreads) {
  std::atomic<int> calls = 0;
  lintel_engine_options options = engineOptions();
  options.threads = 2;
  options.executor = twoThreads;
  options.executor_user = &calls;
  lintel_engine_free(engine);
  ASSERT_EQ(lintel_engine_create(&options, &engine), LINTEL_OK);
  lintel_compile_options pinned = compileOptions();
  pinned.schedule = "tile=1x16,grid=2x1";
  ASSERT_EQ(lintel_compile(engine, problem, &pinned, &linear), LINTEL_OK)
      << lintel_last_error();
  // The layer keeps the executor.
  lintel_engine_free(engine);
  engine = nullptr;
  ASSERT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth), LINTEL_OK);
  const int before = calls;
  ASSERT_EQ(run(), LINTEL_OK);
  EXPECT_EQ(calls, before + 1);
  expectRight();
  EXPECT_THAT(lintel_linear_report(linear), HasSubstr("\"source\":\"pinned\""));
}

TEST_F(CApiTest, CountsOperands) {
  EXPECT_EQ(lintel_problem_num_operands(problem), 1u);
  EXPECT_EQ(lintel_problem_num_operands(nullptr), 0u);
}

TEST_F(CApiTest, RowsNameTheKernelsOfADynamicLayer) {
  lintel_problem_free(problem);
  problem = nullptr;
  ASSERT_EQ(lintel_problem_parse("?x24:24x40 bias+relu", "f32", &problem),
            LINTEL_OK);
  const int64_t rows[] = {8, 1};
  lintel_compile_options options = compileOptions();
  options.rows = rows;
  options.num_rows = 2;
  ASSERT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_OK)
      << lintel_last_error();
  EXPECT_THAT(lintel_linear_report(linear),
              HasSubstr("\"buckets\":[{\"rows\":[1,1],\"tuned_rows\":1,"));
  EXPECT_THAT(lintel_linear_report(linear),
              HasSubstr("{\"rows\":[2,2147483648],\"tuned_rows\":8,"));
  ASSERT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth), LINTEL_OK);
  ASSERT_EQ(run(), LINTEL_OK) << lintel_last_error();
  expectRight();
}

TEST_F(CApiTest, StopEndsATuning) {
  lintel_compile_options options = compileOptions();
  int asked = 0;
  options.stop = [](void *user) -> int32_t {
    return ++*static_cast<int *>(user) > 0;
  };
  options.stop_user = &asked;
  EXPECT_EQ(lintel_compile(engine, problem, &options, &linear),
            LINTEL_CANCELLED);
  EXPECT_GT(asked, 0);
  EXPECT_EQ(linear, nullptr);
  options.stop = [](void *) -> int32_t { return 0; };
  EXPECT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_OK)
      << lintel_last_error();
}

TEST_F(CApiTest, RetuneTunesAgain) {
  lintel_compile_options options = compileOptions();
  const auto sourceOf = [&]() -> std::string {
    lintel_linear *made = nullptr;
    EXPECT_EQ(lintel_compile(engine, problem, &options, &made), LINTEL_OK)
        << lintel_last_error();
    const std::string report = lintel_linear_report(made);
    lintel_linear_free(made);
    return report.substr(report.find("\"source\":"), 16);
  };
  EXPECT_EQ(sourceOf(), "\"source\":\"tuned\"");
  EXPECT_EQ(sourceOf(), "\"source\":\"cache\"");
  options.retune = 1;
  EXPECT_EQ(sourceOf(), "\"source\":\"tuned\"");
}

TEST(CApi, ProblemsOfEveryType) {
  for (const char *types : {"f32", "bf16", "bf16:f32", "f16", "f16:f32",
                            "f16:f32,accumulate=f16"}) {
    lintel_problem *problem = nullptr;
    EXPECT_EQ(lintel_problem_parse("5x24:24x40 bias", types, &problem),
              LINTEL_OK)
        << types << lintel_last_error();
    EXPECT_EQ(lintel_problem_num_operands(problem), 1u);
    lintel_problem_free(problem);
  }
}

TEST(CApi, ProblemsOfIntegersWithSumsOfS16) {
  for (const char *types :
       {"u8s8,accumulate=s16", "s8s8:bf16,accumulate=s16"}) {
    lintel_problem *problem = nullptr;
    EXPECT_EQ(lintel_problem_parse("5x24:24x40", types, &problem), LINTEL_OK)
        << types << lintel_last_error();
    lintel_problem_free(problem);
  }
}

/// x, w and results of int8 with their scales and zero points as operands.
TEST(CApi, ComputesALayerOfIntegers) {
  constexpr int64_t kM = 2, kN = 3, kK = 5;
  const lintel_engine_options engineSettings = engineOptions();
  lintel_engine *engine = nullptr;
  lintel_problem *problem = nullptr;
  lintel_linear *linear = nullptr;
  ASSERT_EQ(lintel_engine_create(&engineSettings, &engine), LINTEL_OK);
  ASSERT_EQ(lintel_problem_parse("2x5:5x3 bias", "u8s8:u8", &problem),
            LINTEL_OK);
  // x_scale, x_zero, w_scale, bias, result_scale, result_zero
  EXPECT_EQ(lintel_problem_num_operands(problem), 6u);
  const lintel_compile_options options = compileOptions();
  ASSERT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_OK)
      << lintel_last_error();
  const uint8_t x[kM * kK] = {0, 10, 200, 255, 3, 7, 7, 7, 7, 7};
  const int8_t w[kN * kK] = {1, -2, 3,    -4,   5,    127, 127, 127,
                             0, 0,  -128, -128, -128, 0,   0};
  const float xScale = 0.5f, wScale[kN] = {0.25f, 1, 2}, bias[kN] = {1, -1, 0},
              resultScale = 2;
  const int32_t xZero = 7, resultZero = 100;
  const lintel_tensor operands[] = {{const_cast<float *>(&xScale), 0},
                                    {const_cast<int32_t *>(&xZero), 0},
                                    {const_cast<float *>(wScale), 0},
                                    {const_cast<float *>(bias), 0},
                                    {const_cast<float *>(&resultScale), 0},
                                    {const_cast<int32_t *>(&resultZero), 0}};
  uint8_t out[kM * kN] = {};
  const lintel_tensor output = {out, kN};
  ASSERT_EQ(lintel_linear_set_weight(linear, w, kK), LINTEL_OK);
  ASSERT_EQ(lintel_linear_run(linear, x, kK, kM, operands, 6, &output, 1),
            LINTEL_OK)
      << lintel_last_error();
  for (int64_t m = 0; m < kM; ++m)
    for (int64_t n = 0; n < kN; ++n) {
      int sum = 0;
      for (int64_t k = 0; k < kK; ++k)
        sum += (x[m * kK + k] - xZero) * w[n * kK + k];
      const float v = float(sum) * (xScale * wScale[n]) + bias[n];
      const float q = std::nearbyint(v / resultScale) + float(resultZero);
      EXPECT_EQ(out[m * kN + n], std::clamp(q, 0.0f, 255.0f)) << m << ", " << n;
    }
  lintel_linear_free(linear);
  lintel_problem_free(problem);
  lintel_engine_free(engine);
}

TEST_F(CApiTest, OperandsAreDescribed) {
  lintel_problem *integers = nullptr;
  ASSERT_EQ(lintel_problem_parse("2x5:5x3 bias+residual", "u8s8:u8", &integers),
            LINTEL_OK);
  const lintel_operand expected[] = {{"x_scale", "f32", LINTEL_SCALAR},
                                     {"x_zero", "s32", LINTEL_SCALAR},
                                     {"w_scale", "f32", LINTEL_COLUMN},
                                     {"bias", "f32", LINTEL_COLUMN},
                                     {"residual", "f32", LINTEL_FULL},
                                     {"result_scale", "f32", LINTEL_SCALAR},
                                     {"result_zero", "s32", LINTEL_SCALAR}};
  ASSERT_EQ(lintel_problem_num_operands(integers), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    lintel_operand operand;
    ASSERT_EQ(lintel_problem_operand(integers, i, &operand), LINTEL_OK);
    EXPECT_STREQ(operand.name, expected[i].name);
    EXPECT_STREQ(operand.dtype, expected[i].dtype) << operand.name;
    EXPECT_EQ(operand.broadcast, expected[i].broadcast) << operand.name;
  }
  lintel_operand none;
  EXPECT_EQ(lintel_problem_operand(integers, std::size(expected), &none),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_STREQ(lintel_last_error(),
               "index is 7, but the layer takes 7 operands");
  EXPECT_EQ(none.name, nullptr);
  lintel_problem_free(integers);
}

/// Where there is one element for each, with the stride between them.
TEST_F(CApiTest, AnOperandOfRowsIsRead) {
  lintel_problem_free(problem);
  problem = nullptr;
  ASSERT_EQ(lintel_problem_parse("2x3:3x2 dequant(x=row)", "s8s8", &problem),
            LINTEL_OK)
      << lintel_last_error();
  ASSERT_EQ(lintel_problem_num_operands(problem), 2u);
  lintel_operand operand;
  ASSERT_EQ(lintel_problem_operand(problem, 0, &operand), LINTEL_OK);
  EXPECT_STREQ(operand.name, "x_scale");
  EXPECT_EQ(operand.broadcast, LINTEL_ROW);

  const lintel_compile_options options = compileOptions();
  ASSERT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_OK)
      << lintel_last_error();
  const int8_t bytes[] = {1, 2, 3, 4, 5, 6}, weight[] = {1, 1, 1, 1, 0, -1};
  ASSERT_EQ(lintel_linear_set_weight(linear, weight, 3), LINTEL_OK);
  float scaleOfRows[] = {0.5f, -1, 2}, scaleOfColumns[] = {1, 4}, result[4];
  const lintel_tensor operands[] = {{scaleOfRows, 2}, {scaleOfColumns, 0}};
  const lintel_tensor output = {result, 2};
  ASSERT_EQ(lintel_linear_run(linear, bytes, 3, 2, operands, 2, &output, 1),
            LINTEL_OK)
      << lintel_last_error();
  EXPECT_THAT(result, ElementsAre(3, -4, 30, -16));
}

TEST_F(CApiTest, NothingToComputeLooksAtNoArray) {
  for (const char *text :
       {"0x24:24x40 bias", "5x24:24x0 bias", "?x24:24x40 bias"}) {
    lintel_problem *nothing = nullptr;
    lintel_linear *layer = nullptr;
    const lintel_compile_options options = compileOptions();
    ASSERT_EQ(lintel_problem_parse(text, "f32", &nothing), LINTEL_OK);
    ASSERT_EQ(lintel_compile(engine, nothing, &options, &layer), LINTEL_OK);
    const int64_t rows = text[0] == '5' ? 5 : 0;
    EXPECT_EQ(
        lintel_linear_run(layer, nullptr, 0, rows, nullptr, 1, nullptr, 1),
        LINTEL_OK)
        << text << ": " << lintel_last_error();
    EXPECT_EQ(
        lintel_linear_run(layer, nullptr, 0, rows, nullptr, 0, nullptr, 1),
        LINTEL_INVALID_ARGUMENT);
    lintel_linear_free(layer);
    lintel_problem_free(nothing);
  }
}

TEST_F(CApiTest, EnginesReportWhatTheySettledOn) {
  const char *report = lintel_engine_report(engine);
  EXPECT_THAT(report, StartsWith("{\"cpu\":\""));
  for (const char *part :
       {"\"isa\":\"", "\"target\":\"isa=", "\"threads\":1,", "\"openmp\":\"",
        "\"problem\":\"switched off by the caller\"}}"})
    EXPECT_THAT(report, HasSubstr(part));
  EXPECT_EQ(lintel_engine_report(engine), report);
}

TEST_F(CApiTest, EnginesWithAnExecutorHaveNoOpenMP) {
  lintel_engine_options options = engineOptions();
  options.executor = [](void *, int32_t, lintel_parallel_body body,
                        void *context) { body(context, 0, 1); };
  lintel_engine *own = nullptr;
  ASSERT_EQ(lintel_engine_create(&options, &own), LINTEL_OK);
  EXPECT_THAT(lintel_engine_report(own), HasSubstr("\"openmp\":\"none\""));
  lintel_engine_free(own);
}

/// Runs when the main thread's own variables are gone.
void compileAfterMain() {
  const lintel_engine_options options = engineOptions();
  const lintel_compile_options hasty = compileOptions();
  lintel_engine *engine = nullptr;
  lintel_problem *problem = nullptr;
  lintel_linear *linear = nullptr;
  const bool compiled =
      lintel_engine_create(&options, &engine) == LINTEL_OK &&
      lintel_problem_parse(kProblem, "f32", &problem) == LINTEL_OK &&
      lintel_compile(engine, problem, &hasty, &linear) == LINTEL_OK;
  _exit(compiled ? 7 : 8);
}

TEST_F(CApiTest, CompilesAfterMain) {
  EXPECT_EXIT(
      {
        std::atexit(compileAfterMain);
        compile();
        std::exit(0);
      },
      testing::ExitedWithCode(7), "");
}

} // namespace
