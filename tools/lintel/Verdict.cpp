// What `lintel check` found about one problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verdict.h"

#include "JsonLine.h"
#include "Table.h"
#include "TuningText.h"

#include <algorithm>

namespace lintel::tool {

namespace {

/// Tuner::check calls a right candidate `timed`, although it timed nothing.
std::string_view verdictName(CandidateStatus status) {
  return status == CandidateStatus::timed ? "right" : toString(status);
}

} // namespace

size_t Verdict::count(CandidateStatus status) const {
  return size_t(std::ranges::count(candidates, status, &Candidate::status));
}

double Verdict::maxError() const {
  double largest = 0;
  for (const Candidate &candidate : candidates)
    largest = std::max(largest, candidate.maxError);
  return largest;
}

bool Verdict::isRight() const {
  return count(CandidateStatus::timed) == candidates.size();
}

std::string verdictText(const Verdict &verdict) {
  std::string text =
      "CHECK " + subjectText(verdict.problem, verdict.subject) + "\n";
  Table complaints("  ", {});
  for (const Candidate &candidate : verdict.candidates)
    if (candidate.status != CandidateStatus::timed)
      complaints.addRow({candidate.schedule.text(),
                         std::string(verdictName(candidate.status)) +
                             (candidate.reason.empty() ? "" : ": ") +
                             candidate.reason});
  return text + complaints.text() +
         std::to_string(verdict.count(CandidateStatus::timed)) + " right, " +
         std::to_string(verdict.count(CandidateStatus::wrong)) + " wrong, " +
         std::to_string(verdict.count(CandidateStatus::failed)) +
         " failed; largest error " + fixed(verdict.maxError(), 4) +
         " of what is allowed\n";
}

std::string verdictJson(const Verdict &verdict) {
  return jsonLine([&](llvm::json::OStream &out) {
    writeSubject(out, verdict.subject);
    out.attribute("right", verdict.count(CandidateStatus::timed));
    out.attribute("wrong", verdict.count(CandidateStatus::wrong));
    out.attribute("failed", verdict.count(CandidateStatus::failed));
    writeNumber(out, "max_error", verdict.maxError(), 6);
    out.attributeArray("candidates", [&] {
      for (const Candidate &candidate : verdict.candidates)
        out.object([&] {
          writeText(out, "schedule", candidate.schedule.text());
          writeText(out, "status", verdictName(candidate.status));
          writeNumber(out, "max_error", candidate.maxError, 6);
          if (!candidate.reason.empty())
            writeText(out, "reason", candidate.reason);
        });
    });
  });
}

} // namespace lintel::tool
