// Epilogues: their stages, operands and canonical text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/EpilogueText.h"
#include "Problem/QuantizationText.h"

#include <map>

namespace lintel {

/// The tensor that a stage reads, if it reads one.
static std::optional<EpilogueOperand> operandOf(const EpilogueStage &stage) {
  switch (stage.op) {
  case EpilogueOp::bias:
    return EpilogueOperand{"bias", Broadcast::column};
  case EpilogueOp::residual:
    return EpilogueOperand{"residual", Broadcast::full};
  case EpilogueOp::mul:
    return EpilogueOperand{"mul", Broadcast::full};
  default:
    return std::nullopt;
  }
}

/// Operands in the order of their stages; a repeated name gets a number.
static std::vector<EpilogueOperand>
operandsOf(const std::vector<EpilogueStage> &stages) {
  std::vector<EpilogueOperand> operands;
  std::map<EpilogueOp, size_t> seen;
  for (const EpilogueStage &stage : stages) {
    std::optional<EpilogueOperand> operand = operandOf(stage);
    if (!operand)
      continue;
    size_t count = ++seen[stage.op];
    if (count > 1)
      operand->name += std::to_string(count);
    operands.push_back(std::move(*operand));
  }
  return operands;
}

/// Adds the operand of one scale or zero point, if there is one.
static void addParameter(std::vector<EpilogueOperand> &operands,
                         OperandRole role, std::string_view name,
                         Granularity granularity) {
  const DType dtype = isScale(role) ? DType::f32 : DType::s32;
  switch (granularity) {
  case Granularity::none:
    return;
  case Granularity::tensor:
    operands.push_back({std::string(name), Broadcast::scalar, dtype, role});
    return;
  case Granularity::row:
    operands.push_back({std::string(name), Broadcast::row, dtype, role});
    return;
  case Granularity::column:
    operands.push_back({std::string(name), Broadcast::column, dtype, role});
    return;
  }
}

/// What would be right where neither '+' nor the end follows these stages, but
/// `rest` does.
static std::string remedyAfter(std::string_view stages, std::string_view rest) {
  // Empty behind an argument list.
  const std::string name(stages.substr(stages.find_last_of("+) \t\r") + 1));
  const size_t blanks = rest.find_first_not_of(" \t\r");
  const bool opens =
      std::string_view("([{<").find(rest[blanks]) != std::string_view::npos;
  if (opens && (name == "clamp" || name == "dequant" || name == "quant"))
    return "write " + name + (name == "clamp" ? "(lo,hi)" : "(...)");
  if (opens && !name.empty())
    return name + " takes nothing in parentheses; only clamp, dequant and "
                  "quant do";
  return std::string("stages are joined by '+'") +
         (blanks > 0 ? " without blanks" : "");
}

Expected<Epilogue> Epilogue::parse(std::string_view text,
                                   const DataTypes &types) {
  TextCursor cursor(text);
  cursor.skipBlanks();
  Expected<NamedStages> named = parseStages(cursor, types);
  if (!named)
    return named.error();
  const TextCursor end = cursor;
  cursor.skipBlanks();
  if (!cursor.atEnd())
    return end.error("expected '+' or the end after an epilogue stage, found " +
                     end.found() + "; " +
                     remedyAfter(text.substr(0, end.column() - 1), end.rest()));
  Epilogue epilogue;
  epilogue.stageList = std::move(named->stages);
  epilogue.scales = named->quantization;
  epilogue.describe(types);
  return epilogue;
}

/// Derives the operands and the text from the stages and scales.
void Epilogue::describe(const DataTypes &types) {
  operandList.clear();
  std::vector<std::string> parts;
  if (scales) {
    usual = Quantization::of(types);
    sums = InputSums::of(*scales);
    addParameter(operandList, OperandRole::xScale, "x_scale", scales->xScale);
    addParameter(operandList, OperandRole::xZero, "x_zero", scales->xZero);
    addParameter(operandList, OperandRole::wScale, "w_scale", scales->wScale);
    addParameter(operandList, OperandRole::wZero, "w_zero", scales->wZero);
    parts.push_back(dequantizationText(*scales, types));
  }
  for (EpilogueOperand &operand : operandsOf(stageList)) {
    operand.dtype = types.operand();
    operandList.push_back(std::move(operand));
  }
  for (const EpilogueStage &stage : stageList)
    parts.push_back(stageText(stage));
  if (scales) {
    addParameter(operandList, OperandRole::resultScale, "result_scale",
                 scales->resultScale);
    addParameter(operandList, OperandRole::resultZero, "result_zero",
                 scales->resultZero);
    parts.push_back(requantizationText(*scales, types));
  }
  canonical.clear();
  for (const std::string &part : parts)
    if (!part.empty())
      canonical += (canonical.empty() ? "" : "+") + part;
  if (canonical.empty())
    canonical = "none";
}

/// Scales and zero points of stages for whose types `usual` is the default. A
/// float has none.
static Quantization inOtherTypes(Quantization scales, const Quantization &usual,
                                 const DataTypes &types) {
  const Quantization now = Quantization::of(types);
  for (Granularity Quantization::*member :
       {&Quantization::xScale, &Quantization::xZero, &Quantization::wScale,
        &Quantization::wZero, &Quantization::resultScale,
        &Quantization::resultZero})
    if (scales.*member == usual.*member)
      scales.*member = now.*member;
  if (isFloat(types.result))
    scales.resultScale = scales.resultZero = Granularity::none;
  return scales;
}

Expected<Epilogue> Epilogue::forTypes(const DataTypes &types) const {
  Epilogue epilogue = *this;
  if (region)
    return epilogue;
  if (scales && !types.areIntegers())
    return Error(ErrorCode::invalidArgument,
                 "the epilogue '" + canonical +
                     "' was made for integers; a "
                     "layer of " +
                     types.text() + " has no scales and zero points");
  if (types.areIntegers())
    epilogue.scales =
        scales ? inOtherTypes(*scales, usual, types) : Quantization::of(types);
  epilogue.describe(types);
  return epilogue;
}

Epilogue Epilogue::fromRegion(std::string regionText,
                              std::vector<EpilogueOperand> operands,
                              int numResults, InputSums sums) {
  Epilogue epilogue;
  epilogue.canonical = std::move(regionText);
  epilogue.operandList = std::move(operands);
  epilogue.results = numResults;
  epilogue.sums = sums;
  epilogue.region = true;
  return epilogue;
}

} // namespace lintel
