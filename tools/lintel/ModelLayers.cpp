// The linear layers of a model file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelLayers.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Regex.h>

#include <algorithm>

namespace lintel::tool {

namespace {

constexpr std::string_view kWeightSuffix = ".weight";

/// The POSIX expression for one in which `\d`, `\w` and `\s` stand for their
/// classes, as in most languages. Refuses what would take time or memory
/// without a bound: what was matched before, and counted repetition.
Expected<std::string> posixExpression(std::string_view text) {
  std::string posix;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{')
      return Error(ErrorCode::unsupported, "it counts with '{'; use * or +");
    if (text[i] != '\\' || i + 1 == text.size()) {
      posix += text[i];
      continue;
    }
    const char escaped = text[++i];
    if (!llvm::isAlnum(escaped)) {
      posix += {'\\', escaped};
      continue;
    }
    const std::string_view known = "dDwWsS";
    const char *const classes[] = {"[0-9]",        "[^0-9]",
                                   "[A-Za-z0-9_]", "[^A-Za-z0-9_]",
                                   "[[:space:]]",  "[^[:space:]]"};
    const size_t which = known.find(escaped);
    if (which == std::string_view::npos)
      return Error(ErrorCode::unsupported,
                   std::string("'\\") + escaped +
                       "' is not known; there are \\d, \\w, \\s, their "
                       "opposites and escaped punctuation");
    posix += classes[which];
  }
  return posix;
}

/// Whether `--match` selects a name. LLVM's matcher takes time proportional to
/// the name and no stack, whatever the expression is.
class NameFilter {
public:
  static Expected<NameFilter> create(const std::optional<std::string> &match) {
    constexpr size_t kMaxLength = 1000; // it recurses over parentheses
    NameFilter filter;
    if (!match)
      return filter;
    const auto refused = [&](const std::string &why) {
      return Error(
          ErrorCode::invalidArgument,
          "--match '" + match->substr(0, 100) +
              "' must be a regular expression (POSIX, extended): " + why);
    };
    if (match->size() > kMaxLength)
      return refused("it is longer than 1000 characters");
    Expected<std::string> posix = posixExpression(*match);
    if (!posix)
      return refused(posix.error().message());
    filter.expression.emplace(*posix);
    std::string why;
    if (!filter.expression->isValid(why))
      return refused(why);
    return filter;
  }

  bool selects(const std::string &name) const {
    return expression ? expression->match(name) : !isEmbeddingName(name);
  }

private:
  std::optional<llvm::Regex> expression;
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
    if (!filter->selects(entry.name))
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
