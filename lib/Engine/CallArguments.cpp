// Checks of the arguments that a caller hands to a layer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/CallArguments.h"

#include "Problem/ProblemTitle.h"
#include "lintel/AddressSpace.h"

#include <string>
#include <string_view>
#include <utility>

namespace lintel {
namespace {

Error badArgument(std::string message) {
  return Error(ErrorCode::invalidArgument, std::move(message));
}

/// "2 operands", "1 output"
std::string countOf(size_t count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string operandName(const Epilogue &epilogue, size_t index) {
  return "operand " + std::to_string(index) + " (" +
         epilogue.operands()[index].name + ")";
}

std::string outputName(const Epilogue &epilogue, size_t index) {
  return epilogue.numResults() == 1 ? "output"
                                    : "output " + std::to_string(index);
}

Error strideTooSmall(const std::string &what, int64_t stride, int64_t least,
                     std::string_view why) {
  return badArgument(what + " has stride " + std::to_string(stride) +
                     ", must be at least " + std::to_string(least) + " (" +
                     std::string(why) + ")");
}

/// Of no tensor at hand is that ever wrong, but of a stride that was not
/// initialised, say.
bool fitsInMemory(int64_t rows, int64_t stride, DType dtype) {
  int64_t bytes = 0;
  return !__builtin_mul_overflow(rows, stride, &bytes) &&
         !__builtin_mul_overflow(bytes, bytesOf(dtype), &bytes) &&
         bytes <= kAddressSpaceBytes;
}

Error strideTooLarge(const std::string &what, int64_t rows, int64_t stride) {
  return badArgument(what + ": " + std::to_string(rows) + " rows of stride " +
                     std::to_string(stride) +
                     " do not fit in memory; the stride counts elements");
}

/// Smallest legal stride of an operand; 0 where it is ignored.
int64_t leastStride(Broadcast broadcast, int64_t columns) {
  switch (broadcast) {
  case Broadcast::scalar:
  case Broadcast::column:
    return 0;
  case Broadcast::row:
    return 1;
  case Broadcast::full:
    break;
  }
  return columns;
}

} // namespace

Status checkTensorCounts(const Problem &problem, size_t numOperands,
                         size_t numOutputs) {
  const Epilogue &epilogue = problem.epilogue();
  if (numOperands != epilogue.operands().size())
    return badArgument("epilogue '" + problemTitle(epilogue.text()) +
                       "' takes " +
                       countOf(epilogue.operands().size(), "operand") +
                       ", got " + std::to_string(numOperands));
  if (numOutputs != static_cast<size_t>(epilogue.numResults()))
    return badArgument(
        "the layer has " +
        countOf(static_cast<size_t>(epilogue.numResults()), "output") +
        ", got " + std::to_string(numOutputs));
  return {};
}

Status checkRows(const Problem &problem, int64_t rows) {
  if (!problem.m() && !problem.rows().contains(rows))
    return badArgument("rows is " + std::to_string(rows) + ", must be " +
                       std::to_string(problem.rows().least) + " to " +
                       std::to_string(problem.rows().most));
  if (problem.m() && rows != *problem.m())
    return badArgument("rows is " + std::to_string(rows) +
                       ", but the layer was compiled for " +
                       std::to_string(*problem.m()) +
                       " rows; compile a problem with '?' rows to vary them");
  return {};
}

Status checkWeight(const Problem &problem, const void *w, int64_t ldw) {
  if (!w && problem.n() > 0 && problem.k() > 0)
    return badArgument("the weight is null");
  if (ldw < problem.k())
    return strideTooSmall("the weight", ldw, problem.k(), "K");
  return {};
}

Status checkInput(const Problem &problem, int64_t rows, ConstTensorRef x) {
  if (!x.data && problem.k() > 0)
    return badArgument("x is null");
  if (x.stride < problem.k())
    return strideTooSmall("x", x.stride, problem.k(), "K");
  if (!fitsInMemory(rows, x.stride, problem.types().activation))
    return strideTooLarge("x", rows, x.stride);
  return {};
}

Status gatherOperands(const Problem &problem, int64_t rows,
                      std::span<const ConstTensorRef> operands,
                      CallTensors<KernelTensor> &gathered) {
  const std::vector<EpilogueOperand> &expected = problem.epilogue().operands();
  for (size_t i = 0; i < operands.size(); ++i) {
    const Broadcast broadcast = expected[i].broadcast;
    const int64_t least = leastStride(broadcast, problem.n());
    if (!operands[i].data)
      return badArgument(operandName(problem.epilogue(), i) + " is null");
    if (least > 0 && operands[i].stride < least)
      return strideTooSmall(
          operandName(problem.epilogue(), i), operands[i].stride, least,
          broadcast == Broadcast::row ? "between elements" : "N");
    if (least > 0 && !fitsInMemory(rows, operands[i].stride, expected[i].dtype))
      return strideTooLarge(operandName(problem.epilogue(), i), rows,
                            operands[i].stride);
    // Kernels only read operands; the struct is shared with outputs.
    gathered.append({const_cast<void *>(operands[i].data), operands[i].stride});
  }
  return {};
}

Status gatherOutputs(const Problem &problem, int64_t rows,
                     std::span<const TensorRef> outputs,
                     CallTensors<KernelTensor> &gathered) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].data)
      return badArgument(outputName(problem.epilogue(), i) + " is null");
    if (outputs[i].stride < problem.n())
      return strideTooSmall(outputName(problem.epilogue(), i),
                            outputs[i].stride, problem.n(), "N");
    if (!fitsInMemory(rows, outputs[i].stride, problem.types().result))
      return strideTooLarge(outputName(problem.epilogue(), i), rows,
                            outputs[i].stride);
    gathered.append({outputs[i].data, outputs[i].stride});
  }
  return {};
}

/// Whether an output may have the memory of an operand: each element is read
/// before the one in its place is written, and no other.
static bool mayBeReplaced(const Problem &problem, size_t operand, int64_t rows,
                          int64_t operandStride, int64_t outputStride) {
  const EpilogueOperand &replaced = problem.epilogue().operands()[operand];
  return replaced.broadcast == Broadcast::full &&
         replaced.dtype == problem.types().result &&
         (operandStride == outputStride || rows == 1);
}

Status checkOutputsApart(const Problem &problem, int64_t rows, ConstTensorRef x,
                         std::span<const ConstTensorRef> operands,
                         std::span<const TensorRef> outputs) {
  const auto inPlaceOf = [&](size_t i, const std::string &what,
                             std::string_view remedy) {
    return badArgument(outputName(problem.epilogue(), i) + " begins where " +
                       what + " does; " + std::string(remedy));
  };
  constexpr std::string_view kOwnMemory = "it must have memory of its own";
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].data == x.data && problem.k() > 0)
      return inPlaceOf(i, "x", kOwnMemory);
    for (size_t other = 0; other < i; ++other)
      if (outputs[other].data == outputs[i].data)
        return inPlaceOf(i, outputName(problem.epilogue(), other), kOwnMemory);
    for (size_t other = 0; other < operands.size(); ++other)
      if (operands[other].data == outputs[i].data &&
          !mayBeReplaced(problem, other, rows, operands[other].stride,
                         outputs[i].stride))
        return inPlaceOf(i, operandName(problem.epilogue(), other),
                         "only a full operand of the output's type and stride "
                         "may share its memory");
  }
  return {};
}

} // namespace lintel
