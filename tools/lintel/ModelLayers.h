// The linear layers of a model.
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

/// The tensors of all files, the parts of one model, sorted by name. A name
/// that two of them have is an error.
Expected<std::vector<SafetensorsEntry>>
readModel(const std::vector<std::string> &paths);

/// "a.safetensors", "a.safetensors and 2 more": the model, in messages.
std::string modelName(const std::vector<std::string> &paths);

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
