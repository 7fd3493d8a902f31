// The linear layers of a model file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "formats/Safetensors.h"
#include "lintel/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lintel::tool {

/// A tensor "NAME.weight" of shape [n, k].
struct ModelLayer {
  std::string name; ///< with ".weight"
  int64_t n = 0;
  int64_t k = 0;
  bool hasBias = false; ///< "NAME.bias" of shape [n] stands beside it
};

/// True for the names of embedding tables, which have the shape of a layer.
bool isEmbeddingName(std::string_view name);

/// The layers, of entries sorted by name, whose names `match` (a POSIX extended
/// regular expression with `\d`, `\w` and `\s`, searched for anywhere in the
/// name) selects; without it all but embedding tables. No layer, a bad
/// expression and elements that do not serve layers of `dtype` (checkServes)
/// are errors.
Expected<std::vector<ModelLayer>>
findLayers(const std::vector<SafetensorsEntry> &entries,
           const std::optional<std::string> &match, DType dtype);

} // namespace lintel::tool
