// A dynamic M: a kernel for each bucket, tuned, cached and run as one layer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/DiskCache.h"
#include "Codegen/Compiler.h"
#include "Engine/EngineImpl.h"
#include "Engine/LinearImpl.h"
#include "unit/Cache/FaultyFiles.h"
#include "unit/Engine/LayerCheck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace lintel {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class EngineBucketsTest : public testing::Test {
protected:
  std::unique_ptr<Engine> engine(int threads = 1) {
    EngineOptions options;
    options.cacheDirectory = directory.path();
    options.threads = threads;
    Expected<std::unique_ptr<Engine>> made = Engine::create(std::move(options));
    EXPECT_TRUE(made) << (made ? "" : made.error().message());
    return made ? std::move(*made) : nullptr;
  }

  static CompileOptions quick(std::vector<int64_t> rows = {1, 8}) {
    CompileOptions options;
    options.budgetMilliseconds = 30;
    options.rows = std::move(rows);
    return options;
  }

  Linear compile(Engine &engine, const CompileOptions &options = quick()) {
    Expected<Linear> layer = engine.compile(problem, options);
    EXPECT_TRUE(layer) << (layer ? "" : layer.error().message());
    return std::move(*layer);
  }

  std::string refusal(Engine &engine, const CompileOptions &options) {
    Expected<Linear> layer = engine.compile(problem, options);
    return layer ? "" : layer.error().message();
  }

  TemporaryDirectory directory;
  Problem problem = *Problem::parse("?x24:24x100 bias+gelu_erf+residual");
};

std::vector<std::string> rowsOf(const TuningReport &report) {
  std::vector<std::string> texts;
  for (const TuningReport &bucket : report.buckets)
    texts.push_back(std::to_string(bucket.rows.least) + ".." +
                    std::to_string(bucket.rows.typical));
  return texts;
}

/// The panels that all kernels want; one if they share a weight.
std::set<PanelShape> panelsOf(const TuningReport &report) {
  std::set<PanelShape> panels;
  for (const TuningReport &bucket : report.buckets)
    panels.insert(Schedule::parse(bucket.schedule)->panel());
  return panels;
}

void expectRightAroundBorders(Linear &layer) {
  LayerData weight(layer.problem(), 1);
  giveWeight(layer, weight);
  for (int64_t rows : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 150}) {
    LayerData data(layer.problem(), rows);
    data.w = weight.w;
    expectRightRun(layer, data);
  }
}

TEST_F(EngineBucketsTest, HasAKernelForEachOfTheUsualRows) {
  auto subject = engine(2);
  Linear layer = compile(*subject, quick({}));
  EXPECT_THAT(rowsOf(layer.report()),
              ElementsAre("1..1", "2..4", "5..16", "17..64", "65..512"));
  EXPECT_EQ(panelsOf(layer.report()).size(), 1u);
  expectRightAroundBorders(layer);
}

TEST_F(EngineBucketsTest, ReportsTheLastKernelAndTheSums) {
  auto subject = engine();
  Linear layer = compile(*subject);
  const TuningReport &report = layer.report();
  EXPECT_EQ(report.problem, problem.text());
  EXPECT_EQ(report.source, KernelSource::tuned);
  EXPECT_EQ(report.rows, RowRange::any());
  ASSERT_EQ(report.buckets.size(), 2u);
  const TuningReport &first = report.buckets[0], &last = report.buckets[1];
  EXPECT_EQ(first.problem, "1x24:24x100 bias+gelu_erf+residual");
  EXPECT_EQ(last.problem, "2..?@8x24:24x100 bias+gelu_erf+residual");
  EXPECT_EQ(report.schedule, last.schedule);
  EXPECT_EQ(report.key, last.key);
  EXPECT_NE(first.key, last.key);
  EXPECT_EQ(report.medianMicroseconds, last.medianMicroseconds);
  EXPECT_EQ(report.candidates.size(), last.candidates.size());
  EXPECT_EQ(report.objectsCompiled,
            first.objectsCompiled + last.objectsCompiled);
  EXPECT_EQ(report.maxError, std::max(first.maxError, last.maxError));
  EXPECT_GT(first.gflops, 0);
  ASSERT_FALSE(report.panels.empty());
  const PanelReport &panel = report.panels.front();
  EXPECT_THAT(panelsOf(report),
              ElementsAre(PanelShape{panel.columns, panel.group}));
}

