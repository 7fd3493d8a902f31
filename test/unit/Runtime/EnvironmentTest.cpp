// Good and bad values of every environment variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Environment.h"

#include <gmock/gmock.h>

#include <climits>
#include <cstdlib>
#include <map>
#include <string>

using namespace lintel;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

namespace {

constexpr const char *kVariables[] = {
    "LINTEL_CACHE_DIR", "LINTEL_LOG",     "LINTEL_ISA", "LINTEL_EMULATE_AMX",
    "LINTEL_THREADS",   "XDG_CACHE_HOME", "HOME"};

/// Starts each test without any of the variables; restores them after it.
class EnvironmentTest : public testing::Test {
protected:
  void SetUp() override {
    for (const char *name : kVariables) {
      if (const char *value = getenv(name))
        saved[name] = value;
      unsetenv(name);
    }
  }
  void TearDown() override {
    for (const char *name : kVariables)
      unsetenv(name);
    for (const auto &[name, value] : saved)
      setenv(name.c_str(), value.c_str(), 1);
  }
  static Expected<Environment> readWith(const char *name,
                                        const std::string &value) {
    setenv(name, value.c_str(), 1);
    Expected<Environment> environment = Environment::read();
    unsetenv(name);
    return environment;
  }
  static void expectRefused(const char *name, const std::string &value,
                            const char *takes) {
    Expected<Environment> environment = readWith(name, value);
    ASSERT_FALSE(environment) << name << "=" << value;
    EXPECT_EQ(environment.error().code(), ErrorCode::invalidArgument);
    EXPECT_THAT(environment.error().message(),
                AllOf(HasSubstr(name), HasSubstr(takes)));
    EXPECT_LT(environment.error().message().size(), 300u);
  }

  std::map<std::string, std::string> saved;
};

TEST_F(EnvironmentTest, Defaults) {
  Expected<Environment> environment = Environment::read();
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->cacheDirectory, std::nullopt);
  EXPECT_EQ(environment->logLevel, LogLevel::warn);
  EXPECT_EQ(environment->isaCap, std::nullopt);
  EXPECT_FALSE(environment->emulateAmx);
  EXPECT_EQ(environment->threads, std::nullopt);
  EXPECT_EQ(environment->xdgCacheHome, "");
  EXPECT_EQ(environment->home, "");
  EXPECT_EQ(cacheDirectory(*environment), "");
}

TEST_F(EnvironmentTest, EmptyCountsAsNotSet) {
  for (const char *name : kVariables)
    setenv(name, "", 1);
  Expected<Environment> environment = Environment::read();
  ASSERT_TRUE(environment) << environment.error().message();
  EXPECT_EQ(environment->cacheDirectory, std::nullopt);
  EXPECT_EQ(environment->threads, std::nullopt);
}

TEST_F(EnvironmentTest, GoodValues) {
  EXPECT_EQ(readWith("LINTEL_CACHE_DIR", "/a b/c")->cacheDirectory, "/a b/c");
  for (const char *level : {"trace", "debug", "info", "warn", "error", "off"})
    EXPECT_EQ(readWith("LINTEL_LOG", level)->logLevel, parseLogLevel(level));
  for (IsaLevel isa : {IsaLevel::x86_64, IsaLevel::avx2, IsaLevel::avx512})
    EXPECT_EQ(readWith("LINTEL_ISA", std::string(toString(isa)))->isaCap, isa);
  EXPECT_TRUE(readWith("LINTEL_EMULATE_AMX", "1")->emulateAmx);
  EXPECT_FALSE(readWith("LINTEL_EMULATE_AMX", "0")->emulateAmx);
  for (int threads : {1, 2, 7, 1024})
    EXPECT_EQ(readWith("LINTEL_THREADS", std::to_string(threads))->threads,
              threads);
}

TEST_F(EnvironmentTest, BadValues) {
  std::string huge(100000, 'x');
  for (const std::string &value :
       {std::string("relative"), std::string("./x"), std::string("~/x"),
        std::string(" /x"), huge, "/" + huge})
    expectRefused("LINTEL_CACHE_DIR", value, "absolute path");
  for (const std::string &value :
       {std::string("warning"), std::string("WARN"), std::string("warn "),
        std::string("3"), std::string("warn\n"), huge})
    expectRefused("LINTEL_LOG", value,
                  "trace, debug, info, warn, error or off");
  for (const std::string &value :
       {std::string("AVX2"), std::string("avx"), std::string("avx512f"),
        std::string("avx2,"), huge})
    expectRefused("LINTEL_ISA", value, "x86_64, avx2 or avx512");
  for (const std::string &value :
       {std::string("2"), std::string("yes"), std::string("01"), huge})
    expectRefused("LINTEL_EMULATE_AMX", value, "0 or 1");
  for (const std::string &value :
       {std::string("0"), std::string("-1"), std::string("1025"),
        std::string("4294967297"), std::string("99999999999999999999"),
        std::string("2x"), std::string("0x2"), std::string("+2"),
        std::string(" 2"), std::string("2 "), std::string("1.5"),
        std::string("all"), huge})
    expectRefused("LINTEL_THREADS", value, "from 1 to 1024");
}

