// A tuning report for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TuningText.h"

#include "ProblemArguments.h"
#include "Table.h"

#include "Lintel/Schedule.h"
#include "Schedule/Partition.h"

#include <algorithm>
#include <fmt/core.h>

namespace lintel::tool {

namespace {

/// A candidate's line. Rates follow from the winner's: all do the same work.
std::vector<std::string> candidateRow(const CandidateReport &candidate,
                                      const TuningReport &report) {
  if (!candidate.reason.empty())
    return {candidate.schedule, candidate.status + ": " + candidate.reason};
  if (candidate.medianMicroseconds <= 0)
    return {candidate.schedule, candidate.status + ": not timed"};
  const double share = report.medianMicroseconds / candidate.medianMicroseconds;
  return {candidate.schedule,
          (candidate.promised ? "~" : "") +
              millisecondsText(candidate.medianMicroseconds),
          fixed(100 * share, 1, "%"),
          fixed(report.gflops * share, 1, " GFLOP/s"),
          fixed(100 * report.peakFraction * share, 1, "% of peak")};
}

size_t countCandidates(const TuningReport &report) {
  size_t count = report.buckets.empty() ? report.candidates.size() : 0;
  for (const TuningReport &bucket : report.buckets)
    count += bucket.candidates.size();
  return count;
}

std::string costText(const TuningReport &report) {
  return counted(countCandidates(report), "candidate", "candidates") + ", " +
         counted(report.objectsCompiled, "object", "objects") + "; compile " +
         fixed(report.compileMilliseconds, 1, " ms") + ", verify " +
         fixed(report.verifyMilliseconds, 1, " ms") + ", time " +
         fixed(report.timeMilliseconds, 1, " ms") + ", total " +
         fixed(report.totalMilliseconds, 1, " ms");
}

/// How to be rid of what speaks against a choice. There was none where the
/// schedule was given, and without a cache the next run tunes anyway.
std::string_view adviceFor(const TuningReport &report) {
  return report.source == KernelSource::pinned || report.key.empty()
             ? ""
             : " (tune --retune tunes again)";
}

/// What speaks against the choice of a race that has just ended.
std::string raceDoubtText(const TuningReport &report) {
  if (report.interrupted)
    return "; interrupted: the best so far won";
  if (!report.noisy)
    return "";
  return std::string("; noisy").append(adviceFor(report));
}

/// A kernel that was there cost a look-up; one that was made, a race. Without a
/// cache on disk only this run's own kernels can be there, and have no key.
std::string summaryText(const TuningReport &report) {
  if (report.source != KernelSource::cache)
    return costText(report) + raceDoubtText(report);
  std::string place = "already compiled in this run";
  if (!report.key.empty())
    place = report.buckets.empty() ? "from the cache, key " + report.key
                                   : std::to_string(report.buckets.size()) +
                                         " kernels from the cache";
  return place + doubtText(report) + ", in " +
         fixed(report.totalMilliseconds, 1, " ms");
}

} // namespace

const TuningReport &kernelFor(const TuningReport &layer, int64_t rows) {
  auto bucket =
      std::ranges::find_if(layer.buckets, [&](const TuningReport &bucket) {
        return bucket.rows.contains(rows);
      });
  return bucket == layer.buckets.end() ? layer : *bucket;
}

Problem bucketOf(const Problem &problem, const TuningReport &bucket) {
  // A range that could be tuned is one that a problem can have.
  return problem.withRowRange(bucket.rows).value();
}

std::string doubtText(const TuningReport &report) {
  if (!report.noisy && !report.interrupted)
    return "";
  if (report.source == KernelSource::pinned)
    return report.interrupted ? ", interrupted" : ", noisy";
  std::string text = report.interrupted ? ", from an interrupted tuning"
                                        : ", from a noisy tuning";
  return text.append(adviceFor(report));
}

std::string medianText(const TuningReport &report) {
  return report.medianMicroseconds > 0
             ? (report.promised ? "~" : "") +
                   millisecondsText(report.medianMicroseconds)
             : "not timed";
}

std::string subjectText(const Problem &problem, const TuningReport &report) {
  return headline(problem) + " threads=" + std::to_string(report.threads) +
         " isa=" + report.isa;
}

std::string idleText(const std::string &schedule, const Problem &problem,
                     int threads) {
  const Expected<Schedule> parsed = Schedule::parse(schedule);
  if (!parsed)
    return "";
  const int64_t busy = threadsTaken(*parsed, problem, threads);
  return busy < threads
             ? fmt::format("works on {} of {} threads", busy, threads)
             : "";
}

/// `text` as a line of its own, if there is any.
static std::string onALine(const std::string &text) {
  return text.empty() ? "" : text + "\n";
}

/// Those that noise does not let tell from the winner are reported with its
/// numbers, as are those that were faster and gave way, which say why.
static std::string tiesText(const TuningReport &report) {
  const auto ties = std::ranges::count_if(
      report.candidates, [&](const CandidateReport &candidate) {
        return candidate.status != "winner" && candidate.reason.empty() &&
               candidate.medianMicroseconds > 0 &&
               candidate.medianMicroseconds == report.medianMicroseconds;
      });
  return ties == 0 ? ""
                   : "within noise of the best: " + std::to_string(ties) + "\n";
}

static std::string promisesText(const TuningReport &report) {
  const bool some = std::ranges::any_of(
      report.candidates, [](const CandidateReport &candidate) {
        return candidate.promised && candidate.reason.empty();
      });
  return some ? "~: scaled up from a part of the rows or columns\n" : "";
}

/// The race of one kernel: a head line, a line for each candidate, what "~"
/// means, and how many tie.
static std::string raceText(const Problem &problem,
                            const TuningReport &report) {
  std::string text = "AUTOTUNE " + subjectText(problem, report);
  // Others than usual stand in the range: "5..16@8".
  if (!problem.rows().isKnown() &&
      problem.rowsText().find('@') == std::string::npos)
    text += ", timed with " +
            counted(size_t(problem.rows().typical), "row", "rows");
  text += "\n";
  using enum Table::Align;
  Table table("  ", {left, right, right, right, right});
  // A remark beside the schedule is no number and must not widen its column.
  Table remarks("  ", {left, left});
  for (const CandidateReport &candidate : report.candidates) {
    std::vector<std::string> row = candidateRow(candidate, report);
    (row.size() > 2 ? table : remarks).addRow(std::move(row));
  }
  return text + table.text() + remarks.text() + promisesText(report) +
         tiesText(report) +
         onALine(idleText(report.schedule, problem, report.threads));
}

/// "48", or "2 group=16" where elements of K lie side by side.
static std::string panelName(const PanelReport &panel) {
  return std::to_string(panel.columns) +
         (panel.group == 1 ? "" : " group=" + std::to_string(panel.group));
}

/// Which columns the packed weight is cut into, and how the others compare.
static std::string panelText(const std::vector<PanelReport> &panels) {
  if (panels.empty())
    return "";
  std::string text = "panels of " + panelName(panels.front()) + ": " +
                     fixed(panels.front().slowdown, 3) +
                     " times the best of each kernel by itself";
  for (size_t i = 1; i < panels.size(); ++i)
    text += (i == 1 ? "; " : ", ") + panelName(panels[i]) + ": " +
            fixed(panels[i].slowdown, 3);
  return text + "\n";
}

std::string tuningText(const Problem &problem, const TuningReport &report) {
  if (report.schedule.empty())
    return "AUTOTUNE " + subjectText(problem, report) +
           "\n  nothing to compute\n";
  if (report.buckets.empty())
    return raceText(problem, report) + summaryText(report) + "\n";
  std::string text;
  for (const TuningReport &bucket : report.buckets)
    text += raceText(bucketOf(problem, bucket), bucket);
  return text + panelText(report.panels) + summaryText(report) + "\n";
}

size_t &TuningTotal::counterOf(const TuningReport &report) {
  if (report.schedule.empty()) // also where --schedule names one
    return empty;
  switch (report.source) {
  case KernelSource::cache:
    return found;
  case KernelSource::pinned:
    return pinned;
  case KernelSource::tuned:
    break;
  }
  return tuned;
}

void TuningTotal::add(const TuningReport &report) {
  ++counterOf(report);
  compileMilliseconds += report.compileMilliseconds;
  verifyMilliseconds += report.verifyMilliseconds;
  timeMilliseconds += report.timeMilliseconds;
  totalMilliseconds += report.totalMilliseconds;
}

std::string TuningTotal::text() const {
  const auto others = [](size_t count, std::string_view what) {
    return count == 0 ? ""
                      : ", " + std::to_string(count) + " " + std::string(what);
  };
  return std::to_string(problems()) + " problems: " + std::to_string(tuned) +
         " tuned, " + std::to_string(found) + " already there" +
         others(pinned, "pinned") + others(empty, "with nothing to compute") +
         others(failed, "failed") + "; compile " +
         fixed(compileMilliseconds / 1000, 1, " s, verify ") +
         fixed(verifyMilliseconds / 1000, 1, " s, time ") +
         fixed(timeMilliseconds / 1000, 1, " s, total ") +
         fixed(totalMilliseconds / 1000, 1, " s");
}

} // namespace lintel::tool
