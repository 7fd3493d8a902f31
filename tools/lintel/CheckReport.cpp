// What `lintel check` found about one problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckReport.h"

#include "JsonLine.h"
#include "Table.h"
#include "TuningText.h"

#include <algorithm>
#include <map>

namespace lintel::tool {

size_t CheckReport::count(CandidateStatus status) const {
  return size_t(std::ranges::count(candidates, status, &Candidate::status));
}

double CheckReport::maxError() const {
  double largest = 0;
  for (const Candidate &candidate : candidates)
    largest = std::max(largest, candidate.maxError);
  return largest;
}

bool CheckReport::isRight() const {
  return count(CandidateStatus::wrong) + count(CandidateStatus::failed) == 0;
}

/// Nothing if all were checked.
static std::string uncheckedText(size_t count) {
  return count == 0 ? "" : ", " + std::to_string(count) + " not checked";
}

/// A result that is off by half a unit in its last place is as right as can be.
static std::string roundingText(DType result) {
  if (result != DType::bf16 && result != DType::f16)
    return "";
  return " (rounding to " + std::string(toString(result)) +
         " alone may take nearly all of it)";
}

/// Nothing where nothing was compared.
static std::string errorText(const CheckReport &report) {
  if (report.count(CandidateStatus::right) +
          report.count(CandidateStatus::wrong) ==
      0)
    return {};
  return "; largest error " + fixed(report.maxError(), 4) +
         " of what is allowed" + roundingText(report.problem.types().result);
}

/// Each schedule that is not right; of those that were not checked, for a
/// reason that many share, such as an interrupt, how many there are.
static Table complaintsOf(const CheckReport &report) {
  std::map<std::string, size_t> unchecked; // by reason
  for (const Candidate &candidate : report.candidates)
    if (candidate.status == CandidateStatus::unchecked)
      ++unchecked[candidate.reason];
  constexpr size_t kFew = 8;
  const auto isOneOfMany = [&](const Candidate &candidate) {
    return candidate.status == CandidateStatus::unchecked &&
           unchecked[candidate.reason] > kFew;
  };
  const auto complaint = [](CandidateStatus status, const std::string &reason) {
    return std::string(toString(status)) + (reason.empty() ? "" : ": ") +
           reason;
  };
  Table complaints("  ", {});
  for (const Candidate &candidate : report.candidates)
    if (candidate.status != CandidateStatus::right && !isOneOfMany(candidate))
      complaints.addRow({candidate.schedule.text(),
                         complaint(candidate.status, candidate.reason)});
  for (const auto &[reason, count] : unchecked)
    if (count > kFew)
      complaints.addRow({std::to_string(count) + " schedules",
                         complaint(CandidateStatus::unchecked, reason)});
  return complaints;
}

std::string checkText(const CheckReport &report) {
  std::string text =
      "CHECK " + subjectText(report.problem, report.subject) + "\n";
  if (report.candidates.empty())
    return text + "  nothing to compute\n";
  return text + complaintsOf(report).text() +
         std::to_string(report.count(CandidateStatus::right)) + " right, " +
         std::to_string(report.count(CandidateStatus::wrong)) + " wrong, " +
         std::to_string(report.count(CandidateStatus::failed)) + " failed" +
         uncheckedText(report.count(CandidateStatus::unchecked)) +
         errorText(report) + "\n";
}

std::string checkJson(const CheckReport &report) {
  return jsonLine([&](llvm::json::OStream &out) {
    writeSubject(out, report.subject);
    out.attribute("right", report.count(CandidateStatus::right));
    out.attribute("wrong", report.count(CandidateStatus::wrong));
    out.attribute("failed", report.count(CandidateStatus::failed));
    out.attribute("not_checked", report.count(CandidateStatus::unchecked));
    writeNumber(out, "max_error", report.maxError(), 6);
    out.attributeArray("candidates", [&] {
      for (const Candidate &candidate : report.candidates)
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