TEST_F(EnvironmentTest, MessagesNameVariableValueAndWhatItTakes) {
  EXPECT_EQ(readWith("LINTEL_CACHE_DIR", "here").error().message(),
            "LINTEL_CACHE_DIR=here: must be an absolute path of less than "
            "4096 bytes, none of them NUL");
  EXPECT_EQ(readWith("LINTEL_LOG", "loud").error().message(),
            "LINTEL_LOG=loud: must be trace, debug, info, warn, error or off");
  EXPECT_EQ(readWith("LINTEL_ISA", "foo").error().message(),
            "LINTEL_ISA=foo: must be x86_64, avx2 or avx512");
  EXPECT_EQ(readWith("LINTEL_THREADS", "many").error().message(),
            "LINTEL_THREADS=many: must be a whole number from 1 to 1024");
}

TEST_F(EnvironmentTest, MessagesStayOnOneLine) {
  for (const char *name :
       {"LINTEL_CACHE_DIR", "LINTEL_LOG", "LINTEL_ISA", "LINTEL_THREADS"}) {
    Expected<Environment> environment = readWith(name, "2\n\x1b[31m\xff");
    ASSERT_FALSE(environment);
    for (char c : environment.error().message())
      EXPECT_TRUE(c >= ' ' && c <= '~') << name;
  }
}

TEST_F(EnvironmentTest, ThreadsAndDirectoriesAreReadAlikeElsewhere) {
  EXPECT_EQ(parseThreads("1024"), 1024);
  for (const char *text : {"", "0", "1025", "abc", "2 ", "-1"})
    EXPECT_EQ(parseThreads(text), std::nullopt) << text;
  EXPECT_TRUE(checkCacheDirectory("place", "/a"));
  EXPECT_EQ(checkCacheDirectory("place", "rel").error().message(),
            "place=rel: must be an absolute path of less than 4096 bytes, none "
            "of them NUL");
  EXPECT_FALSE(checkCacheDirectory("place", std::string("/a\0b", 4)));
  EXPECT_FALSE(checkCacheDirectory("place", ""));
}

TEST_F(EnvironmentTest, StrayVariablesAreNamedWithWhatMayHaveBeenMeant) {
  // Those of the test's own environment.
  const std::vector<std::string> before = strayVariables();
  setenv("LINTEL_THREAD", "2", 1);
  setenv("LINTEL_WHATEVER", "", 1);
  const std::vector<std::string> after = strayVariables();
  unsetenv("LINTEL_THREAD");
  unsetenv("LINTEL_WHATEVER");
  EXPECT_EQ(after.size(), before.size() + 2);
  EXPECT_THAT(
      after, Contains("the environment variable LINTEL_THREAD is not one of "
                      "Lintel's and has no effect; was LINTEL_THREADS meant?"));
  EXPECT_THAT(after, Contains("the environment variable LINTEL_WHATEVER is not "
                              "one of Lintel's and has no effect"));
  for (const char *name : kVariables)
    setenv(name, "", 1);
  EXPECT_EQ(strayVariables(), before);
}

TEST_F(EnvironmentTest, CacheDirectoryInOrderOfPreference) {
  setenv("HOME", "/home/u", 1);
  EXPECT_EQ(cacheDirectory(*Environment::read()), "/home/u/.cache/lintel");
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(cacheDirectory(*Environment::read()), "/xdg/lintel");
  setenv("LINTEL_CACHE_DIR", "/mine", 1);
  EXPECT_EQ(cacheDirectory(*Environment::read()), "/mine");
}

TEST_F(EnvironmentTest, RelativeBaseDirectoriesAreIgnored) {
  setenv("HOME", "/home/u", 1);
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(cacheDirectory(*Environment::read()), "/home/u/.cache/lintel");
  setenv("HOME", "relative", 1);
  EXPECT_EQ(cacheDirectory(*Environment::read()), "");
}

TEST_F(EnvironmentTest, APathOfPathMaxBytesIsTooLong) {
  const std::string longest = "/" + std::string(PATH_MAX - 2, 'x');
  EXPECT_TRUE(checkCacheDirectory("place", longest));
  EXPECT_FALSE(checkCacheDirectory("place", longest + "x"));
}

} // namespace
