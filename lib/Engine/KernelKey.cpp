// The identity of a tuned kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/KernelKey.h"

#include "Codegen/Compiler.h"
#include "Lintel/KernelABI.h"

namespace lintel {
namespace {

constexpr const char *kProblemField = "problem", *kMixField = "mix",
                     *kCodegenField = "codegen", *kAbiField = "kernel-abi";

const char *executorText(ExecutorKind kind) {
  switch (kind) {
  case ExecutorKind::none:
    return "none";
  case ExecutorKind::openMP:
    return "openmp";
  case ExecutorKind::callers:
    return "callers";
  }
  return "unknown";
}

/// Broadcast and type of each operand, behind the sums of columns and rows. A
/// region's text does not hold them: its arguments are scalars whatever they
/// come from.
std::string operandText(const Epilogue &epilogue) {
  std::string text;
  if (epilogue.inputSums().ofColumns)
    text = "column_sums";
  if (epilogue.inputSums().ofRows)
    text += (text.empty() ? "" : ",") + std::string("row_sums");
  for (const EpilogueOperand &operand : epilogue.operands()) {
    if (!text.empty())
      text += ',';
    text += std::string(toString(operand.broadcast)) + ':' +
            std::string(toString(operand.dtype));
  }
  return text;
}

std::string mixText(const std::vector<int64_t> &mix) {
  std::string text;
  for (int64_t rows : mix)
    text += (text.empty() ? "" : ",") + std::to_string(rows);
  return text;
}

} // namespace

std::vector<std::pair<std::string, std::string>>
KernelIdentity::fields() const {
  const Epilogue &epilogue = problem.epilogue();
  return {{kProblemField, problem.text()},
          {"dtype", problem.types().text()},
          {"epilogue", epilogue.text()},
          {"operands", operandText(epilogue)},
          {"results", std::to_string(epilogue.numResults())},
          {"target", target.text()},
          {kMixField, mixText(mix)},
          {"threads", std::to_string(threads)},
          {"executor", executorText(executor)},
          {kCodegenField, codegenVersion},
          {kAbiField, std::to_string(kernelAbiVersion)}};
}

CacheKey kernelKey(const KernelIdentity &identity) {
  return CacheKey(identity.fields());
}

std::string_view mixOfKeyText(std::string_view text) {
  return CacheKey::fieldOfText(text, kMixField).value_or("");
}

bool isKeyTextOfThisBuild(std::string_view text) {
  return CacheKey::fieldOfText(text, kCodegenField) == codegenVersion() &&
         CacheKey::fieldOfText(text, kAbiField) ==
             std::to_string(kKernelAbiVersion);
}

std::string layerOfKeyText(std::string_view text) {
  if (mixOfKeyText(text).empty())
    return "";
  const auto problem = CacheKey::fieldOfText(text, kProblemField);
  const size_t rows = problem ? problem->find('x') : std::string_view::npos;
  if (rows == std::string_view::npos)
    return "";
  // The first field, so that nothing else stands before the rows.
  return std::string(text.substr(problem->data() - text.data() + rows));
}

} // namespace lintel
