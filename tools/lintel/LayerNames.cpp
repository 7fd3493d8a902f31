// Which layers of a model a result is about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerNames.h"

#include "Runtime/PrintableText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace lintel::tool {

std::string layersText(const std::vector<std::string> &names) {
  constexpr size_t kShown = 3;
  if (names.empty())
    return "";
  const size_t shown = std::min(kShown, names.size());
  std::string text = "layers ";
  for (size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : ", ") + onOneLine(names[i]);
  if (names.size() > shown)
    text += " and " + std::to_string(names.size() - shown) + " more";
  return text + "\n";
}

std::string withLayers(std::string object,
                       const std::vector<std::string> &names) {
  if (names.empty())
    return object;
  llvm::json::Array array;
  for (const std::string &name : names)
    array.push_back(llvm::json::fixUTF8(name));
  std::string member = ",\"layers\":";
  llvm::raw_string_ostream(member) << llvm::json::Value(std::move(array));
  return object.insert(object.rfind('}'), member);
}

} // namespace lintel::tool
