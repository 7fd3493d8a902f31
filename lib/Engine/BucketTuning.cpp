// Tuning the buckets of a layer to one panel shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/BucketTuning.h"

#include "Engine/Buckets.h"
#include "Engine/PanelChoice.h"
#include "Engine/TuningCosts.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace lintel {
namespace {

/// Budget of a second race over that of the first: it chooses among less.
constexpr double kSecondShare = 0.5;
constexpr size_t kSecondCandidates = 24;
constexpr size_t kSecondObjects = 4;
/// After a stop: the best predicted, and a few where it turns out to spill.
constexpr size_t kHastyCandidates[] = {1, 3};
constexpr double kHastyMilliseconds = 1;

bool wasCancelled(const Error &error) {
  return error.code() == ErrorCode::cancelled;
}

/// A bucket's part of the budget. A call with 512 rows takes some twenty times
/// as long as one with 1, which waits for the weight; the cube root lies
/// between equal times and equal numbers of calls.
double weightOf(const Problem &bucket) {
  return std::cbrt(static_cast<double>(bucket.rows().typical));
}

void addEarlier(TuningResult &result, const TuningResult &earlier) {
  addCosts(result, earlier);
  result.interrupted |= earlier.interrupted;
  if (result.doubt.empty())
    result.doubt = earlier.doubt;
}

class BucketTuning {
public:
  BucketTuning(const std::vector<Problem> &buckets,
               const TuningOptions &options, const TuneProblem &tune)
      : buckets(buckets), options(options), tune(tune),
        results(buckets.size()) {}

  Expected<TunedBuckets> run();

private:
  Status raceFreely();
  Status settleOn(PanelShape panel);
  Expected<TuningResult> raceAgain(size_t bucket, PanelShape panel);
  Expected<TuningResult> takePredicted(size_t bucket, PanelShape panel);
  TuningOptions optionsFor(size_t bucket) const;

  const std::vector<Problem> &buckets;
  const TuningOptions &options;
  const TuneProblem &tune;
  std::vector<std::optional<TuningResult>> results;
  bool stopped = false;
};

/// All first races and, if it comes to that, all second ones fit the budget.
TuningOptions BucketTuning::optionsFor(size_t bucket) const {
  double all = 0;
  for (const Problem &each : buckets)
    all += weightOf(each);
  TuningOptions own = options;
  own.budgetMilliseconds *=
      weightOf(buckets[bucket]) / all / (1 + kSecondShare);
  if (options.progress)
    own.progress = [this, bucket](size_t done, size_t total,
                                  std::string_view what) {
      options.progress(done, total,
                       rowsInWords(buckets[bucket]) + ", " + std::string(what));
    };
  return own;
}

Status BucketTuning::raceFreely() {
  for (size_t i = 0; i < buckets.size() && !stopped; ++i) {
    Expected<TuningResult> result = tune(buckets[i], optionsFor(i));
    if (!result && wasCancelled(result.error()) && i > 0) {
      stopped = true;
      return {};
    }
    if (!result)
      return result.error();
    stopped = result->interrupted;
    results[i] = std::move(*result);
  }
  return {};
}

Expected<TuningResult> BucketTuning::raceAgain(size_t bucket,
                                               PanelShape panel) {
  TuningOptions again = optionsFor(bucket);
  again.panel = panel;
  again.budgetMilliseconds *= kSecondShare;
  again.maxCandidates = kSecondCandidates;
  again.maxObjects = kSecondObjects;
  return tune(buckets[bucket], again);
}

Expected<TuningResult> BucketTuning::takePredicted(size_t bucket,
                                                   PanelShape panel) {
  TuningOptions hasty = optionsFor(bucket);
  hasty.panel = panel;
  hasty.budgetMilliseconds = kHastyMilliseconds;
  hasty.maxNeighbours = 0;
  hasty.stop = nullptr;
  Expected<TuningResult> result = Error(ErrorCode::internal, "not tuned yet");
  for (size_t candidates : kHastyCandidates) {
    hasty.maxCandidates = candidates;
    result = tune(buckets[bucket], hasty);
    if (result)
      break;
  }
  if (result)
    result->interrupted = true;
  return result;
}

/// Gives every bucket a winner with this panel.
Status BucketTuning::settleOn(PanelShape panel) {
  for (size_t i = 0; i < buckets.size(); ++i) {
    std::optional<TuningResult> &current = results[i];
    if (current && current->winner().schedule.panel() == panel)
      continue;
    Expected<TuningResult> result =
        stopped ? takePredicted(i, panel) : raceAgain(i, panel);
    if (!result && wasCancelled(result.error())) {
      stopped = true;
      result = takePredicted(i, panel);
    }
    if (!result)
      return result.error();
    stopped |= result->interrupted;
    if (current)
      addEarlier(*result, *current);
    current = std::move(*result);
  }
  return {};
}

Expected<TunedBuckets> BucketTuning::run() {
  if (Status raced = raceFreely(); !raced)
    return raced.error();
  std::vector<const TuningResult *> raced;
  for (const std::optional<TuningResult> &result : results)
    if (result)
      raced.push_back(&*result);
  std::vector<PanelReport> panels = rankPanels(raced);
  // A panel that a bucket turns out to have no right kernel for is passed over.
  Status settled;
  while (!panels.empty()) {
    settled = settleOn({panels.front().columns, panels.front().group});
    if (settled)
      break;
    panels.erase(panels.begin());
  }
  if (!settled)
    return settled.error();
  TunedBuckets tuned;
  for (std::optional<TuningResult> &result : results)
    tuned.results.push_back(std::move(*result));
  tuned.panels = std::move(panels);
  return tuned;
}

} // namespace

Expected<TunedBuckets> tuneBuckets(const std::vector<Problem> &buckets,
                                   const TuningOptions &options,
                                   const TuneProblem &tune) {
  if (buckets.size() != 1)
    return BucketTuning(buckets, options, tune).run();
  Expected<TuningResult> result = tune(buckets.front(), options);
  if (!result)
    return result.error();
  TunedBuckets tuned;
  tuned.results.push_back(std::move(*result));
  return tuned;
}

} // namespace lintel
