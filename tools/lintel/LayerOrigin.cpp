// Where a problem comes from that a result is about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerOrigin.h"

#include "Runtime/PrintableText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lintel::tool {

static std::string layersText(const std::vector<std::string> &names) {
  constexpr size_t kShown = 3;
  const size_t shown = std::min(kShown, names.size());
  std::string text = "layers ";
  for (size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : ", ") + onOneLine(names[i]);
  if (names.size() > shown)
    text += " and " + std::to_string(names.size() - shown) + " more";
  return text + "\n";
}

std::string originText(const LayerOrigin &origin) {
  if (!origin.layers.empty())
    return layersText(origin.layers);
  return origin.module.empty() ? ""
                               : "module " + onOneLine(origin.module) + "\n";
}

/// `object` with another member behind its last.
static std::string withMember(std::string object, std::string_view name,
                              llvm::json::Value value) {
  std::string member = ",\"" + std::string(name) + "\":";
  llvm::raw_string_ostream(member) << value;
  return object.insert(object.rfind('}'), member);
}

std::string withOrigin(std::string object, const LayerOrigin &origin) {
  if (!origin.module.empty())
    return withMember(std::move(object), "module",
                      llvm::json::fixUTF8(origin.module));
  if (origin.layers.empty())
    return object;
  llvm::json::Array names;
  for (const std::string &name : origin.layers)
    names.push_back(llvm::json::fixUTF8(name));
  return withMember(std::move(object), "layers", std::move(names));
}

} // namespace lintel::tool
