// Where a problem comes from that a result is about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace lintel::tool {

/// Nothing of a problem that stood on the command line or in a list.
struct LayerOrigin {
  /// The tensors of a model that are this layer's weights, by name.
  std::vector<std::string> layers = {};
  /// The .mlir file that states it, whose epilogue has no name.
  std::string module = {};
};

/// A line for people: "layers a.weight, b.weight, c.weight and 21 more" or
/// "module layer.mlir"; empty where there is nothing to say.
std::string originText(const LayerOrigin &origin);

/// `object`, a JSON object with a member or more and white space behind it at
/// most, with all names as its last member "layers", or "module" instead;
/// unchanged where there is nothing to say.
std::string withOrigin(std::string object, const LayerOrigin &origin);

} // namespace lintel::tool
