// What a linear layer means, evaluated in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/Oracle.h"
#include "Lintel/LintelDialect.h"
#include "Problem/BuildLinear.h"
#include "Reference/CompileEpilogue.h"
#include "Reference/Element.h"
#include "Reference/RowProduct.h"

#include <algorithm>

namespace lintel {

Oracle::~Oracle() = default;

namespace {

constexpr size_t kLanes = ScalarProgram::kLanes;

/// Where element `index` of a tensor is.
const void *address(const ConstTensorView &view, DType dtype, int64_t index) {
  return static_cast<const std::byte *>(view.data) + index * bytesOf(dtype);
}

/// The columns [first, first + count) of one row; count <= kLanes.
struct Segment {
  int64_t row;
  int64_t first;
  size_t count;
};

class ProgramOracle final : public Oracle {
public:
  ProgramOracle(const Problem &problem, ScalarProgram program)
      : columns(problem.n()), depth(problem.k()), types(problem.types()),
        sums(problem.epilogue().inputSums()),
        operands(problem.epilogue().operands()), program(std::move(program)) {}

  void evaluateColumns(const LinearInputs &inputs, int64_t row, int64_t first,
                       int64_t count, bool exactSums,
                       std::vector<ReferenceElement> &out) const override {
    out.resize(program.results().size() * size_t(count));
    Workspace space(program.slotCount());
    for (int64_t done = 0; done < count; done += int64_t(kLanes)) {
      size_t lanes = size_t(std::min(count - done, int64_t(kLanes)));
      evaluate(inputs, {row, first + done, lanes}, exactSums, space,
               out.data() + done, size_t(count));
    }
  }

  void evaluateRow(const LinearInputs &inputs, int64_t row, bool exactSums,
                   std::vector<ReferenceElement> &out) const override {
    evaluateColumns(inputs, row, 0, columns, exactSums, out);
  }

private:
  struct Workspace {
    explicit Workspace(size_t slotCount) : slots(slotCount * kLanes) {}
    std::vector<Number> slots;
    double sums[kLanes];
    double doubts[kLanes];
  };

  /// Writes result r of the segment to out[r * stride, ...).
  void evaluate(const LinearInputs &inputs, Segment segment, bool exactSums,
                Workspace &space, ReferenceElement *out, size_t stride) const {
    const Rows rows = {
        types.activation, types.weight,
        address(inputs.x, types.activation, segment.row * inputs.x.stride),
        address(inputs.w, types.weight, segment.first * inputs.w.stride),
        inputs.w.stride};
    int64_t count = int64_t(segment.count);
    rowProducts(rows, count, depth, space.sums);
    loadInputSums(rows, segment, space);
    loadOperands(inputs, segment, space);
    runWith(space, segment.count, 0);
    for (size_t r = 0; r < program.results().size(); ++r)
      for (size_t i = 0; i < segment.count; ++i)
        out[r * stride + i] =
            resultOf(space.slots[program.results()[r] * kLanes + i]);
    if (!exactSums && !types.areIntegers()) {
      rowMagnitudes(rows, count, depth, space.doubts);
      for (size_t i = 0; i < segment.count; ++i)
        space.doubts[i] = doubtOf(space.doubts[i]);
      addSpread(space, segment.count, out, stride);
    }
    for (size_t r = 0; r < program.results().size(); ++r)
      for (size_t i = 0; i < segment.count; ++i)
        out[r * stride + i].bound += FLT_MIN;
  }

  /// How far a sum of products may be off whose magnitudes add up to this;
  /// infinite where some partial sum may overflow f16.
  double doubtOf(double magnitude) const {
    // Tiles of bf16 add four products of parts for each of two f16.
    const double additions = types.weight == DType::f16 ? 2 : 1;
    const double inF32 =
        additions * double(depth) * epsilonOf(Format::f32) * magnitude;
    if (types.accumulate != DType::f16)
      return inF32;
    constexpr double kUnit = 0x1p-11;     // of rounding to f16
    constexpr double kDenormal = 0x1p-24; // f16's least number
    const double roundings = double(std::min(depth, kHalfRun)) * kUnit;
    const double doubt = inF32 + roundings / (1 - roundings) * magnitude +
                         double(depth) * kDenormal;
    // No partial sum is larger.
    return magnitude + doubt < overflowOf(Format::f16) ? doubt : kInfiniteError;
  }

  /// Integers have no sign in a region. Of those without one -1 is the largest:
  /// what is next to 0 may be at either end.
  ReferenceElement resultOf(const Number &number) const {
    if (types.result != DType::u8)
      return {number.value, number.error};
    const bool mayBeEither =
        number.value - number.error < 0 && number.value + number.error >= 0;
    return {number.value < 0 ? number.value + 256 : number.value,
            mayBeEither ? kInfiniteError : number.error};
  }

  void loadInputSums(const Rows &rows, Segment segment,
                     Workspace &space) const {
    Number *slot = &space.slots[kLanes];
    if (sums.ofColumns) {
      columnSums(rows, int64_t(segment.count), depth, space.doubts);
      for (size_t i = 0; i < segment.count; ++i)
        slot[i] = {space.doubts[i], 0};
      slot += kLanes;
    }
    if (sums.ofRows)
      std::fill_n(slot, segment.count, Number{double(rowSum(rows, depth)), 0});
  }

