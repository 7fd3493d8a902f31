// The C ABI: what it computes, and that no misuse gets further than a status.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel-c/lintel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int64_t kRows = 5, kDepth = 24, kColumns = 40;
constexpr const char *kProblem = "5x24:24x40 bias+relu";

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

lintel_engine_options engineOptions() {
  lintel_engine_options options = {};
  options.struct_size = sizeof options;
  options.disable_cache = 1;
  options.threads = 1;
  return options;
}

lintel_compile_options compileOptions() {
  lintel_compile_options options = {};
  options.struct_size = sizeof options;
  options.budget_milliseconds = 20;
  return options;
}

class CApiTest : public testing::Test {
protected:
  void SetUp() override {
    const lintel_engine_options options = engineOptions();
    ASSERT_EQ(lintel_engine_create(&options, &engine), LINTEL_OK)
        << lintel_last_error();
    ASSERT_EQ(lintel_problem_parse(kProblem, "f32", &problem), LINTEL_OK)
        << lintel_last_error();
  }
  void TearDown() override {
    lintel_linear_free(linear);
    lintel_problem_free(problem);
    lintel_engine_free(engine);
  }
  void compile() {
    const lintel_compile_options options = compileOptions();
    ASSERT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_OK)
        << lintel_last_error();
  }
  lintel_status run() {
    const lintel_tensor operand = {bias.data(), 0},
                        output = {out.data(), kColumns};
    return lintel_linear_run(linear, x.data(), kDepth, kRows, &operand, 1,
                             &output, 1);
  }
  void expectRight() {
    for (int64_t m = 0; m < kRows; ++m)
      for (int64_t n = 0; n < kColumns; ++n) {
        double sum = bias[n];
        for (int64_t k = 0; k < kDepth; ++k)
          sum += double(x[m * kDepth + k]) * w[n * kDepth + k];
        ASSERT_NEAR(out[m * kColumns + n], std::max(sum, 0.0), 1e-4)
            << m << ", " << n;
      }
  }
  static std::vector<float> numbers(int64_t count) {
    std::vector<float> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = float(i * 2654435761u % 2001) / 1000 - 1;
    return values;
  }

  lintel_engine *engine = nullptr;
  lintel_problem *problem = nullptr;
  lintel_linear *linear = nullptr;
  std::vector<float> x = numbers(kRows * kDepth),
                     w = numbers(kColumns * kDepth), bias = numbers(kColumns);
  std::vector<float> out = std::vector<float>(
      kRows * kColumns, std::numeric_limits<float>::quiet_NaN());
};

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

TEST_F(CApiTest, NullsAreRefused) {
  const lintel_tensor tensor = {out.data(), kColumns};
  lintel_problem *other = nullptr;
  struct Case {
    lintel_status status;
    const char *message;
  };
  const auto call = [](lintel_status status) {
    return Case{status, lintel_last_error()};
  };
  const auto expectNull = [](Case result, const std::string &name) {
    EXPECT_EQ(result.status, LINTEL_INVALID_ARGUMENT) << name;
    EXPECT_EQ(result.message, name + " is null");
  };
  expectNull(call(lintel_engine_create(nullptr, nullptr)), "engine");
  expectNull(call(lintel_problem_parse("1x1:1x1", "f32", nullptr)), "problem");
  expectNull(call(lintel_problem_parse(nullptr, "f32", &other)), "text");
  expectNull(call(lintel_problem_parse("1x1:1x1", nullptr, &other)), "dtype");
  expectNull(call(lintel_compile(engine, problem, nullptr, nullptr)), "linear");
  expectNull(call(lintel_compile(nullptr, problem, nullptr, &linear)),
             "engine");
  expectNull(call(lintel_compile(engine, nullptr, nullptr, &linear)),
             "problem");
  expectNull(call(lintel_linear_set_weight(nullptr, w.data(), kDepth)),
             "linear");
  expectNull(call(lintel_linear_run(nullptr, x.data(), kDepth, kRows, &tensor,
                                    1, &tensor, 1)),
             "linear");
  compile();
  expectNull(call(lintel_linear_run(linear, x.data(), kDepth, kRows, nullptr, 1,
                                    &tensor, 1)),
             "operands");
  expectNull(call(lintel_linear_run(linear, x.data(), kDepth, kRows, &tensor, 1,
                                    nullptr, 1)),
             "outputs");
  EXPECT_STREQ(lintel_linear_report(nullptr), "");
}

