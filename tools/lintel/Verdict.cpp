// What `lintel check` found about one problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Verdict.h"

#include "JsonLine.h"
#include "Table.h"
#include "TuningText.h"

#include <algorithm>

namespace lintel::tool {

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
  return count(CandidateStatus::wrong) + count(CandidateStatus::failed) == 0;
}

/// Nothing if all were checked.
static std::string uncheckedText(size_t count) {
  return count == 0 ? "" : ", " + std::to_string(count) + " not checked";
}

std::string verdictText(const Verdict &verdict) {
  std::string text =
      "CHECK " + subjectText(verdict.problem, verdict.subject) + "\n";
  Table complaints("  ", {});
  for (const Candidate &candidate : verdict.candidates)
    if (candidate.status != CandidateStatus::right)
      complaints.addRow({candidate.schedule.text(),
                         std::string(toString(candidate.status)) +
                             (candidate.reason.empty() ? "" : ": ") +
                             candidate.reason});
  return text + complaints.text() +
         std::to_string(verdict.count(CandidateStatus::right)) + " right, " +
         std::to_string(verdict.count(CandidateStatus::wrong)) + " wrong, " +
         std::to_string(verdict.count(CandidateStatus::failed)) + " failed" +
         uncheckedText(verdict.count(CandidateStatus::unchecked)) +
         "; largest error " + fixed(verdict.maxError(), 4) +
         " of what is allowed\n";
}

std::string verdictJson(const Verdict &verdict) {
  return jsonLine([&](llvm::json::OStream &out) {
    writeSubject(out, verdict.subject);
    out.attribute("right", verdict.count(CandidateStatus::right));
    out.attribute("wrong", verdict.count(CandidateStatus::wrong));
    out.attribute("failed", verdict.count(CandidateStatus::failed));
    out.attribute("not_checked", verdict.count(CandidateStatus::unchecked));
    writeNumber(out, "max_error", verdict.maxError(), 6);
    out.attributeArray("candidates", [&] {
      for (const Candidate &candidate : verdict.candidates)
        out.object([&] {
          writeText(out, "schedule", candidate.schedule.text());
          writeText(out, "status", toString(candidate.status));
          writeNumber(out, "max_error", candidate.maxError, 6);
          if (!candidate.reason.empty())
            writeText(out, "reason", candidate.reason);
        });
    });
  });
}

} // namespace lintel::tool
