// The order in which candidates are judged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/JudgeAll.h"

#include <optional>
#include <utility>

namespace lintel {

static Verdict notRun() {
  Verdict verdict;
  verdict.fault = "interrupted before it was verified";
  verdict.failure = ErrorCode::cancelled;
  return verdict;
}

static Verdict refuted(Verdict verdict) {
  verdict.fault = "the oracle contradicts it where another candidate differs";
  return verdict;
}

std::vector<Verdict> judgeAll(size_t count,
                              const std::function<Verdict(size_t)> &judge,
                              const std::function<void()> &forgetReference,
                              const std::function<bool()> &stop) {
  std::vector<Verdict> verdicts(count);
  std::vector<bool> condemned(count, false);
  std::optional<size_t> reference;
  for (size_t i = 0; i < count; ++i) {
    if (condemned[i] || reference == i)
      continue;
    if (reference && stop()) {
      if (verdicts[i].right()) // by who was wrong, or not judged yet
        verdicts[i] = notRun();
      continue;
    }
    verdicts[i] = judge(i);
    if (!verdicts[i].right())
      continue;
    if (!reference)
      reference = i;
    if (*reference == i || !verdicts[i].refutesReference)
      continue;
    verdicts[*reference] = refuted(std::move(verdicts[*reference]));
    condemned[*reference] = true;
    forgetReference();
    // The others are compared with who knew better, whom no stop leaves out.
    verdicts[i] = judge(i);
    condemned[i] = !verdicts[i].right();
    reference = condemned[i] ? std::nullopt : std::optional(i);
    i = static_cast<size_t>(-1); // from the start
  }
  return verdicts;
}

} // namespace lintel
