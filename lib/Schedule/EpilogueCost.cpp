// What an epilogue costs, roughly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/EpilogueCost.h"

#include <string_view>

namespace lintel {

/// One arithmetic instruction, and one function computed by a polynomial.
static constexpr double kArithmetic = 0.75;
static constexpr double kFunction = 14;

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
    return kFunction;
  case EpilogueOp::geluTanh:
    return kFunction + 6 * kArithmetic;
  case EpilogueOp::geluErf:
    return kFunction + 4 * kArithmetic;
  }
  return kFunction;
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

static size_t countOf(std::string_view text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos;
       at = text.find(word, at + word.size()))
    ++count;
  return count;
}

double epilogueCyclesPerVector(const Epilogue &epilogue) {
  if (epilogue.isRegion())
    return kArithmetic *
               static_cast<double>(countOf(epilogue.text(), "arith.")) +
           kFunction * static_cast<double>(countOf(epilogue.text(), "math."));
  double cycles = 0;
  if (epilogue.quantization())
    cycles += quantizationCycles(*epilogue.quantization());
  for (const EpilogueStage &stage : epilogue.stages())
    cycles += stageCycles(stage.op);
  return cycles;
}

} // namespace lintel
