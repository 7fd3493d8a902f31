// Which threads the layers of one engine run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/OpenMP.h"
#include "unit/Engine/LayerCheck.h"

#include <gtest/gtest.h>

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

// A call of few parts between two of many must not cost the threads of those.
TEST(EngineThreadsTest, LayersOfFewPartsKeepTheThreadsOfTheOthers) {
  if (!openMPRuntime())
    GTEST_SKIP() << "no OpenMP runtime on this machine";
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
  EXPECT_GE(before.size(), 4u);
  expectRight(onTwo, 16);
  expectRight(onFour, 16);
  EXPECT_EQ(threadsOfThisProcess(), before);
}

} // namespace
} // namespace lintel
