// An engine with a cache of its own, and a small layer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/EngineImpl.h"
#include "unit/Engine/LayerCheck.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace lintel {

class EngineTest : public testing::Test {
protected:
  std::unique_ptr<Engine> engine(EngineOptions options = {}) {
    if (!options.cacheDirectory)
      options.cacheDirectory = directory.path();
    options.threads = options.threads ? options.threads : 2;
    Expected<std::unique_ptr<Engine>> made = Engine::create(std::move(options));
    EXPECT_TRUE(made) << (made ? "" : made.error().message());
    return made ? std::move(*made) : nullptr;
  }

  Linear compile(Engine &engine, CompileOptions options = quick()) {
    Expected<Linear> layer = engine.compile(problem, options);
    EXPECT_TRUE(layer) << (layer ? "" : layer.error().message());
    return std::move(*layer);
  }

  static CompileOptions quick() {
    CompileOptions options;
    options.budgetMilliseconds = 30;
    return options;
  }

  /// Rewrites the stored entry of `problem` and puts it back.
  void editEntry(const std::function<void(CacheEntry &)> &edit) {
    auto other = engine();
    const CacheKey key = other->internals().keyOf(problem);
    std::optional<CacheEntry> entry = other->internals().cache->find(
        key, [](std::string_view) { return true; });
    ASSERT_TRUE(entry);
    edit(*entry);
    ASSERT_TRUE(other->internals().cache->put(key, *entry));
  }

  TemporaryDirectory directory;
  Problem problem = *Problem::parse("9x40:40x72 bias+gelu_erf+residual");
};

} // namespace lintel
