// The stages "dequant" and "quant": text to scales and zero points and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/QuantizationText.h"

#include <algorithm>
#include <span>
#include <vector>

namespace lintel {
namespace {

/// One "name=value" of a stage.
struct Choice {
  std::string_view name;
  Granularity Quantization::*member;
  std::vector<Granularity> legal;
};

std::span<const Choice> choicesOfDequantization() {
  using enum Granularity;
  static const std::vector<Choice> choices = {
      {"x", &Quantization::xScale, {tensor, row}},
      {"xzero", &Quantization::xZero, {none, tensor, row}},
      {"w", &Quantization::wScale, {tensor, column}},
      {"wzero", &Quantization::wZero, {none, tensor, column}},
  };
  return choices;
}

std::span<const Choice> choicesOfRequantization() {
  using enum Granularity;
  static const std::vector<Choice> choices = {
      {"zero", &Quantization::resultZero, {none, tensor}},
  };
  return choices;
}

bool isLetter(char c) { return c >= 'a' && c <= 'z'; }

/// "x=tensor|row"
std::string legalText(const Choice &choice) {
  std::string values;
  for (Granularity granularity : choice.legal)
    values += (values.empty() ? "" : "|") + std::string(toString(granularity));
  return std::string(choice.name) + "=" + values;
}

std::string legalText(std::span<const Choice> choices) {
  std::string text;
  for (const Choice &choice : choices)
    text += (text.empty() ? "" : ", ") + legalText(choice);
  return text;
}

/// Reads one "name=value" of another name than those `seen`, and adds its own.
Status parseChoice(TextCursor &cursor, std::span<const Choice> choices,
                   std::vector<std::string_view> &seen,
                   Quantization &quantization) {
  const TextCursor start = cursor;
  const std::string_view name = cursor.takeWhile(isLetter);
  for (const Choice &choice : choices) {
    if (choice.name != name)
      continue;
    if (std::ranges::find(seen, name) != seen.end())
      return start.error("'" + std::string(name) + "' is given twice");
    seen.push_back(name);
    if (!cursor.consume('='))
      return cursor.error("expected '=' after " + std::string(name) +
                          ", found " + cursor.found() + "; it takes " +
                          legalText(choice));
    const TextCursor place = cursor;
    const std::string_view value = cursor.takeWhile(isLetter);
    for (Granularity granularity : choice.legal)
      if (toString(granularity) == value) {
        quantization.*choice.member = granularity;
        return {};
      }
    return place.error(
        "expected " + legalText(choice) + ", found " +
        (value.empty() ? place.found() : "\"" + std::string(value) + "\""));
  }
  return start.error(
      "expected one of " + legalText(choices) + ", found " +
      (name.empty() ? start.found() : "\"" + std::string(name) + "\""));
}

Status parseChoices(TextCursor &cursor, std::span<const Choice> choices,
                    Quantization &quantization) {
  if (!cursor.consume('('))
    return {};
  std::vector<std::string_view> seen;
  do {
    if (Status status = parseChoice(cursor, choices, seen, quantization);
        !status)
      return status;
  } while (cursor.consume(','));
  if (!cursor.consume(')'))
    return cursor.error("expected ',' or ')', found " + cursor.found());
  return {};
}

std::string stageText(std::string_view name, std::span<const Choice> choices,
                      const Quantization &quantization,
                      const Quantization &usual) {
  std::string list;
  for (const Choice &choice : choices)
    if (quantization.*choice.member != usual.*choice.member)
      list += (list.empty() ? "" : ",") + std::string(choice.name) + "=" +
              std::string(toString(quantization.*choice.member));
  return list.empty() ? list : std::string(name) + "(" + list + ")";
}

} // namespace

Status parseDequantization(TextCursor &cursor, Quantization &quantization) {
  return parseChoices(cursor, choicesOfDequantization(), quantization);
}

Status parseRequantization(TextCursor &cursor, Quantization &quantization) {
  return parseChoices(cursor, choicesOfRequantization(), quantization);
}

std::string dequantizationText(const Quantization &quantization,
                               const DataTypes &types) {
  return stageText("dequant", choicesOfDequantization(), quantization,
                   Quantization::of(types));
}

std::string requantizationText(const Quantization &quantization,
                               const DataTypes &types) {
  return stageText("quant", choicesOfRequantization(), quantization,
                   Quantization::of(types));
}

} // namespace lintel
