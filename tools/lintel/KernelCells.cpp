// What a line of `lintel cache ls` says of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelCells.h"

#include "TuningText.h"

#include "Engine/KernelKey.h"
#include "Engine/TuningRecord.h"
#include "Problem/ProblemTitle.h"

#include <string_view>

namespace lintel::tool {

std::vector<std::string> kernelCells(const CacheEntry &entry) {
  Expected<TuningRecord> record = TuningRecord::decode(entry.record);
  if (!record)
    return {"unreadable record"};
  const TuningReport &report = record->report;
  std::vector<std::string> cells = {
      medianText(report),
      report.isa + " threads=" + std::to_string(report.threads),
      report.types.text(), problemTitle(report.problem)};
  if (CacheKey::fieldOfText(entry.keyText, "executor") == "callers")
    cells.push_back("executor of the caller's");
  const std::string_view mix = mixOfKeyText(entry.keyText);
  if (!mix.empty())
    cells.push_back("rows " + std::string(mix));
  if (!isKeyTextOfThisBuild(entry.keyText))
    cells.push_back("of another build");
  if (report.noisy)
    cells.push_back("noisy");
  if (report.interrupted)
    cells.push_back("interrupted");
  return cells;
}

} // namespace lintel::tool
