// The grammar of epilogues: text to stages and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/EpilogueText.h"

#include <charconv>
#include <cmath>
#include <iterator>

namespace lintel {

namespace {

struct NamedOp {
  std::string_view name;
  EpilogueOp op;
};

constexpr NamedOp kNamedOps[] = {
    {"bias", EpilogueOp::bias},         {"relu", EpilogueOp::relu},
    {"gelu_erf", EpilogueOp::geluErf},  {"gelu_tanh", EpilogueOp::geluTanh},
    {"silu", EpilogueOp::silu},         {"sigmoid", EpilogueOp::sigmoid},
    {"tanh", EpilogueOp::tanh},         {"clamp", EpilogueOp::clamp},
    {"residual", EpilogueOp::residual}, {"mul", EpilogueOp::mul},
};

constexpr std::string_view kKnownStages =
    "known stages, joined with '+': none bias relu gelu_erf gelu_tanh silu "
    "sigmoid tanh "
    "clamp(lo,hi) residual mul";

bool belongsToName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/// The shortest text that reads back as the same float.
std::string floatText(float value) {
  char buffer[32];
  auto [end, code] = std::to_chars(std::begin(buffer), std::end(buffer), value);
  return std::string(buffer, end);
}

Expected<float> parseBound(TextCursor &cursor, std::string_view which) {
  std::string_view rest = cursor.rest();
  float value = 0;
  // from_chars: the same digits mean the same number in every locale.
  auto [end, code] =
      std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (code == std::errc::invalid_argument)
    return cursor.error("expected a number, the " + std::string(which) +
                        " bound of clamp(lo,hi), found " + cursor.found());
  std::string number(rest.data(), end);
  if (code == std::errc::result_out_of_range)
    return cursor.error(
        number +
        " is outside the range of f32; for no bound write inf or -inf");
  if (std::isnan(value))
    return cursor.error("a bound of clamp(lo,hi) must be a number, not " +
                        number);
  cursor.advance(number.size());
  return value + 0.0f; // -0 and 0 clamp alike: one spelling
}

Error expectedInClamp(const TextCursor &cursor, std::string_view what) {
  return cursor.error("expected " + std::string(what) +
                      " of clamp(lo,hi), found " + cursor.found());
}

/// Reads "(lo,hi)" if it comes next; clamp alone keeps its default bounds.
Expected<EpilogueStage> parseClamp(TextCursor &cursor) {
  EpilogueStage stage{EpilogueOp::clamp};
  size_t open = cursor.column();
  if (!cursor.consume('('))
    return stage;
  Expected<float> lo = parseBound(cursor, "lower");
  if (!lo)
    return lo.error();
  if (!cursor.consume(','))
    return expectedInClamp(cursor, "the ','");
  Expected<float> hi = parseBound(cursor, "upper");
  if (!hi)
    return hi.error();
  if (!cursor.consume(')'))
    return expectedInClamp(cursor, "the ')'");
  if (*lo > *hi)
    return TextCursor::errorAt(
        open, "clamp(" + floatText(*lo) + "," + floatText(*hi) +
                  ") has its bounds the wrong way round; write clamp(" +
                  floatText(*hi) + "," + floatText(*lo) + ")");
  stage.lo = *lo;
  stage.hi = *hi;
  return stage;
}

/// Appends the next stage to `stages`; "none" appends nothing.
Status parseStage(TextCursor &cursor, std::vector<EpilogueStage> &stages) {
  size_t column = cursor.column();
  std::string found = cursor.found();
  std::string name(cursor.takeWhile(belongsToName));
  if (name.empty())
    return TextCursor::errorAt(column, "expected an epilogue stage, found " +
                                           found + "; " +
                                           std::string(kKnownStages));
  if (name == "none")
    return {};
  for (const NamedOp &known : kNamedOps) {
    if (known.name != name)
      continue;
    Expected<EpilogueStage> stage = EpilogueStage{known.op};
    if (known.op == EpilogueOp::clamp)
      stage = parseClamp(cursor);
    if (!stage)
      return stage.error();
    stages.push_back(*stage);
    return {};
  }
  return TextCursor::errorAt(column, "unknown epilogue stage \"" + name +
                                         "\"; " + std::string(kKnownStages));
}

} // namespace

Expected<std::vector<EpilogueStage>> parseStages(TextCursor &cursor) {
  std::vector<EpilogueStage> stages;
  do {
    Status status = parseStage(cursor, stages);
    if (!status)
      return status.error();
  } while (cursor.consume('+'));
  return stages;
}

std::string stageText(const EpilogueStage &stage) {
  std::string text;
  for (const NamedOp &known : kNamedOps)
    if (known.op == stage.op)
      text = known.name;
  if (stage.op == EpilogueOp::clamp)
    text += "(" + floatText(stage.lo) + "," + floatText(stage.hi) + ")";
  return text;
}

} // namespace lintel