  void loadOperands(const LinearInputs &inputs, Segment segment,
                    Workspace &space) const {
    for (size_t j = 0; j < operands.size(); ++j) {
      Number *slot =
          &space.slots[(1 + sums.ofColumns + sums.ofRows + j) * kLanes];
      const ConstTensorView &view = inputs.operands[j];
      for (size_t i = 0; i < segment.count; ++i)
        slot[i] = {elementAt(operands[j].dtype, view.data,
                             offset(operands[j].broadcast, view.stride,
                                    segment.row, segment.first + int64_t(i))),
                   0};
    }
  }

  static int64_t offset(Broadcast broadcast, int64_t stride, int64_t row,
                        int64_t column) {
    switch (broadcast) {
    case Broadcast::scalar:
      return 0;
    case Broadcast::column:
      return column;
    case Broadcast::row:
      return row * stride;
    case Broadcast::full:
      return row * stride + column;
    }
    return 0;
  }

  /// A kernel's sum is an f32, if maybe a neighbour of this one.
  static Number inF32(double sum) {
    const double single = static_cast<float>(sum);
    const double off = std::isinf(single) ? 0 : std::abs(sum - single);
    return settle({single, off}, Format::f32);
  }

  /// Runs the epilogue on the sums, each moved by `doubt` times its doubt.
  void runWith(Workspace &space, size_t count, double doubt) const {
    for (size_t i = 0; i < count; ++i) {
      double moved = space.sums[i];
      // An infinity stays where it is.
      if (doubt != 0 && std::isfinite(moved))
        moved += doubt * space.doubts[i];
      space.slots[i] = types.areIntegers() ? settle({moved, 0}, Format::integer)
                                           : inF32(moved);
    }
    program.run(space.slots.data(), count);
  }

  /// Adds to each bound how far the result moves when the sum moves by its
  /// doubt.
  void addSpread(Workspace &space, size_t count, ReferenceElement *out,
                 size_t stride) const {
    std::vector<double> spread(program.results().size() * count, 0.0);
    for (double doubt : {1.0, -1.0}) {
      runWith(space, count, doubt);
      for (size_t r = 0; r < program.results().size(); ++r)
        for (size_t i = 0; i < count; ++i) {
          const Number &moved = space.slots[program.results()[r] * kLanes + i];
          const ReferenceElement &known = out[r * stride + i];
          // Infinite: the edge of a function's domain is nearer than the doubt.
          double distance = distanceBetween(moved.value, known.value);
          // Rounding may be certain for one of the two and not for the other,
          // also inside a region whose result is an f32.
          if (isUnknown(moved))
            distance = kInfiniteError;
          else
            distance += std::max(moved.error - known.bound, 0.0);
          double &worst = spread[r * count + i];
          worst = std::max(worst, distance);
        }
    }
    // Then both ends may be next to it, and what lies between far away.
    if (program.mayRecur())
      widenToSlopes(space, count, out, stride, spread);
    for (size_t r = 0; r < program.results().size(); ++r)
      for (size_t i = 0; i < count; ++i)
        out[r * stride + i].bound +=
            mayOverflow(space, i) ? kInfiniteError : spread[r * count + i];
  }

  /// Makes each spread at least what slopes make of the sum's doubt.
  void widenToSlopes(Workspace &space, size_t count,
                     const ReferenceElement *out, size_t stride,
                     std::vector<double> &spread) const {
    for (size_t i = 0; i < count; ++i) {
      Number sum = inF32(space.sums[i]);
      if (std::isfinite(sum.value))
        sum.error += space.doubts[i];
      space.slots[i] = settle(sum, Format::f32);
    }
    program.run(space.slots.data(), count);
    for (size_t r = 0; r < program.results().size(); ++r)
      for (size_t i = 0; i < count; ++i) {
        const Number &moved = space.slots[program.results()[r] * kLanes + i];
        const double beyond = isUnknown(moved)
                                  ? kInfiniteError
                                  : moved.error - out[r * stride + i].bound;
        double &worst = spread[r * count + i];
        worst = std::max(worst, beyond);
      }
  }

  /// Whether a kernel's sum may be infinite, or then NaN, though this one is
  /// not.
  static bool mayOverflow(const Workspace &space, size_t i) {
    return std::isinf(space.doubts[i]) && std::isfinite(space.sums[i]);
  }

  int64_t columns, depth;
  DataTypes types;
  InputSums sums;
  std::vector<EpilogueOperand> operands;
  ScalarProgram program;
};

} // namespace

Expected<std::unique_ptr<Oracle>> Oracle::create(const Problem &problem) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildModule(context, problem);
  if (!module)
    return module.error();
  std::optional<Expected<ScalarProgram>> program;
  (*module)->walk(
      [&](ir::LinearOp op) { program = compileEpilogue(op.getEpilogue()); });
  if (!program || !*program)
    return program
               ? program->error()
               : Error(ErrorCode::internal, "buildModule made no linear op");
  return std::unique_ptr<Oracle>(
      new ProgramOracle(problem, std::move(**program)));
}

double normalizedError(const ReferenceElement &expected, double actual) {
  if (std::isinf(expected.bound))
    return 0; // it could be anything
  if (std::isnan(expected.value) || std::isnan(actual))
    return std::isnan(expected.value) == std::isnan(actual) ? 0
                                                            : kInfiniteError;
  if (expected.value == actual)
    return 0;
  if (std::isinf(expected.value) || std::isinf(actual))
    return kInfiniteError;
  return std::abs(actual - expected.value) / expected.bound;
}

} // namespace lintel
