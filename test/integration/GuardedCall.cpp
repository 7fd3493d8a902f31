// Laying out, running and judging a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GuardedCall.h"

#include "Reference/Element.h"
#include "Runtime/ByteSums.h"
#include "Runtime/PackedWeight.h"
#include "Schedule/Workspace.h"
#include "TileEmulation/TileEmulation.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lintel::integration {
namespace {

constexpr size_t kLineBytes = Target::kLineBytes;

/// Rounding, denormals, exception masks; not the sticky flags, which any
/// arithmetic sets.
unsigned floatingPointModes() {
  constexpr unsigned kStickyFlags = 0x3f;
  return __builtin_ia32_stmxcsr() & ~kStickyFlags;
}

} // namespace

std::string Team::text() const {
  return "parts=" + std::to_string(parts) +
         (order == Order::descending ? " in descending order" : "");
}

GuardedCall::GuardedCall(const Workload &workload, int64_t rows,
                         const Layout &layout, std::optional<Alias> alias)
    : work(workload), rowCount(rows), layout(layout), alias(alias),
      x(rows, workload.problem().k(), layout,
        workload.problem().types().activation),
      w(workload.problem().n(), workload.problem().k(), layout,
        workload.problem().types().weight) {
  const Problem &problem = work.problem();
  const Inputs &data = work.inputs();
  x.fillGapsWithGarbage();
  x.assign(data.x.data());
  w.fillGapsWithGarbage();
  w.assign(data.w.data());
  for (int result = 0; result < problem.epilogue().numResults(); ++result) {
    GuardedMatrix &output = outputMatrices.emplace_back(
        rows, problem.n(), layout, problem.types().result);
    outputTensors.push_back({output.data(), output.stride()});
  }
  for (size_t i = 0; i < data.operands.size(); ++i) {
    const EpilogueOperand &description = problem.epilogue().operands()[i];
    const OperandShape shape =
        operandShape(description.broadcast, rows, problem.n());
    GuardedMatrix &operand = operands.emplace_back(shape.rows, shape.columns,
                                                   layout, description.dtype);
    operand.fillGapsWithGarbage();
    operand.assign(data.operands[i].data());
    operandTensors.push_back({operand.data(), operand.stride()});
  }
  if (alias)
    operandTensors[alias->operand] = outputTensors[alias->output];
}

std::string GuardedCall::text() const {
  return "m=" + std::to_string(rowCount) + " " + work.origin() + " " +
         layout.text() +
         (alias ? " operand " + std::to_string(alias->operand) + " is output " +
                      std::to_string(alias->output)
                : "");
}

/// The weight as kernels read it. It must be aligned to a cache line, so that
/// at the end of a page it may stop a little short of the guard.
Expected<const void *> GuardedCall::packedWeight(const PanelShape &shape) {
  auto found = packed.find(shape);
  if (found != packed.end())
    return found->second.data;
  const PackedLayout panels = PackedLayout::of(work.problem(), shape);
  Expected<PackedWeight> weight =
      PackedWeight::pack(panels, w.data(), w.stride());
  if (!weight)
    return weight.error();
  const size_t elementBytes = byteSize(panels.dtype);
  const auto bytes = size_t(panels.bytes());
  const size_t lines = ceilDiv(bytes, kLineBytes);
  GuardedBuffer buffer(lines * kLineBytes / elementBytes, layout.fit,
                       elementBytes);
  std::copy_n(static_cast<const char *>(weight->data()), bytes,
              static_cast<char *>(buffer.memory()));
  const void *data = buffer.memory();
  packed.emplace(shape, Packed{std::move(buffer), data});
  return data;
}

KernelPlan GuardedCall::planFor(const Kernel &kernel, const Schedule &schedule,
                                const Target &target, int32_t threads) const {
  return makePlan(
      kernel.function(), schedule, work.problem(), threads,
      workspaceBytesPerThread(schedule, work.problem(), target, rowCount));
}

void GuardedCall::prepareOutputs() {
  for (GuardedMatrix &output : outputMatrices)
    output.poison();
  if (alias)
    outputMatrices[alias->output].assign(
        work.inputs().operands[alias->operand].data());
}

Status GuardedCall::run(const Kernel &kernel, const Schedule &schedule,
                        const Target &target, const Team &team) {
  Expected<const void *> weight = packedWeight(schedule.panel());
  if (!weight)
    return weight.error();
  prepareOutputs();
  const unsigned modes = floatingPointModes();
  const uint64_t traps = tileFaults();
  Status status =
      runParts(planFor(kernel, schedule, target, team.parts), *weight, team);
  if (floatingPointModes() != modes)
    return Error(ErrorCode::wrongResult, "the kernel changed MXCSR");
  if (tileFaults() != traps)
    return Error(ErrorCode::wrongResult,
                 "an emulated instruction would trap on a CPU with AMX");
  return status;
}

