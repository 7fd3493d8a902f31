// Which layers of a model a result is about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace lintel::tool {

/// A line for people: "layers a.weight, b.weight, c.weight and 21 more"; empty
/// without names, as of a problem that is not a model's.
std::string layersText(const std::vector<std::string> &names);

/// `object`, a JSON object with a member or more and white space behind it at
/// most, with all `names` as its last member "layers"; unchanged without names.
std::string withLayers(std::string object,
                       const std::vector<std::string> &names);

} // namespace lintel::tool
