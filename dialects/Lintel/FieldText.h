// The text form that schedules and targets share: "name=value,name=value".
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace lintel {

using SetField =
    std::function<Status(std::string_view name, std::string_view value)>;

/// Splits `text` into fields and hands each to `set`. Blanks around names and
/// values are skipped. A field without '=' or given twice is an error, and so
/// is text that lacks the field `required`. `what` names the whole in messages.
Status parseFields(std::string_view text, std::string_view what,
                   std::string_view required, const SetField &set);

/// Values that a field takes, both ends included.
struct NumberRange {
  int64_t least, most;

  bool holds(int64_t value) const { return value >= least && value <= most; }
};

/// Parses decimal digits with a value in `range`; `field` names it in the
/// message.
Expected<int64_t> parseNumber(std::string_view field, std::string_view text,
                              NumberRange range);

/// The same from 1 to `largest`.
Expected<int64_t> parseCount(std::string_view field, std::string_view text,
                             int64_t largest);

/// The error of parseNumber, also for values that did not come from text.
Error numberError(std::string_view field, std::string_view text,
                  NumberRange range);

} // namespace lintel
