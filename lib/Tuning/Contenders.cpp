// The schedules of a tuning, and what is known of each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Contenders.h"

#include "Runtime/Log.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lintel {

Contenders::Contenders(const std::vector<Schedule> &schedules,
                       std::string title)
    : title(std::move(title)) {
  for (const Schedule &schedule : schedules)
    add(schedule);
}

std::vector<Schedule> Contenders::schedules() const {
  std::vector<Schedule> schedules;
  for (const Contender &contender : all)
    schedules.push_back(contender.report.schedule);
  return schedules;
}

std::optional<size_t> Contenders::find(const Schedule &schedule) const {
  const auto known = std::ranges::find_if(
      all, [&](const Contender &c) { return c.report.schedule == schedule; });
  return known == all.end() ? std::nullopt
                            : std::optional<size_t>(known - all.begin());
}

size_t Contenders::add(const Schedule &schedule) {
  all.emplace_back().report.schedule = schedule;
  return all.size() - 1;
}

std::vector<size_t> Contenders::alive() const {
  std::vector<size_t> who;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].alive)
      who.push_back(i);
  return who;
}

std::vector<size_t> Contenders::fastestFirst() const {
  std::vector<size_t> who = alive();
  std::ranges::sort(who, {}, [&](size_t i) {
    return std::tuple(timeOf(i) <= 0, timeOf(i), i);
  });
  return who;
}

void Contenders::exclude(size_t who, CandidateStatus status,
                         std::string reason) {
  Contender &contender = all[who];
  contender.alive = false;
  contender.report.status = status;
  // Times of another window say nothing of who does not count.
  if (status != CandidateStatus::dropped)
    contender.report.medianMicroseconds = contender.report.minMicroseconds = 0;
  logMessage(LogLevel::debug, "{} {}: {}: {}", title, scheduleOf(who).text(),
             toString(status), reason);
  contender.report.reason = std::move(reason);
}

void Contenders::exclude(size_t who, CandidateStatus status,
                         const Error &error) {
  all[who].error = error.code();
  exclude(who, status, error.message());
}

bool Contenders::couldNotRun(size_t who) const {
  return !all[who].alive && all[who].report.status != CandidateStatus::wrong;
}

void Contenders::putBack(size_t who, const Candidate &report) {
  all[who].report = report;
  all[who].alive = true;
  all[who].error = ErrorCode::compile;
}

void Contenders::rescaleOthers(const std::vector<size_t> &timed, double factor,
                               double fastest) {
  for (size_t i : alive()) {
    Candidate &report = all[i].report;
    if (report.medianMicroseconds <= 0)
      continue;
    const bool comparable = std::ranges::find(timed, i) != timed.end();
    const double scale = comparable ? 1 : factor;
    report.medianMicroseconds =
        std::max(fastest, scale * report.medianMicroseconds);
    report.minMicroseconds =
        std::min(report.medianMicroseconds, scale * report.minMicroseconds);
  }
}

std::string Contenders::firstWrong() const {
  const auto wrong = std::ranges::find_if(all, [](const Contender &contender) {
    return contender.report.status == CandidateStatus::wrong;
  });
  return wrong == all.end() ? ""
                            : "; " + wrong->report.schedule.text() + ": " +
                                  wrong->report.reason;
}

Error Contenders::nothingRight() const {
  // A wrong result says more than what kept others out of the race.
  const auto gravity = [](const Contender &contender) {
    const CandidateStatus status = contender.report.status;
    return status == CandidateStatus::wrong    ? 2
           : status == CandidateStatus::failed ? 1
                                               : 0;
  };
  const auto first = std::ranges::max_element(all, {}, gravity);
  if (first == all.end())
    return Error(ErrorCode::internal, title + ": no schedule");
  const bool allFailedAlike =
      std::ranges::none_of(all, [&](const Contender &contender) {
        return contender.report.status == CandidateStatus::failed &&
               contender.error != first->error;
      });
  const ErrorCode code = first->report.status == CandidateStatus::wrong
                             ? ErrorCode::wrongResult
                         : allFailedAlike ? first->error
                                          : ErrorCode::compile;
  const std::string which =
      all.size() == 1 ? ": schedule "
                      : ": none of " + std::to_string(all.size()) +
                            " schedules gave a kernel that is right and fast; ";
  return Error(code, title + which + first->report.schedule.text() + ": " +
                         first->report.reason);
}

} // namespace lintel
