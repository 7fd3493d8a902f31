// Which layer is served once a parallel region of the host has left one of
// fewer threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Engine/EngineFixture.h"
#include "unit/Runtime/PlannedCalls.h"

#include <gmock/gmock.h>

#include <memory>
#include <set>
#include <string>

namespace lintel {
namespace {

using testing::ElementsAre;

class EngineRegionsTest : public EngineTest {
protected:
  EngineRegionsTest() {
    EngineOptions options;
    options.useCache = false;
    options.executor = std::make_shared<ThreadExecutor>();
    subject = engine(options);
  }

  /// Puts `layer` where a tuning inside a parallel region leaves its own.
  void leaveAsOfARegion(const CompiledLayer &layer) {
    const std::shared_ptr<CompiledLayer> left = subject->internals().newLayer();
    *left = layer;
    left->ofAllThreads = false;
    left->report.schedule = "of a region";
    keep(key(), left);
  }
  void keep(const std::string &name,
            const std::shared_ptr<const CompiledLayer> &layer) {
    ASSERT_TRUE(
        subject->internals().layers.replace(name, [&] { return layer; }));
  }
  std::string key() { return subject->internals().keyOf(problem).text(); }

  /// The schedules of the layers that callbacks of another compilation get.
  std::set<std::string> servedToCallbacks(const char *other) {
    std::set<std::string> served;
    CompileOptions options = quick();
    options.stop = [&] {
      const Expected<Linear> layer = subject->compile(problem);
      served.insert(layer ? layer->report().schedule : layer.error().message());
      return false;
    };
    EXPECT_TRUE(subject->compile(*Problem::parse(other), options));
    return served;
  }

  std::unique_ptr<Engine> subject;
};

TEST_F(EngineRegionsTest, ACallbackGetsTheLayerOfAllThreadsIfThereIsOne) {
  compile(*subject);
  const std::shared_ptr<const CompiledLayer> ofAll =
      subject->internals().layers.find(key());
  ASSERT_TRUE(ofAll);
  leaveAsOfARegion(*ofAll);
  EXPECT_THAT(servedToCallbacks("9x40:40x72 relu"), ElementsAre("of a region"));
  keep(nameOfAllThreads(key()), ofAll);
  EXPECT_THAT(servedToCallbacks("9x40:40x72 bias"),
              ElementsAre(ofAll->report.schedule));
}

TEST_F(EngineRegionsTest, WhatWasTunedAgainOutsideStaysTheLayerOfAllThreads) {
  CompileOptions options = quick();
  const LayerPlan plan =
      subject->internals().planLayer(problem, options).value();
  const auto find = [&] {
    return subject->internals().findOrTune(plan, key(), options).result.value();
  };
  leaveAsOfARegion({});
  const std::shared_ptr<const CompiledLayer> first = find();
  options.retune = true;
  const std::shared_ptr<const CompiledLayer> again = find();
  EXPECT_NE(again, first);
  EXPECT_TRUE(again->ofAllThreads);
  options.retune = false;
  leaveAsOfARegion({});
  EXPECT_EQ(find(), again);
}

} // namespace
} // namespace lintel
