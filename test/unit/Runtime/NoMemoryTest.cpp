// What goes on where there is no memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Log.h"
#include "Runtime/SharedHugePages.h"
#include "unit/Runtime/PlannedCalls.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

namespace {
thread_local bool memoryIsOut = false;
thread_local int refusals = 0;
} // namespace

// Of the whole program, as the standard permits; but the library of a package
// has its own.
void *operator new(size_t bytes) {
  refusals += memoryIsOut;
  void *memory = memoryIsOut ? nullptr : std::malloc(bytes);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

using namespace lintel;

namespace {

/// A thread for each part, none of which gets memory.
class StarvedExecutor final : public Executor {
public:
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    for (int32_t tid = 0; tid < maxThreads; ++tid)
      std::thread([=] {
        memoryIsOut = true;
        body(context, tid, maxThreads);
        memoryIsOut = false;
      }).join();
  }
};

TEST(NoMemoryTest, PartsRunWithout) {
  float x = 0;
  for (Dealing deal : {Dealing::fixed, Dealing::dynamic}) {
    const KernelPlan plan = planOfNothing(deal);
    StarvedExecutor starved;
    EXPECT_TRUE(runPlan(plan, starved, &x, 1, 64, nullptr, nullptr, nullptr));
  }
}

/// Who logs is somebody else's process, which does not end for that: what is
/// thrown would end this one.
TEST(NoMemoryTest, LinesOfTheLogAreLost) {
  const std::string longerThanAnyBuffer(4000, 'x');
  logMessage(LogLevel::warn, "logged with memory");
  refusals = 0;
  memoryIsOut = true;
  logMessage(LogLevel::warn, "{}", longerThanAnyBuffer);
  memoryIsOut = false;
  if (refusals == 0)
    GTEST_SKIP() << "the library has an operator new of its own";
}

TEST(NoMemoryTest, FreeHugePagesCanBeHad) {
  constexpr size_t kPiece = size_t(64) << 10;
  void *first = takeFromSharedHugePages(kPiece);
  ASSERT_NE(first, nullptr);
  memoryIsOut = true;
  void *second = takeFromSharedHugePages(kPiece);
  memoryIsOut = false;
  EXPECT_NE(second, nullptr);
  returnToSharedHugePages(first, kPiece);
  if (second)
    returnToSharedHugePages(second, kPiece);
}

TEST(NoMemoryTest, NewHugePagesThatCannotBeKeptAreGivenBack) {
  constexpr size_t kLarge = size_t(1) << 30; // more than is free
  refusals = 0;
  memoryIsOut = true;
  void *none = takeFromSharedHugePages(kLarge);
  memoryIsOut = false;
  if (none)
    returnToSharedHugePages(none, kLarge);
  if (refusals == 0)
    GTEST_SKIP() << "the library has an operator new of its own";
  EXPECT_EQ(none, nullptr);
  void *some = takeFromSharedHugePages(kLarge);
  EXPECT_NE(some, nullptr);
  if (some)
    returnToSharedHugePages(some, kLarge);
}

} // namespace