TEST_F(EngineBucketsTest, ServesAllKernelsFromDisk) {
  std::string schedule;
  {
    auto first = engine();
    Linear layer = compile(*first);
    schedule = layer.report().schedule;
    EXPECT_EQ(first->internals().cache->statistics().writes, 2u);
    EXPECT_EQ(compile(*first).report().source, KernelSource::cache);
  }
  auto second = engine();
  Linear layer = compile(*second);
  const TuningReport &report = layer.report();
  EXPECT_EQ(report.source, KernelSource::cache);
  EXPECT_EQ(report.schedule, schedule);
  EXPECT_EQ(report.objectsCompiled, 0);
  EXPECT_THAT(rowsOf(report), ElementsAre("1..1", "2..8"));
  EXPECT_FALSE(report.panels.empty());
  for (const TuningReport &bucket : report.buckets) {
    EXPECT_EQ(bucket.source, KernelSource::cache);
    EXPECT_EQ(bucket.objectsCompiled, 0);
    EXPECT_FALSE(bucket.candidates.empty());
  }
  EXPECT_EQ(second->internals().lazyTuner, nullptr);
  expectRightAroundBorders(layer);
}

TEST_F(EngineBucketsTest, AMissingKernelTunesAll) {
  {
    auto first = engine();
    compile(*first);
  }
  std::filesystem::remove(directory.files().front());
  auto second = engine();
  EXPECT_EQ(compile(*second).report().source, KernelSource::tuned);
  EXPECT_EQ(second->internals().cache->statistics().writes, 2u);
}

/// What two processes that tune at once may leave behind.
TEST_F(EngineBucketsTest, KernelsThatWantDifferentWeightsAreTunedAgain) {
  const auto pin = [](int64_t nr) {
    return "tile=1x" + std::to_string(nr) +
           ",pack=none,epilogue=registers,mc=whole,nc=whole,kc=whole,blocks=mn,"
           "tiles=mn,grid=1x1";
  };
  {
    auto first = engine();
    compile(*first);
    Engine::Impl &impl = first->internals();
    const int64_t lanes = impl.target.lanes();
    // Another width's schedule and object under the key of the first bucket.
    const Problem bucket = *problem.withRowRange(RowRange::known(1));
    const int64_t width =
        Schedule::parse(compile(*first).report().schedule)->nr;
    const int64_t other = width == lanes ? 2 * lanes : lanes;
    auto compiler = Compiler::create(impl.target);
    ASSERT_TRUE(compiler);
    Expected<ObjectCode> object =
        (*compiler)->compile(bucket, *Schedule::parse(pin(other)));
    ASSERT_TRUE(object) << object.error().message();
    const CacheKey key = impl.keyOf(bucket, {1, 8});
    std::optional<CacheEntry> entry =
        impl.cache->find(key, [](std::string_view) { return true; });
    ASSERT_TRUE(entry);
    const size_t at = entry->record.find(R"("winner":{"schedule":")");
    ASSERT_NE(at, std::string::npos);
    const size_t begin = at + 22, end = entry->record.find('"', begin);
    entry->record.replace(begin, end - begin, pin(other));
    entry->object = object->bytes;
    ASSERT_TRUE(impl.cache->put(key, *entry));
  }
  auto second = engine();
  testing::internal::CaptureStderr();
  Linear layer = compile(*second);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("[warn] the cached kernels of ?x24"),
                    HasSubstr("two processes that tune at once"),
                    HasSubstr("ended while it stored them")));
  EXPECT_EQ(layer.report().source, KernelSource::tuned);
  EXPECT_EQ(panelsOf(layer.report()).size(), 1u);
  expectRightAroundBorders(layer);
}

// Half of it beside half of the old one may be of no use.
TEST_F(EngineBucketsTest, ALayerThatCannotBeStoredWholeLeavesTheOldOne) {
  class FullAfterOneFile final : public test::FaultyFiles {
    int createToWrite(int directory, const std::string &name) override {
      return ++files > 1 ? -ENOSPC
                         : FaultyFiles::createToWrite(directory, name);
    }
    int files = 0;
  };
  compile(*engine());
  const auto contents = [&] {
    std::map<std::string, std::string> texts;
    for (const std::string &file : directory.files()) {
      std::ifstream stream(file, std::ios::binary);
      texts[file] = {std::istreambuf_iterator<char>(stream), {}};
    }
    return texts;
  };
  const auto before = contents();
  EXPECT_EQ(before.size(), 2u);

  auto subject = engine();
  subject->internals().cache =
      *DiskCache::at(directory.path(), std::make_shared<FullAfterOneFile>());
  CompileOptions again = quick();
  again.retune = true;
  testing::internal::CaptureStderr();
  const Linear layer = compile(*subject, again);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("[warn] the kernels of ?x24:24x100"
                        " bias+gelu_erf+residual are not cached: "));
  for (const TuningReport &bucket : layer.report().buckets)
    EXPECT_EQ(bucket.key, "");
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(compile(*engine()).report().source, KernelSource::cache);
}