Status GuardedCall::run(const Kernel &kernel, const Schedule &schedule,
                        const Target &target, Executor &executor,
                        int32_t threads) {
  Expected<const void *> weight = packedWeight(schedule.panel());
  if (!weight)
    return weight.error();
  prepareOutputs();
  return runPlan(planFor(kernel, schedule, target, threads), executor, x.data(),
                 x.stride(), rowCount, *weight, outputTensors.data(),
                 operandTensors.data());
}

Status GuardedCall::runParts(const KernelPlan &plan, const void *weight,
                             const Team &team) {
  // Parts that run one after the other can share a workspace: a stride of 0.
  GuardedBuffer workspace(size_t(plan.workspaceBytes) / sizeof(float),
                          layout.fit);
  GuardedBuffer partials(size_t(plan.partialBytes) / sizeof(float), layout.fit);
  KernelArgs args = plan.blocking;
  args.x = x.data();
  args.ldx = x.stride();
  args.w = weight;
  args.m = rowCount;
  args.workspace = workspace.data();
  args.workspaceStride = 0;
  args.partials = partials.data();
  args.outputs = outputTensors.data();
  args.operands = operandTensors.data();
  std::vector<int32_t> rowSums;
  if (plan.columnSumsOffset)
    args.columnSums = reinterpret_cast<const int32_t *>(
        static_cast<const char *>(weight) + *plan.columnSumsOffset);
  if (plan.rowSums) {
    rowSums.resize(size_t(rowCount));
    sumRows(plan.rowSums->dtype, x.data(), x.stride(), rowCount,
            plan.rowSums->depth, rowSums.data());
    args.rowSums = rowSums.data();
  }
  const int64_t phases = plan.partialsPerRow > 0 ? 2 : 1;
  for (args.phase = 0; args.phase < phases; ++args.phase)
    for (int32_t i = 0; i < team.parts; ++i) {
      workspace.poison();
      const bool descending = team.order == Team::Order::descending;
      plan.function(&args, descending ? team.parts - 1 - i : i, team.parts);
    }
  if (!workspace.canariesIntact() || !partials.canariesIntact())
    return Error(ErrorCode::wrongResult,
                 "something was written beside the workspace");
  return {};
}

bool GuardedCall::isRightAt(int result, int64_t row, int64_t column) const {
  const ReferenceElement &expected = work.expected(result, row, column);
  const GuardedMatrix &output = outputMatrices[size_t(result)];
  // An integer that is right may look like one that was not written, and so may
  // what could be anything.
  const bool mayBePoison =
      !isFloat(work.problem().types().result) || std::isinf(expected.bound);
  return (mayBePoison || !output.isPoisonAt(row, column)) &&
         normalizedError(expected, output.at(row, column)) <= 1;
}

std::string GuardedCall::describe(int result, int64_t row,
                                  int64_t column) const {
  const ReferenceElement &expected = work.expected(result, row, column);
  const float actual = outputMatrices[size_t(result)].at(row, column);
  const bool written = !outputMatrices[size_t(result)].isPoisonAt(row, column);
  std::ostringstream text;
  text.precision(9);
  text << "result " << result << " at [" << row << ", " << column << "] is ";
  if (written)
    text << actual;
  else
    text << "not written";
  text << "; it must be " << expected.value << " within " << expected.bound;
  return text.str();
}

/// Nearly all elements equal what is expected, if sums are exact, and then need
/// no closer look: poison of floats equals nothing, and that of integers may be
/// right.
std::optional<int64_t> GuardedCall::firstWrongColumn(int result,
                                                     int64_t row) const {
  const int64_t columns = work.problem().n();
  if (columns == 0)
    return std::nullopt;
  const ReferenceElement *expected = &work.expected(result, row, 0);
  const KernelTensor &output = outputTensors[size_t(result)];
  return withElement(work.problem().types().result,
                     [&](auto element) -> std::optional<int64_t> {
                       const auto *actual =
                           static_cast<const decltype(element) *>(output.data) +
                           row * output.stride;
                       for (int64_t column = 0; column < columns; ++column)
                         if (widen(actual[column]) != expected[column].value &&
                             !isRightAt(result, row, column))
                           return column;
                       return std::nullopt;
                     });
}

std::string GuardedCall::fault() const {
  for (size_t result = 0; result < outputMatrices.size(); ++result) {
    for (int64_t row = 0; row < rowCount; ++row)
      if (const auto wrong = firstWrongColumn(int(result), row))
        return describe(int(result), row, *wrong);
    if (!outputMatrices[result].surroundingsIntact())
      return "result " + std::to_string(result) +
             ": something was written beside its rows";
  }
  return "";
}

std::vector<float> GuardedCall::outputs() const {
  std::vector<float> all;
  for (const GuardedMatrix &output : outputMatrices)
    for (int64_t row = 0; row < rowCount; ++row)
      for (int64_t column = 0; column < work.problem().n(); ++column)
        all.push_back(output.at(row, column));
  return all;
}

} // namespace lintel::integration
