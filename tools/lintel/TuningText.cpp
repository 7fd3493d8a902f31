// A tuning report for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TuningText.h"

#include "ProblemArguments.h"
#include "Table.h"

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
  return {
      candidate.schedule, fixed(candidate.medianMicroseconds / 1000, 4, " ms"),
      fixed(100 * share, 1, "%"), fixed(report.gflops * share, 1, " GFLOP/s"),
      fixed(100 * report.peakFraction * share, 1, "% of peak")};
}

std::string costText(const TuningReport &report) {
  return std::to_string(report.candidates.size()) + " candidates, " +
         std::to_string(report.objectsCompiled) + " objects; compile " +
         fixed(report.compileMilliseconds, 1, " ms") + ", verify " +
         fixed(report.verifyMilliseconds, 1, " ms") + ", time " +
         fixed(report.timeMilliseconds, 1, " ms") + ", total " +
         fixed(report.totalMilliseconds, 1, " ms");
}

/// A kernel that was there cost a look-up; one that was made, a race. Without a
/// cache on disk only this run's own kernels can be there, and have no key.
std::string summaryText(const TuningReport &report) {
  if (report.source != KernelSource::cache)
    return costText(report);
  return (report.key.empty() ? "already compiled in this run"
                             : "from the cache, key " + report.key) +
         ", in " + fixed(report.totalMilliseconds, 1, " ms");
}

} // namespace

std::string subjectText(const Problem &problem, const TuningReport &report) {
  return headline(problem) + " threads=" + std::to_string(report.threads) +
         " isa=" + report.isa;
}

std::string tuningText(const Problem &problem, const TuningReport &report) {
  std::string text = "AUTOTUNE " + subjectText(problem, report) + "\n";
  if (report.schedule.empty())
    return text + "  nothing to compute\n";
  using enum Table::Align;
  Table table("  ", {left, right, right, right, right});
  // A remark beside the schedule is no number and must not widen its column.
  Table remarks("  ", {left, left});
  for (const CandidateReport &candidate : report.candidates) {
    std::vector<std::string> row = candidateRow(candidate, report);
    (row.size() > 2 ? table : remarks).addRow(std::move(row));
  }
  return text + table.text() + remarks.text() + summaryText(report) + "\n";
}

} // namespace lintel::tool
