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

/// Nothing else than a kernel was missing: other panels may have one. An
/// interrupt, or a lack of memory, is the same for all.
bool isForWantOfAKernel(const Error &error) {
  return error.code() == ErrorCode::invalidArgument || // no schedule has them
         error.code() == ErrorCode::compile ||
         error.code() == ErrorCode::wrongResult;
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
      : buckets(buckets), options(options), tune(tune), free(buckets.size()),
        settled(buckets.size()) {}

  Expected<TunedBuckets> run();

private:
  Status raceFreely();
  Expected<TuningResult> withPanel(size_t bucket, PanelShape panel);
  Status settleOn(PanelShape panel);
  void giveUpPanel();
  TuningResult takeResult(size_t bucket);
  Expected<TuningResult> raceAgain(size_t bucket, PanelShape panel);
  Expected<TuningResult> takePredicted(size_t bucket, PanelShape panel);
  TuningOptions optionsFor(size_t bucket) const;

  const std::vector<Problem> &buckets;
  const TuningOptions &options;
  const TuneProblem &tune;
  /// Of first races; none of those that a stop left out.
  std::vector<std::optional<TuningResult>> free;
  /// With the panel that is tried, where the free winner has another one.
  std::vector<std::optional<TuningResult>> settled;
  bool stopped = false;
};

/// All first races and, if it comes to that, all second ones share the budget;
/// each may exceed its part as a tuning exceeds a budget of its own.
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
    free[i] = std::move(*result);
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
  // Who asked for a stop waits: a call on the whole may take seconds.
  hasty.maxNeighbours = hasty.maxConfirmed = 0;
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

/// A second race, or, after a stop, what is predicted.
Expected<TuningResult> BucketTuning::withPanel(size_t bucket,
                                               PanelShape panel) {
  Expected<TuningResult> result =
      stopped ? takePredicted(bucket, panel) : raceAgain(bucket, panel);
  if (!result && wasCancelled(result.error())) {
    stopped = true;
    result = takePredicted(bucket, panel);
  }
  if (result)
    stopped |= result->interrupted;
  return result;
}

/// Gives every bucket a winner with this panel. Free ones stay as they are, in
/// case another bucket has none: they had more time and a wider choice.
Status BucketTuning::settleOn(PanelShape panel) {
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (free[i] && free[i]->winner().schedule.panel() == panel)
      continue;
    Expected<TuningResult> result = withPanel(i, panel);
    if (!result)
      return result.error();
    settled[i] = std::move(*result);
  }
  return {};
}

/// What was spent on it is spent.
void BucketTuning::giveUpPanel() {
  for (size_t i = 0; i < buckets.size(); ++i) {
    if (free[i] && settled[i])
      addCosts(*free[i], *settled[i]);
    settled[i].reset();
  }
}

TuningResult BucketTuning::takeResult(size_t bucket) {
  if (!settled[bucket])
    return std::move(*free[bucket]);
  if (free[bucket])
    addEarlier(*settled[bucket], *free[bucket]);
  return std::move(*settled[bucket]);
}

Expected<TunedBuckets> BucketTuning::run() {
  if (Status raced = raceFreely(); !raced)
    return raced.error();
  std::vector<const TuningResult *> raced;
  for (const std::optional<TuningResult> &result : free)
    if (result)
      raced.push_back(&*result);
  std::vector<PanelReport> panels = rankPanels(raced);
  Status done = settleOn({panels.front().columns, panels.front().group});
  while (!done && isForWantOfAKernel(done.error()) && panels.size() > 1) {
    giveUpPanel();
    panels.erase(panels.begin());
    done = settleOn({panels.front().columns, panels.front().group});
  }
  if (!done)
    return done.error();
  TunedBuckets tuned;
  for (size_t i = 0; i < buckets.size(); ++i)
    tuned.results.push_back(takeResult(i));
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