TEST_F(EngineBucketsTest, EachMixIsALayerOfItsOwn) {
  auto subject = engine();
  compile(*subject, quick({1, 8}));
  EXPECT_EQ(compile(*subject, quick({8, 1, 8})).report().source,
            KernelSource::cache);
  // The first bucket is the same problem, but belongs to another mix.
  EXPECT_EQ(compile(*subject, quick({1, 4})).report().source,
            KernelSource::tuned);
  EXPECT_EQ(subject->internals().cache->statistics().writes, 4u);
}

TEST_F(EngineBucketsTest, RefusesRowsThatMeanNothing) {
  auto subject = engine();
  EXPECT_THAT(refusal(*subject, quick({0, 8})), HasSubstr("0 is no number"));
  EXPECT_THAT(refusal(*subject, quick({1, 2, 3, 4, 5, 6, 7, 8, 9})),
              HasSubstr("at most 8"));
  CompileOptions pinned = quick();
  pinned.schedule = "tile=1x16";
  EXPECT_THAT(refusal(*subject, pinned), HasSubstr("pinned schedule"));
  for (const char *text : {"5x24:24x100", "5..9x24:24x100", "?@64x24:24x100"}) {
    problem = *Problem::parse(text);
    EXPECT_THAT(refusal(*subject, quick()), HasSubstr("with '?' rows")) << text;
  }
}

TEST_F(EngineBucketsTest, APinnedScheduleIsOneKernel) {
  auto subject = engine();
  CompileOptions pinned = quick({});
  pinned.schedule =
      "tile=2x" + std::to_string(subject->internals().target.lanes());
  Linear layer = compile(*subject, pinned);
  EXPECT_TRUE(layer.report().buckets.empty());
  EXPECT_EQ(layer.report().source, KernelSource::pinned);
  expectRightAroundBorders(layer);
}

TEST_F(EngineBucketsTest, AStopLeavesALayerForAnyRows) {
  auto subject = engine();
  CompileOptions options = quick({});
  options.budgetMilliseconds = 60000;
  int asked = 0;
  options.stop = [&] { return ++asked > 20; };
  Linear layer = compile(*subject, options);
  EXPECT_GT(asked, 20);
  EXPECT_EQ(layer.report().buckets.size(), 5u);
  EXPECT_TRUE(layer.report().interrupted);
  for (const TuningReport &bucket : layer.report().buckets)
    EXPECT_TRUE(bucket.interrupted) << bucket.problem;
  EXPECT_LT(layer.report().totalMilliseconds, 30000);
  expectRightAroundBorders(layer);
}

TEST_F(EngineBucketsTest, PicksTheKernelByRows) {
  auto subject = engine();
  Linear::Impl impl(
      problem, {},
      [&] {
        auto layer = std::make_shared<CompiledLayer>();
        for (const char *text :
             {"1x24:24x100", "2..8x24:24x100", "9..?x24:24x100"}) {
          const Schedule schedule{.mr = 1,
                                  .nr = subject->internals().target.lanes()};
          LayerTable::Result one = subject->internals().compilePinned(
              *Problem::parse(text), schedule, {});
          EXPECT_TRUE(one) << (one ? "" : one.error().message());
          layer->kernels.push_back((*one)->kernels.front());
        }
        return layer;
      }(),
      subject->internals().target, nullptr, 1);
  const auto bucketOf = [&](int64_t rows) {
    return &impl.planFor(rows) - impl.plans.data();
  };
  EXPECT_EQ(bucketOf(1), 0);
  EXPECT_EQ(bucketOf(2), 1);
  EXPECT_EQ(bucketOf(8), 1);
  EXPECT_EQ(bucketOf(9), 2);
  EXPECT_EQ(bucketOf(RowRange::kLargest), 2);
}

} // namespace
} // namespace lintel
