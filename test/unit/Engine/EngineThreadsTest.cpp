// Which threads the layers of one engine run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Engine/LayerCheck.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>

namespace lintel {
namespace {

std::set<std::string> threadsOfThisProcess() {
  std::set<std::string> threads;
  for (const auto &entry :
       std::filesystem::directory_iterator("/proc/self/task"))
    threads.insert(entry.path().filename());
  return threads;
}

/// Whether a region of `threads` has so many: there may be a limit.
bool regionsHave(int32_t threads) {
  std::atomic<int32_t> parts = 0;
  openMPExecutor(threads)->run(
      threads,
      [](void *context, int32_t, int32_t) {
        ++*static_cast<std::atomic<int32_t> *>(context);
      },
      &parts);
  return parts == threads;
}

// A call of few parts between two of many must not make libgomp end their
// threads and start others.
TEST(EngineThreadsTest, LayersOfFewPartsKeepTheThreadsOfTheOthers) {
  if (!regionsHave(4))
    GTEST_SKIP() << "no regions of four threads on this machine";
  EngineOptions options;
  options.threads = 4;
  options.useCache = false;
  const std::unique_ptr<Engine> engine = Engine::create(options).value();
  const auto layerOn = [&](const char *grid) {
    CompileOptions pinned;
    pinned.schedule = std::string("tile=4x16,grid=") + grid;
    return engine->compile(*Problem::parse("16x32:32x64 bias"), pinned).value();
  };
  Linear onFour = layerOn("1x4"), onTwo = layerOn("1x2");
  expectRight(onFour, 16);
  const std::set<std::string> before = threadsOfThisProcess();
  expectRight(onTwo, 16);
  expectRight(onFour, 16);
  // Those that compiled may have ended only now.
  EXPECT_TRUE(std::ranges::includes(before, threadsOfThisProcess()));
}

} // namespace
} // namespace lintel
