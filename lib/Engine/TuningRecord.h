// What the cache keeps beside an object: the report, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   record ::= {"record":1,"peak_gflops":number,"report":report}
//   report ::= the object that TuningReport::json() prints (docs/tuning.md), of
//              one kernel: without buckets
#pragma once

#include "lintel/Engine.h"
#include "lintel/Error.h"

#include <string>
#include <string_view>

namespace lintel {

struct TuningRecord {
  TuningReport report;
  /// The peak that the run itself found; the share may refer to a larger one
  /// that is kept for the machine, and that may be measured anew.
  double peakGflops = 0;

  /// One line of JSON, the same in every locale.
  std::string encode() const;
  /// Inverse of encode(). ErrorCode::corrupt names the member that is missing
  /// or of the wrong type. Unknown members are ignored. `report.rows` is left
  /// to those who know the problem.
  static Expected<TuningRecord> decode(std::string_view text);
};

} // namespace lintel
