// The linear layers of a model file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelLayers.h"

#include <algorithm>
#include <regex>

namespace lintel::tool {

namespace {

constexpr std::string_view kWeightSuffix = ".weight";

/// Whether `--match` selects a name. std::regex reports by exceptions, also
/// while matching, when an expression is too costly.
class NameFilter {
public:
  static Expected<NameFilter> create(const std::optional<std::string> &match) {
    // std::regex recurses over the expression; a longer one is no use anyway.
    constexpr size_t kMaxLength = 1000;
    NameFilter filter;
    if (!match)
      return filter;
    filter.source = *match;
    if (match->size() > kMaxLength)
      return filter.error("it is longer than 1000 characters");
    try {
      filter.expression.emplace(*match, std::regex::ECMAScript);
    } catch (const std::regex_error &failure) {
      return filter.error(failure.what());
    }
    return filter;
  }

  Expected<bool> selects(const std::string &name) const {
    if (!expression)
      return !isEmbeddingName(name);
    try {
      return std::regex_search(name, *expression);
    } catch (const std::regex_error &failure) {
      return error(failure.what());
    }
  }

  Error error(const std::string &why) const {
    return Error(
        ErrorCode::invalidArgument,
        "--match '" + source.substr(0, 100) +
            "' must be a regular expression in ECMAScript's syntax: " + why);
  }

private:
  std::string source;
  std::optional<std::regex> expression;
};

bool hasBias(const std::vector<SafetensorsEntry> &entries,
             const SafetensorsEntry &weight) {
  std::string_view stem(weight.name);
  stem.remove_suffix(kWeightSuffix.size());
  std::string biasName = std::string(stem) + ".bias";
  auto bias = std::ranges::find(entries, biasName, &SafetensorsEntry::name);
  return bias != entries.end() &&
         bias->shape == std::vector<int64_t>{weight.shape[0]};
}

} // namespace

bool isEmbeddingName(std::string_view name) {
  constexpr std::string_view kParts[] = {"embedding", "embed_tokens"};
  constexpr std::string_view kComponents[] = {"wte", "wpe"};
  if (std::ranges::any_of(kParts, [&](std::string_view part) {
        return name.find(part) != std::string_view::npos;
      }))
    return true;
  // These are short enough to occur inside other words.
  std::string dotted = "." + std::string(name) + ".";
  return std::ranges::any_of(kComponents, [&](std::string_view component) {
    return dotted.find("." + std::string(component) + ".") != std::string::npos;
  });
}

Expected<std::vector<ModelLayer>>
findLayers(const std::vector<SafetensorsEntry> &entries,
           const std::optional<std::string> &match, DType dtype) {
  Expected<NameFilter> filter = NameFilter::create(match);
  if (!filter)
    return filter.error();
  std::vector<ModelLayer> layers;
  for (const SafetensorsEntry &entry : entries) {
    if (entry.shape.size() != 2 || !entry.name.ends_with(kWeightSuffix))
      continue;
    Expected<bool> selected = filter->selects(entry.name);
    if (!selected)
      return selected.error();
    if (!*selected)
      continue;
    if (Status status = checkServes(entry, dtype); !status)
      return status.error();
    layers.push_back(
        {entry.name, entry.shape[0], entry.shape[1], hasBias(entries, entry)});
  }
  if (layers.empty())
    return Error(ErrorCode::invalidArgument,
                 match ? "no two-dimensional tensor named *.weight matches '" +
                             *match + "'"
                       : std::string("has no two-dimensional tensor named "
                                     "*.weight other than embedding tables"));
  return layers;
}

} // namespace lintel::tool
