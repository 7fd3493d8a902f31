// The grammar of epilogues: text to stages and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/EpilogueText.h"
#include "Basics/ClosestName.h"
#include "Basics/OtherNames.h"
#include "Problem/QuantizationText.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
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
    "clamp(lo,hi) residual mul; of int8 also dequant(...) first and quant(...) "
    "last; any other function takes a layer in MLIR, which commands with a "
    "PROBLEM and both APIs read (docs/cli.md)";

constexpr OtherName kOtherStages[] = {
    {"add", "residual or bias"},
    {"bias_add", "bias"},
    {"geglu", "gelu_erf+mul"},
    {"gelu", "gelu_erf or, approximated, gelu_tanh"},
    {"gelu_new", "gelu_tanh"},
    {"hardtanh", "clamp(-1,1)"},
    {"identity", "none"},
    {"logistic", "sigmoid"},
    {"relu6", "clamp(0,6)"},
    {"swiglu", "silu+mul"},
    {"swish", "silu"},
};

/// For messages about an unknown stage: what it is called here, or which one
/// may have been meant.
std::string stageHere(const std::string &name) {
  constexpr size_t kStages = std::size(kNamedOps);
  OtherName ofLargeLetters[kStages];
  std::string_view names[kStages];
  std::ranges::transform(kNamedOps, ofLargeLetters, [](const NamedOp &known) {
    return OtherName{known.name, known.name};
  });
  std::ranges::transform(kNamedOps, names, &NamedOp::name);
  if (std::string here =
          nameHere(name, ofLargeLetters) + nameHere(name, kOtherStages);
      !here.empty())
    return here;
  const std::string_view meant = closestName(name, names, /*prefix=*/0);
  return meant.empty() ? "" : " (did you mean " + std::string(meant) + "?)";
}

bool belongsToName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/// One bound, and the blanks around it.
Expected<float> parseBound(TextCursor &cursor, std::string_view which) {
  cursor.skipBlanks();
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
        number + (isTiny(number)
                      ? " is too small for f32; write 0"
                      : " is outside the range of f32; for no bound write inf "
                        "or -inf"));
  if (std::isnan(value))
    return cursor.error("a bound of clamp(lo,hi) must be a number, not " +
                        number);
  cursor.advance(number.size());
  cursor.skipBlanks();
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

/// Reads stages from left to right.
class StageParser {
public:
  StageParser(TextCursor &cursor, const DataTypes &types)
      : cursor(cursor), types(types) {
    if (types.areIntegers())
      named.quantization = Quantization::of(types);
  }

  Expected<NamedStages> parse() {
    do {
      if (Status status = parseStage(); !status)
        return status.error();
      isFirst = false;
    } while (cursor.consume('+'));
    return std::move(named);
  }

private:
  /// Adds what the next stage says; "none" adds nothing.
  Status parseStage() {
    const TextCursor start = cursor;
    std::string name(cursor.takeWhile(belongsToName));
    if (name.empty())
      return start.error("expected an epilogue stage, found " + start.found() +
                         "; " + std::string(kKnownStages));
    if (isComplete)
      return start.error("quant must be the last stage, but \"" + name +
                         "\" follows");
    if (name == "none")
      return {};
    if (name == "dequant")
      return parseDequant(start);
    if (name == "quant")
      return parseQuant(start);
    for (const NamedOp &known : kNamedOps)
      if (known.name == name)
        return addStage(known.op);
    return start.error("unknown epilogue stage \"" + name + "\"" +
                       stageHere(name) + "; " + std::string(kKnownStages));
  }

  Status addStage(EpilogueOp op) {
    Expected<EpilogueStage> stage = EpilogueStage{op};
    if (op == EpilogueOp::clamp)
      stage = parseClamp(cursor);
    if (!stage)
      return stage.error();
    named.stages.push_back(*stage);
    return {};
  }

  Status parseDequant(const TextCursor &start) {
    if (!types.areIntegers())
      return start.error("dequant makes numbers of sums of integers; layers of "
                         "u8s8 and s8s8 have it, not of " +
                         types.text());
    if (!isFirst)
      return start.error("dequant must be the first stage");
    return parseDequantization(cursor, *named.quantization);
  }

  Status parseQuant(const TextCursor &start) {
    if (isFloat(types.result))
      return start.error("quant makes integers of results; layers with a "
                         "result of u8 or s8 have it, not of " +
                         types.text());
    isComplete = true;
    return parseRequantization(cursor, *named.quantization);
  }

  TextCursor &cursor;
  const DataTypes types;
  NamedStages named;
  bool isFirst = true;     ///< no stage was read yet
  bool isComplete = false; ///< "quant" was
};

} // namespace

Expected<NamedStages> parseStages(TextCursor &cursor, const DataTypes &types) {
  return StageParser(cursor, types).parse();
}

bool isTiny(std::string_view number) {
  const size_t mantissaEnd =
      std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, mantissaEnd);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t digit = mantissa.find_first_of("123456789");
  std::string_view power = number.substr(mantissaEnd);
  power.remove_prefix(std::min(power.find_first_not_of("eE+"), power.size()));
  int64_t exponent = 0;
  const auto [end, code] =
      std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (code == std::errc::result_out_of_range)
    return power.starts_with('-');
  return digit != mantissa.npos && exponent < int64_t(digit) - int64_t(point);
}

std::string floatText(float value) {
  char buffer[32];
  auto [end, code] = std::to_chars(std::begin(buffer), std::end(buffer), value);
  return std::string(buffer, end);
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
