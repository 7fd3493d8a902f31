// The linear layers of a model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelLayers.h"

#include "PosixExpression.h"
#include "Quote.h"

#include "llvm/Support/Regex.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace lintel::tool {

namespace {

/// Whether `--match` selects a name. Without captures LLVM's matcher takes no
/// stack, and time proportional to the name; by the expression it may grow with
/// the third power of its length, which is therefore bounded.
class NameFilter {
public:
  static Expected<NameFilter> create(const std::optional<std::string> &match) {
    constexpr size_t kMaxLength = 200;
    NameFilter filter;
    if (!match)
      return filter;
    const auto refused = [&](const std::string &why) {
      return Error(
          ErrorCode::invalidArgument,
          "--match " + inQuotes(*match) +
              " must be a regular expression (POSIX, extended): " + why);
    };
    if (match->size() > kMaxLength)
      return refused("it is longer than " + std::to_string(kMaxLength) +
                     " characters");
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
  std::string biasName = std::string(stem).append(kBiasSuffix);
  auto bias =
      std::ranges::lower_bound(entries, biasName, {}, &SafetensorsEntry::name);
  return bias != entries.end() && bias->name == biasName &&
         bias->shape == std::vector<int64_t>{weight.shape[0]};
}

bool isMatrix(const SafetensorsEntry &entry) {
  return entry.shape.size() == 2 && entry.name.ends_with(kWeightSuffix);
}

/// "; there are 'a.weight', 'b.weight', ... (3 in all)": what --match may name.
std::string matricesThereAre(const std::vector<SafetensorsEntry> &entries) {
  constexpr int64_t kShown = 5;
  const int64_t count = std::ranges::count_if(entries, isMatrix);
  if (count == 0)
    return "; there is none";
  std::string names;
  int64_t shown = 0;
  for (const SafetensorsEntry &entry : entries)
    if (isMatrix(entry) && ++shown <= kShown)
      names += (names.empty() ? "" : ", ") + inQuotes(entry.name);
  if (count > kShown)
    names += ", ... (" + std::to_string(count) + " in all)";
  return (count == 1 ? "; there is " : "; there are ") + names;
}

Error noWeights(const std::vector<SafetensorsEntry> &entries,
                const std::optional<std::string> &match) {
  return Error(ErrorCode::invalidArgument,
               match ? "no two-dimensional tensor named *.weight matches " +
                           inQuotes(*match) + matricesThereAre(entries)
                     : std::string("has no two-dimensional tensor named "
                                   "*.weight other than embedding tables"));
}

/// The tensors that are layers and that `match` selects.
Expected<std::vector<const SafetensorsEntry *>>
selectWeights(const std::vector<SafetensorsEntry> &entries,
              const std::optional<std::string> &match) {
  Expected<NameFilter> filter = NameFilter::create(match);
  if (!filter)
    return filter.error();
  std::vector<const SafetensorsEntry *> weights;
  for (const SafetensorsEntry &entry : entries)
    if (isMatrix(entry) && filter->selects(entry.name))
      weights.push_back(&entry);
  if (weights.empty())
    return noWeights(entries, match);
  return weights;
}

/// Of weights of two types, neither of which serves layers of the other: a
/// command takes layers of one.
Error typesDiffer(const SafetensorsEntry &one, const SafetensorsEntry &other) {
  const auto held = [](const SafetensorsEntry &entry) {
    return inQuotes(entry.name) + " holds " + entry.dtype;
  };
  const auto remedy = [](const SafetensorsEntry &entry) {
    return entry.dtype + " with --dtype " +
           DataTypes::namesWithWeight(*entry.weightType());
  };
  return Error(ErrorCode::unsupported,
               "tensor " + held(one) + " elements, and " + held(other) +
                   "; select layers of one type with --match: those of " +
                   remedy(one) + ", those of " + remedy(other));
}

/// Success if all of them serve layers of `dtype`.
Status checkServe(const std::vector<const SafetensorsEntry *> &weights,
                  DType dtype) {
  const auto wrong =
      std::ranges::find_if(weights, [&](const SafetensorsEntry *weight) {
        return !checkServes(*weight, dtype);
      });
  if (wrong == weights.end())
    return {};
  const Error error = checkServes(**wrong, dtype).error();
  const std::optional<DType> own = (*wrong)->weightType();
  if (!own)
    return weights.size() == 1
               ? error
               : Error(error.code(),
                       error.message() + ", or leave it out with --match");
  const auto odd =
      std::ranges::find_if(weights, [&](const SafetensorsEntry *weight) {
        return weight->weightType() && !checkServes(*weight, *own);
      });
  return odd == weights.end() ? error : typesDiffer(**wrong, **odd);
}

} // namespace

Expected<std::vector<SafetensorsEntry>>
readModel(const std::vector<std::string> &paths) {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, const std::string *> places;
  for (const std::string &path : paths) {
    Expected<InputFile> input = InputFile::open(path);
    if (!input)
      return input.error();
    Expected<SafetensorsFile> file = SafetensorsFile::open(std::move(*input));
    if (!file)
      return file.error();
    for (const SafetensorsEntry &entry : file->entries()) {
      const auto [place, isNew] = places.try_emplace(entry.name, &path);
      if (std::error_code unequal;
          !isNew && std::filesystem::equivalent(*place->second, path, unequal))
        return Error(ErrorCode::invalidArgument, path + ": is named twice");
      if (!isNew)
        return Error(ErrorCode::invalidArgument,
                     path + ": holds a tensor " + inQuotes(entry.name) +
                         ", as " + *place->second +
                         " does; several .safetensors files are taken for the "
                         "parts of one model, so give each model a command of "
                         "its own");
      entries.push_back(entry);
    }
  }
  std::ranges::sort(entries, {}, &SafetensorsEntry::name);
  return entries;
}

std::string modelName(const std::vector<std::string> &paths) {
  return paths.front() +
         (paths.size() == 1
              ? ""
              : " and " + std::to_string(paths.size() - 1) + " more");
}

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
  auto weights = selectWeights(entries, match);
  if (!weights)
    return weights.error();
  if (Status status = checkServe(*weights, dtype); !status)
    return status.error();
  std::vector<ModelLayer> layers;
  for (const SafetensorsEntry *weight : *weights)
    layers.push_back({weight->name, weight->shape[0], weight->shape[1],
                      hasBias(entries, *weight)});
  return layers;
}

} // namespace lintel::tool