TEST_F(CApiTest, FreeingNothingDoesNothing) {
  lintel_engine_free(nullptr);
  lintel_problem_free(nullptr);
  lintel_linear_free(nullptr);
}

TEST_F(CApiTest, WrongArgumentsHaveMessages) {
  compile();
  const lintel_tensor operand = {bias.data(), 0},
                      output = {out.data(), kColumns};
  EXPECT_EQ(run(), LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("no weight is set"));
  EXPECT_EQ(lintel_linear_set_weight(linear, nullptr, kDepth),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth - 1),
            LINTEL_INVALID_ARGUMENT);
  ASSERT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth), LINTEL_OK);
  // A wild count must not be followed into memory.
  EXPECT_EQ(lintel_linear_run(linear, x.data(), kDepth, kRows, &operand,
                              SIZE_MAX / 64, &output, 1),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(lintel_linear_run(linear, x.data(), kDepth, kRows, &operand, 1,
                              &output, SIZE_MAX / 64),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(
      lintel_linear_run(linear, x.data(), kDepth, -1, &operand, 1, &output, 1),
      LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(lintel_linear_run(linear, x.data(), kDepth - 1, kRows, &operand, 1,
                              &output, 1),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("stride 23"));
  EXPECT_TRUE(std::isnan(out[0]));
}

TEST_F(CApiTest, BadTextIsAStatus) {
  lintel_problem *other = problem;
  EXPECT_EQ(lintel_problem_parse("5x24:25x40", "f32", &other), LINTEL_PARSE);
  EXPECT_EQ(other, nullptr);
  EXPECT_STRNE(lintel_last_error(), "");
  EXPECT_EQ(lintel_problem_parse(kProblem, "f17", &other),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("f17"));
  EXPECT_EQ(lintel_problem_parse("1x65794:65794x1", "u8s8", &other),
            LINTEL_UNSUPPORTED);
  EXPECT_EQ(other, nullptr);
  EXPECT_THAT(lintel_last_error(), HasSubstr("K must be at most 65793"));

  lintel_compile_options options = compileOptions();
  options.schedule = "tile=8x17";
  EXPECT_NE(lintel_compile(engine, problem, &options, &linear), LINTEL_OK);
  EXPECT_EQ(linear, nullptr);
  EXPECT_THAT(lintel_last_error(), StartsWith("schedule 'tile=8x17': "));
  EXPECT_THAT(lintel_last_error(), Not(HasSubstr(": schedule")));
  options.schedule = "tile=bad";
  EXPECT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_PARSE);
  EXPECT_THAT(lintel_last_error(), StartsWith("schedule 'tile=bad': tile "));

  lintel_engine *relative = engine;
  lintel_engine_options place = engineOptions();
  place.cache_directory = "rel";
  EXPECT_EQ(lintel_engine_create(&place, &relative), LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(relative, nullptr);
  EXPECT_THAT(lintel_last_error(), HasSubstr("=rel: must be an absolute path"));
  options = compileOptions();
  options.budget_milliseconds = -1;
  EXPECT_EQ(lintel_compile(engine, problem, &options, &linear),
            LINTEL_INVALID_ARGUMENT);
}

TEST_F(CApiTest, StructSizesOfAllVersions) {
  /// A caller from the future: the struct has grown by a field.
  struct Grown {
    lintel_compile_options known;
    int64_t unknown;
  };
  const auto statusOf = [&](size_t size, int64_t unknown) {
    Grown grown = {compileOptions(), unknown};
    grown.known.schedule = "tile=1x16";
    grown.known.struct_size = size;
    lintel_linear *made = nullptr;
    const lintel_status status =
        lintel_compile(engine, problem, &grown.known, &made);
    lintel_linear_free(made);
    return status;
  };
  EXPECT_EQ(statusOf(sizeof(lintel_compile_options), 1), LINTEL_OK)
      << lintel_last_error();
  EXPECT_EQ(statusOf(sizeof(Grown), 0), LINTEL_OK);
  EXPECT_EQ(statusOf(sizeof(Grown), 1), LINTEL_UNSUPPORTED);
  EXPECT_THAT(lintel_last_error(), HasSubstr("does not know"));
  for (size_t size : {size_t(0), size_t(8), sizeof(lintel_compile_options) - 1,
                      size_t(1) << 20, SIZE_MAX}) {
    EXPECT_EQ(statusOf(size, 0), LINTEL_INVALID_ARGUMENT) << size;
    EXPECT_THAT(lintel_last_error(),
                HasSubstr("sizeof(lintel_compile_options)"));
  }
  lintel_engine_options options = engineOptions();
  options.struct_size = 0;
  lintel_engine *other = engine;
  EXPECT_EQ(lintel_engine_create(&options, &other), LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(other, nullptr);
  EXPECT_THAT(lintel_last_error(), HasSubstr("sizeof(lintel_engine_options)"));
}

TEST_F(CApiTest, OptionsOfTheFirstVersionStillWork) {
  // Without rows; what lies behind it is none of the library's business.
  struct First {
    size_t struct_size;
    double budget_milliseconds;
    const char *schedule;
    const void *behind;
    size_t further;
  } first = {24, 20, "tile=1x16", reinterpret_cast<void *>(0x5a5a), SIZE_MAX};
  static_assert(offsetof(lintel_compile_options, rows) == 24);
  ASSERT_EQ(lintel_compile(engine, problem,
                           reinterpret_cast<lintel_compile_options *>(&first),
                           &linear),
            LINTEL_OK)
      << lintel_last_error();
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

TEST_F(CApiTest, RowsThatMeanNothingAreRefused) {
  const int64_t rows[] = {1, 0};
  lintel_compile_options options = compileOptions();
  const auto refusal = [&](const int64_t *named, size_t count) {
    options.rows = named;
    options.num_rows = count;
    EXPECT_EQ(lintel_compile(engine, problem, &options, &linear),
              LINTEL_INVALID_ARGUMENT);
    return std::string(lintel_last_error());
  };
  EXPECT_THAT(refusal(rows, 1), HasSubstr("with '?' rows"));
  EXPECT_THAT(refusal(nullptr, 1), HasSubstr("rows is null"));
  // A wild count must not be followed into memory.
  EXPECT_THAT(refusal(rows, SIZE_MAX), HasSubstr("num_rows is"));
  lintel_problem_free(problem);
  problem = nullptr;
  ASSERT_EQ(lintel_problem_parse("?x24:24x40", "f32", &problem), LINTEL_OK);
  EXPECT_THAT(refusal(rows, 2), HasSubstr("0 is no number of rows"));
}

TEST_F(CApiTest, ImpossibleEngineOptions) {
  lintel_engine_options options = engineOptions();
  options.threads = -3;
  lintel_engine *other = nullptr;
  EXPECT_EQ(lintel_engine_create(&options, &other), LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("-3"));
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

TEST(CApi, SumsOfF16AreOfLayersOfF16) {
  lintel_problem *problem = nullptr;
  EXPECT_EQ(lintel_problem_parse("5x24:24x40", "bf16,accumulate=f16", &problem),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(problem, nullptr);
  EXPECT_THAT(lintel_last_error(), HasSubstr("takes x and w of f16"));
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

TEST(CApi, ErrorsBelongToTheirThread) {
  lintel_problem *problem = nullptr;
  ASSERT_EQ(lintel_problem_parse("nonsense", "f32", &problem), LINTEL_PARSE);
  const std::string here = lintel_last_error();
  EXPECT_FALSE(here.empty());
  std::thread([] { EXPECT_STREQ(lintel_last_error(), ""); }).join();
  std::thread([&] {
    EXPECT_EQ(lintel_engine_create(nullptr, nullptr), LINTEL_INVALID_ARGUMENT);
  }).join();
  EXPECT_EQ(lintel_last_error(), here);
}

} // namespace
