// One layer a key, however many ask.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/LayerTable.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace lintel {
namespace {

using Result = LayerTable::Result;

Result someLayer() { return std::make_shared<const CompiledLayer>(); }

void onThreads(int count, const std::function<void(int)> &body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(LayerTable, MakesALayerOnceForManyThreads) {
  LayerTable table;
  std::atomic<int> made = 0, madeHere = 0;
  std::vector<std::shared_ptr<const CompiledLayer>> kernels(64);
  onThreads(64, [&](int i) {
    LayerTable::Found found = table.findOrMake("key", [&]() -> Result {
      ++made;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return someLayer();
    });
    ASSERT_TRUE(found.result);
    madeHere += found.madeHere;
    kernels[i] = *found.result;
  });
  EXPECT_EQ(made, 1);
  EXPECT_EQ(madeHere, 1);
  for (const auto &kernel : kernels)
    EXPECT_EQ(kernel, kernels[0]);
}

TEST(LayerTable, KeysAreApart) {
  LayerTable table;
  auto a = table.findOrMake("a", someLayer),
       b = table.findOrMake("b", someLayer);
  EXPECT_NE(*a.result, *b.result);
  EXPECT_EQ(*a.result, *table.findOrMake("a", someLayer).result);
}

TEST(LayerTable, ForgetsFailures) {
  LayerTable table;
  auto failed = table.findOrMake(
      "key", [] { return Result(Error(ErrorCode::compile, "not today")); });
  ASSERT_FALSE(failed.result);
  EXPECT_EQ(failed.result.error().message(), "not today");
  EXPECT_TRUE(table.findOrMake("key", someLayer).result);
}

TEST(LayerTable, SharesAFailureWithThoseWhoWait) {
  constexpr int kWaiting = 4;
  LayerTable table;
  std::atomic<int> made = 0, failures = 0, there = 0;
  std::atomic<bool> started = false;
  const auto fail = [&]() -> Result {
    ++made;
    started = true;
    while (there < kWaiting)
      std::this_thread::yield();
    return Error(ErrorCode::compile, "no");
  };
  std::thread leader(
      [&] { failures += !table.findOrMake("key", fail).result; });
  while (!started)
    std::this_thread::yield();
  onThreads(kWaiting, [&](int) {
    bool isCounted = false;
    const auto arrive = [&] {
      there += !std::exchange(isCounted, true);
      return false;
    };
    const auto failToo = [&]() -> Result {
      ++made;
      arrive();
      return Error(ErrorCode::compile, "no");
    };
    // Those who wait are asked whether to go on.
    failures += !table.findOrMake("key", failToo, arrive).result;
  });
  leader.join();
  EXPECT_EQ(failures, 1 + kWaiting);
  EXPECT_EQ(made, 1);
}

TEST(LayerTable, ACancelledCallLeavesTheWorkToAnother) {
  LayerTable table;
  std::atomic<bool> started = false;
  std::thread cancelled([&] {
    auto found = table.findOrMake("key", [&]() -> Result {
      started = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      return Error(ErrorCode::cancelled, "interrupted");
    });
    EXPECT_FALSE(found.result);
  });
  while (!started)
    std::this_thread::yield();
  auto found = table.findOrMake("key", someLayer);
  cancelled.join();
  EXPECT_TRUE(found.result);
  EXPECT_TRUE(found.madeHere);
}

TEST(LayerTable, FindsWhatIsMadeAndWaitsForNothingElse) {
  LayerTable table;
  EXPECT_EQ(table.find("key"), nullptr);
  auto made = table.findOrMake("key", [&] {
    EXPECT_EQ(table.find("key"), nullptr) << "it is being made";
    return someLayer();
  });
  ASSERT_TRUE(made.result);
  EXPECT_EQ(table.find("key"), *made.result);
  EXPECT_EQ(table.find("other"), nullptr);
}

TEST(LayerTable, WhatACallThrowsIsNoAnswerToAnother) {
  LayerTable table;
  std::atomic<bool> started = false;
  std::thread throwing([&] {
    auto found = table.findOrMake("key", [&]() -> LayerTable::Result {
      started = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      throw std::runtime_error("of a callback");
    });
    ASSERT_FALSE(found.result);
    EXPECT_EQ(found.result.error().message(),
              "compiling failed: of a callback");
  });
  while (!started)
    std::this_thread::yield();
  auto found = table.findOrMake("key", someLayer);
  throwing.join();
  EXPECT_TRUE(found.result);
  EXPECT_TRUE(found.madeHere);
}

TEST(LayerTable, TurnsExceptionsIntoErrors) {
  LayerTable table;
  auto found = table.findOrMake(
      "key", []() -> Result { throw std::runtime_error("boom"); });
  ASSERT_FALSE(found.result);
  EXPECT_EQ(found.result.error().code(), ErrorCode::internal);
  EXPECT_NE(found.result.error().message().find("boom"), std::string::npos);
  EXPECT_TRUE(table.findOrMake("key", someLayer).result);
}

TEST(LayerTable, TurnsWhatIsNoExceptionIntoAnError) {
  LayerTable table;
  EXPECT_FALSE(table.findOrMake("key", []() -> Result { throw 7; }).result);
  EXPECT_TRUE(table.findOrMake("key", someLayer).result);
}

/// What `stop` gets who waits for another thread that makes the same.
LayerTable::Found waitBeside(LayerTable &table,
                             const std::function<bool()> &stop) {
  std::atomic<bool> started = false, over = false;
  std::thread leader([&] {
    auto found = table.findOrMake("key", [&]() -> Result {
      started = true;
      while (!over)
        std::this_thread::yield();
      return someLayer();
    });
    EXPECT_TRUE(found.result);
  });
  while (!started)
    std::this_thread::yield();
  LayerTable::Found waited = table.findOrMake("key", someLayer, stop);
  over = true;
  leader.join();
  return waited;
}

TEST(LayerTable, WhoWaitsCanBeCancelled) {
  LayerTable table;
  const auto waited = waitBeside(table, [] { return true; });
  ASSERT_FALSE(waited.result);
  EXPECT_EQ(waited.result.error().code(), ErrorCode::cancelled);
  EXPECT_TRUE(table.findOrMake("key", someLayer).result);
}

TEST(LayerTable, WhatStopThrowsIsAnError) {
  LayerTable table;
  const auto waited =
      waitBeside(table, []() -> bool { throw std::runtime_error("boom"); });
  ASSERT_FALSE(waited.result);
  EXPECT_EQ(waited.result.error().code(), ErrorCode::internal);
  EXPECT_EQ(waited.result.error().message(), "compiling failed: boom");
}

TEST(LayerTable, SaysThatMemoryRanOut) {
  LayerTable table;
  auto found =
      table.findOrMake("key", []() -> Result { throw std::bad_alloc(); });
  ASSERT_FALSE(found.result);
  EXPECT_EQ(found.result.error().message(), "compiling failed: out of memory");
}

TEST(LayerTable, AFailureDoesNotTakeAwayWhatReplacedIt) {
  LayerTable table;
  Result replaced = Error(ErrorCode::internal, "nothing yet");
  auto cancelled = table.findOrMake("key", [&]() -> Result {
    replaced = table.replace("key", someLayer);
    return Error(ErrorCode::cancelled, "interrupted");
  });
  EXPECT_FALSE(cancelled.result);
  ASSERT_TRUE(replaced);
  auto found = table.findOrMake("key", someLayer);
  EXPECT_FALSE(found.madeHere);
  EXPECT_EQ(*found.result, *replaced);
}

TEST(LayerTable, ReplacesOnDemand) {
  LayerTable table;
  auto first = *table.findOrMake("key", someLayer).result;
  auto second = *table.replace("key", someLayer);
  EXPECT_NE(first, second);
  EXPECT_EQ(*table.findOrMake("key", someLayer).result, second);
  // A failure leaves the kernel that was there.
  EXPECT_FALSE(table.replace(
      "key", [] { return Result(Error(ErrorCode::compile, "no")); }));
  EXPECT_EQ(*table.findOrMake("key", someLayer).result, second);
}

} // namespace
} // namespace lintel
