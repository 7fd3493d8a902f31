// Limits of the process that a put or a find runs into (fault 18).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Log.h"
#include "unit/Cache/CacheTestSupport.h"

#include <gtest/gtest.h>

#include <functional>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lintel {
namespace {

/// Runs `body` in a process of its own, whose limits are its own too; it
/// returns the number of the first thing that went wrong, or 0.
void expectInChild(const std::function<int()> &body) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    ::_exit(body());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the number of the failed check";
}

bool setLimit(int resource, rlim_t value) {
  rlimit limit = {};
  if (::getrlimit(decltype(RLIMIT_FSIZE)(resource), &limit) != 0)
    return false;
  limit.rlim_cur = value;
  return ::setrlimit(decltype(RLIMIT_FSIZE)(resource), &limit) == 0;
}

class CacheLimits : public testing::Test {
protected:
  void SetUp() override { ASSERT_TRUE(cache->put(key, old)); }
  bool holds(const CacheEntry &entry) {
    auto found = cache->find(key, test::everyFeature);
    return found && test::equal(*found, entry);
  }

  test::TemporaryDirectory root;
  std::unique_ptr<Cache> cache = *test::openCache((root / "lintel").string());
  const CacheKey key = test::keyNumber(1);
  const CacheEntry old = test::entryFor(key, 1, 3000),
                   large = test::entryFor(key, 2, 100000);
};

TEST_F(CacheLimits, FileSizeLimitFailsThePutAndKeepsTheOldEntry) {
  expectInChild([&] {
    // As in a program that knows nothing of it: the signal would end it.
    if (::signal(SIGXFSZ, SIG_DFL) == SIG_ERR)
      return 1;
    // Nothing at all, inside the header, between the parts, all but a byte.
    for (rlim_t limit : {0, 1, 30, 5000, 65536, 100000}) {
      if (!setLimit(RLIMIT_FSIZE, limit))
        return 2;
      Status put = cache->put(key, large);
      if (put || put.error().code() != ErrorCode::io ||
          put.error().message().find("File too large") == std::string::npos)
        return 3;
      if (!holds(old))
        return 4;
      if (test::namesIn(cache->directory()).size() != 1)
        return 5;
    }
    if (!setLimit(RLIMIT_FSIZE, RLIM_INFINITY) || !cache->put(key, large))
      return 6;
    return holds(large) ? 0 : 7;
  });
  EXPECT_TRUE(holds(large));
}

TEST_F(CacheLimits, WithoutDescriptorsItIsAMissAndAFailedPut) {
  expectInChild([&] {
    // From none to a few free descriptors: each operation stops at another
    // step.
    bool hit = false, written = false;
    const int first = ::dup(0);
    if (first < 0 || ::close(first) != 0)
      return 1;
    for (rlim_t spare = 0; spare < 6; ++spare) {
      if (!setLimit(RLIMIT_NOFILE, rlim_t(first) + spare))
        return 2;
      auto found = cache->find(key, test::everyFeature);
      if (found && !test::equal(*found, old))
        return 3;
      hit |= found.has_value();
      Status put = cache->put(key, old);
      if (!put && put.error().code() != ErrorCode::io)
        return 4;
      written |= bool(put);
      if (spare == 0 && (found || put))
        return 5;
      (void)cache->survey();
      (void)cache->verifyPeaks();
    }
    return hit && written && cache->statistics().quarantined == 0 ? 0 : 6;
  });
  EXPECT_TRUE(holds(old));
  EXPECT_EQ(test::namesIn(cache->directory()).size(), 1u);
}

} // namespace
} // namespace lintel
