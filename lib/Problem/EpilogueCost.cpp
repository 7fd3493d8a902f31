// What an epilogue costs, roughly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Problem/EpilogueCost.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lintel {

/// One arithmetic instruction, and a square root.
static constexpr double kArithmetic = 0.75;
static constexpr double kRoot = 6;

static double stageCycles(EpilogueOp op) {
  switch (op) {
  case EpilogueOp::bias:
  case EpilogueOp::relu:
    return kArithmetic;
  case EpilogueOp::clamp:
  case EpilogueOp::residual:
  case EpilogueOp::mul:
    return 2 * kArithmetic;
  case EpilogueOp::sigmoid:
  case EpilogueOp::silu:
  case EpilogueOp::tanh:
    return kFunctionCycles;
  case EpilogueOp::geluTanh:
    return kFunctionCycles + 6 * kArithmetic;
  case EpilogueOp::geluErf:
    return kFunctionCycles + 4 * kArithmetic;
  }
  return kFunctionCycles;
}

/// Of the stages that make numbers of sums and integers of results.
static double quantizationCycles(const Quantization &quantization) {
  const auto has = [](Granularity granularity) {
    return granularity != Granularity::none;
  };
  // A conversion and two products; a product and a difference in integers.
  double instructions = 3;
  instructions +=
      2 * (int(has(quantization.xZero)) + int(has(quantization.wZero)));
  // A product, a rounding, a sum, two comparisons and two conversions.
  if (has(quantization.resultScale))
    instructions += 6 + int(has(quantization.resultZero));
  return kArithmetic * instructions;
}

struct FunctionCost {
  std::string_view name;
  double times; ///< as long as exp
};

/// Functions that take longer than one polynomial, and one that takes less:
/// Zen 3, four of a kind in a row in tiles of 2x8, where exp, exp2, tanh and
/// erf take 25 cycles a vector of 8 (37 of 4 on x86-64), log 35, sinh 119.
constexpr FunctionCost kFunctionCosts[] = {
    {"math.round", 0.2}, {"math.atan", 1.3},  {"math.cos", 1.3},
    {"math.cosh", 1.3},  {"math.log", 1.3},   {"math.log10", 1.3},
    {"math.log2", 1.3},  {"math.sin", 1.3},   {"math.atan2", 1.8},
    {"math.log1p", 1.8}, {"math.atanh", 2.9}, {"math.powf", 2.9},
    {"math.acosh", 3.8}, {"math.asinh", 3.8}, {"math.erfc", 3.8},
    {"math.expm1", 3.8}, {"math.sinh", 4.7},
};

/// Of one operation of a region, by its name.
static double operationCycles(std::string_view name) {
  using namespace std::string_view_literals;
  // Constants wait in registers; a select and its comparison are one maximum or
  // minimum, or a move under a mask.
  for (std::string_view free : {"arith.constant"sv, "arith.select"sv})
    if (name == free)
      return 0;
  // What CPUs have an instruction for, or two.
  for (std::string_view plain :
       {"math.absf"sv, "math.ceil"sv, "math.copysign"sv, "math.floor"sv,
        "math.fma"sv, "math.roundeven"sv, "math.trunc"sv})
    if (name == plain)
      return kArithmetic;
  if (name == "math.clampf")
    return 2 * kArithmetic;
  if (name == "math.sqrt")
    return kRoot;
  if (name == "math.rsqrt") // a quotient by the root
    return 2 * kRoot;
  for (const auto &[function, times] : kFunctionCosts)
    if (function == name)
      return times * kFunctionCycles;
  if (name.starts_with("math."))
    return kFunctionCycles;
  return name.starts_with("arith.") ? kArithmetic : 0;
}

/// Of a region in generic form or not: names of operations may stand in quotes.
/// Those of attributes, as #arith.fastmath<none>, types, values, blocks and
/// symbols are none, and comments hold none.
static double regionCycles(std::string_view text) {
  const auto belongsToName = [](char c) {
    // The last two are in names of values alone.
    constexpr std::string_view kPunctuation = "_.$-";
    return std::isalnum(static_cast<unsigned char>(c)) ||
           kPunctuation.find(c) != kPunctuation.npos;
  };
  constexpr std::string_view kSigils = "#!%^@";
  double cycles = 0;
  char before = ' ';
  bool quoted = false;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), belongsToName);
    if (kSigils.find(before) == kSigils.npos)
      cycles += operationCycles({at, end});
    if (end == text.end())
      break;
    before = *end;
    at = end + 1;
    quoted ^= before == '"';
    if (!quoted && before == '/' && at != text.end() && *at == '/')
      at = std::find(at, text.end(), '\n');
  }
  return cycles;
}

double epilogueCyclesPerVector(const Epilogue &epilogue) {
  double cycles = 0;
  if (epilogue.isRegion()) {
    for (const EpilogueOperand &operand : epilogue.operands())
      cycles += operand.broadcast == Broadcast::full ? kArithmetic : 0;
    return cycles + regionCycles(epilogue.text());
  }
  if (epilogue.quantization())
    cycles += quantizationCycles(*epilogue.quantization());
  for (const EpilogueStage &stage : epilogue.stages())
    cycles += stageCycles(stage.op);
  return cycles;
}

} // namespace lintel
