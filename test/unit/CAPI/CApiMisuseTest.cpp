// The C ABI: no misuse gets further than a status.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/CAPI/CApiFixture.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

using CApiMisuseTest = CApiTest;

TEST_F(CApiMisuseTest, NullsAreRefused) {
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
  lintel_operand operand;
  expectNull(call(lintel_problem_operand(nullptr, 0, &operand)), "problem");
  expectNull(call(lintel_problem_operand(problem, 0, nullptr)), "operand");
  EXPECT_STREQ(lintel_linear_report(nullptr), "");
  EXPECT_STREQ(lintel_engine_report(nullptr), "");
}

// Python decodes them, and a terminal shows them.
TEST_F(CApiMisuseTest, MessagesAreUtf8WithoutControls) {
  lintel_compile_options options = compileOptions();
  options.schedule = "tile=4x16\xff\x1b[31m";
  EXPECT_EQ(lintel_compile(engine, problem, &options, &linear), LINTEL_PARSE);
  EXPECT_THAT(lintel_last_error(), HasSubstr("4x16\\xff\\x1b[31m"));
}

/// Runs when the executable's variables of this thread are gone.
void failAfterMain() {
  lintel_problem *problem = nullptr;
  lintel_problem_parse("1x1:1x1", "another", &problem);
  const std::string message = lintel_last_error();
  _exit(message.find("another") != std::string::npos ? 7 : 8);
}

TEST_F(CApiMisuseTest, CallsMayFailAfterMain) {
  EXPECT_EXIT(
      {
        lintel_problem *problem = nullptr;
        lintel_problem_parse("1x1:1x1", "a-long-name-that-needs-memory",
                             &problem);
        std::atexit(failAfterMain);
        std::exit(0);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(CApiMisuseTest, FreeingNothingDoesNothing) {
  lintel_problem *none = nullptr;
  ASSERT_EQ(lintel_problem_parse("nonsense", "f32", &none), LINTEL_PARSE);
  const std::string before = lintel_last_error();
  ASSERT_NE(before, "");
  lintel_engine_free(nullptr);
  lintel_problem_free(nullptr);
  lintel_linear_free(nullptr);
  EXPECT_EQ(lintel_last_error(), before);
  // Nor is anything gone that others have.
  compile();
  ASSERT_EQ(lintel_linear_set_weight(linear, w.data(), kDepth), LINTEL_OK);
  ASSERT_EQ(run(), LINTEL_OK) << lintel_last_error();
  expectRight();
}

TEST_F(CApiMisuseTest, WrongArgumentsHaveMessages) {
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

TEST_F(CApiMisuseTest, BadTextIsAStatus) {
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
  EXPECT_THAT(lintel_last_error(),
              StartsWith("cache_directory=rel: must be an absolute path"));
  options = compileOptions();
  options.budget_milliseconds = -1;
  EXPECT_EQ(lintel_compile(engine, problem, &options, &linear),
            LINTEL_INVALID_ARGUMENT);
}

TEST_F(CApiMisuseTest, StructSizesOfAllVersions) {
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

TEST_F(CApiMisuseTest, OptionsOfTheFirstVersionStillWork) {
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

TEST_F(CApiMisuseTest, RowsThatMeanNothingAreRefused) {
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

TEST_F(CApiMisuseTest, ImpossibleEngineOptions) {
  lintel_engine_options options = engineOptions();
  options.threads = -3;
  lintel_engine *other = nullptr;
  EXPECT_EQ(lintel_engine_create(&options, &other), LINTEL_INVALID_ARGUMENT);
  EXPECT_THAT(lintel_last_error(), HasSubstr("-3"));
}

TEST(CApiMisuse, SumsOfF16AreOfLayersOfF16) {
  lintel_problem *problem = nullptr;
  EXPECT_EQ(lintel_problem_parse("5x24:24x40", "f16,accumulate=s16", &problem),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(lintel_problem_parse("5x24:24x40", "bf16,accumulate=f16", &problem),
            LINTEL_INVALID_ARGUMENT);
  EXPECT_EQ(problem, nullptr);
  EXPECT_THAT(lintel_last_error(), HasSubstr("takes x and w of f16"));
}

TEST(CApiMisuse, ErrorsBelongToTheirThread) {
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
