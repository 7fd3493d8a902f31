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

/// The same as of the operations that NamedEpilogue.cpp makes of it: a layer
/// has one search space, by name and as a region.
static double stageCycles(EpilogueOp op) {
  switch (op) {
  case EpilogueOp::bias:
  case EpilogueOp::relu:
    return kArithmetic;
  case EpilogueOp::clamp:
  case EpilogueOp::residual:
  case EpilogueOp::mul:
    return 2 * kArithmetic;
  case EpilogueOp::tanh:
    return kFunctionCycles;
  case EpilogueOp::sigmoid:
  case EpilogueOp::silu: // a negation, a sum and a quotient
    return kFunctionCycles + 3 * kArithmetic;
  case EpilogueOp::geluTanh: // the same, three products and a sum
    return kFunctionCycles + 7 * kArithmetic;
  case EpilogueOp::geluErf:
    return kFunctionCycles + 4 * kArithmetic;
  }
  return kFunctionCycles;
}

/// Of the stages that make numbers of sums and integers of results, as
/// QuantizedEpilogue.cpp makes them.
static double quantizationCycles(const Quantization &quantization) {
  const auto has = [](Granularity granularity) {
    return granularity != Granularity::none;
  };
  const bool xZero = has(quantization.xZero), wZero = has(quantization.wZero);
  // A conversion and two products; for each zero point a product and a
  // difference of integers, and for both at once another two.
  int operations =
      3 + 2 * int(xZero) + 2 * int(wZero) + 2 * int(xZero && wZero);
  // A quotient, a product, a rounding, two comparisons and two conversions; a
  // conversion and a sum.
  if (has(quantization.resultScale))
    operations += 7 + 2 * int(has(quantization.resultZero));
  return kArithmetic * operations;
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

/// Hands over all that may name an operation of a region in generic form or
/// not: names may stand in quotes. Those of attributes, as
/// #arith.fastmath<none>, types, values, blocks and symbols are none, and
/// comments hold none.
template <class F> static void eachName(std::string_view text, F visit) {
  const auto belongsToName = [](char c) {
    // The last two are in names of values alone.
    constexpr std::string_view kPunctuation = "_.$-";
    return std::isalnum(static_cast<unsigned char>(c)) ||
           kPunctuation.find(c) != kPunctuation.npos;
  };
  constexpr std::string_view kSigils = "#!%^@";
  char before = ' ';
  bool quoted = false;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), belongsToName);
    if (kSigils.find(before) == kSigils.npos)
      visit(std::string_view(at, end));
    if (end == text.end())
      break;
    before = *end;
    at = end + 1;
    quoted ^= before == '"';
    if (!quoted && before == '/' && at != text.end() && *at == '/')
      at = std::find(at, text.end(), '\n');
  }
}

/// Widening a narrow operand goes with its load, and narrowing an output with
/// its store, whoever states the layer: of named stages neither is counted.
static double regionCycles(const Epilogue &epilogue) {
  auto widened = std::ranges::count_if(
      epilogue.operands(), [](const EpilogueOperand &operand) {
        return operand.dtype == DType::bf16 || operand.dtype == DType::f16;
      });
  int narrowed = epilogue.numResults();
  double cycles = 0;
  eachName(epilogue.text(), [&](std::string_view name) {
    const bool isFree = (name == "arith.extf" && widened-- > 0) ||
                        (name == "arith.truncf" && narrowed-- > 0);
    cycles += isFree ? 0 : operationCycles(name);
  });
  return cycles;
}

double epilogueCyclesPerVector(const Epilogue &epilogue) {
  double cycles = 0;
  if (epilogue.isRegion()) {
    for (const EpilogueOperand &operand : epilogue.operands())
      cycles += operand.broadcast == Broadcast::full ? kArithmetic : 0;
    return cycles + regionCycles(epilogue);
  }
  if (epilogue.quantization())
    cycles += quantizationCycles(*epilogue.quantization());
  for (const EpilogueStage &stage : epilogue.stages())
    cycles += stageCycles(stage.op);
  return cycles;
}

} // namespace lintel
