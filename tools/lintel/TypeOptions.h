// The options that name element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "CommandParser.h"

#include "lintel/DType.h"
#include "lintel/Error.h"

#include <optional>
#include <string>

namespace lintel::tool {

/// What a command line says of types; nothing of what it does not name.
struct NamedTypes {
  std::optional<DataTypes> types = {};  ///< --dtype
  std::optional<DType> accumulate = {}; ///< --accumulate

  /// The types of a layer that are `others` unless named. An error if no layer
  /// has these with what is named.
  Expected<DataTypes> over(DataTypes others) const;
};

/// --dtype, of which `help` is the description, and --accumulate. Types that no
/// layer has are refused while parsing, and so are two that contradict.
void addTypeOptions(CommandParser parser, NamedTypes &named,
                    const std::string &help);

} // namespace lintel::tool
