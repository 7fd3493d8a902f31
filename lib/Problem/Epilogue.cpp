// Epilogues: their stages, operands and canonical text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/EpilogueText.h"

#include <algorithm>

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
  size_t seen[size_t(EpilogueOp::mul) + 1] = {};
  for (const EpilogueStage &stage : stages) {
    std::optional<EpilogueOperand> operand = operandOf(stage);
    if (!operand)
      continue;
    size_t count = ++seen[size_t(stage.op)];
    if (count > 1)
      operand->name += std::to_string(count);
    operands.push_back(std::move(*operand));
  }
  return operands;
}

Expected<Epilogue> Epilogue::parse(std::string_view text) {
  TextCursor cursor(text);
  cursor.skipBlanks();
  Expected<std::vector<EpilogueStage>> stages = parseStages(cursor);
  if (!stages)
    return stages.error();
  cursor.skipBlanks();
  if (!cursor.atEnd())
    return cursor.error(
        "expected '+' or the end after an epilogue stage, found " +
        cursor.found() + "; stages are joined by '+' without blanks");
  Epilogue epilogue;
  epilogue.stageList = std::move(*stages);
  epilogue.operandList = operandsOf(epilogue.stageList);
  std::string joined;
  for (const EpilogueStage &stage : epilogue.stageList)
    joined += (joined.empty() ? "" : "+") + stageText(stage);
  if (!joined.empty())
    epilogue.canonical = std::move(joined);
  return epilogue;
}

Epilogue Epilogue::withOperands(DType dtype) const {
  Epilogue epilogue = *this;
  if (!region)
    for (EpilogueOperand &operand : epilogue.operandList)
      operand.dtype = dtype;
  return epilogue;
}

Epilogue Epilogue::fromRegion(std::string regionText,
                              std::vector<EpilogueOperand> operands,
                              int numResults) {
  Epilogue epilogue;
  epilogue.canonical = std::move(regionText);
  epilogue.operandList = std::move(operands);
  epilogue.results = numResults;
  epilogue.region = true;
  return epilogue;
}

} // namespace lintel
