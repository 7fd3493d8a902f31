// What lintel.linear and lintel.pack refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ElementType.h"
#include "Lintel/EpilogueVerifier.h"
#include "Lintel/LayerTensor.h"
#include "Lintel/LintelDialect.h"

using namespace mlir;
using namespace lintel::ir;

static std::string sizeText(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

static bool sizesMayAgree(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

/// Tensors in, tensors out; or memrefs in and memrefs to write to.
static LogicalResult verifyForm(LinearOp op) {
  bool onTensors = isa<TensorType>(op.getX().getType());
  auto agrees = [&](Type type) {
    return isa<PackedType>(type) || isa<TensorType>(type) == onTensors;
  };
  if (onTensors && !op.getOuts().empty())
    return op.emitOpError("on tensors returns its outputs: give it results and "
                          "no outs, or make every operand a memref");
  if (!onTensors && op.getNumResults() != 0)
    return op.emitOpError(
        "on memrefs has no results: name the memrefs to write "
        "to with outs(...)");
  for (Type type : op->getOperandTypes())
    if (!agrees(type))
      return op.emitOpError("mixes tensors and memrefs: x is ")
             << op.getX().getType() << ", another operand is " << type;
  if (op.getNumOutputs() == 0)
    return op.emitOpError("computes nothing: ")
           << (onTensors ? "give it a result"
                         : "name the memrefs to write to with outs(...)");
  return success();
}

static LogicalResult verifyInputs(LinearOp op) {
  auto x = cast<ShapedType>(op.getX().getType());
  if (!sizesMayAgree(x.getDimSize(1), op.getK()))
    return op.emitOpError("multiplies x [M, K] with w [N, K], but K is ")
           << x.getDimSize(1) << " in x and " << op.getK() << " in w";
  Type weight = op.getWeightType();
  bool bothIntegers =
      isa<IntegerType>(x.getElementType()) && isa<IntegerType>(weight);
  if (x.getElementType() != weight && !bothIntegers)
    return op.emitOpError("needs x and w of one element type, or both of "
                          "integers, but x holds ")
           << x.getElementType() << " and w holds " << weight;
  if (!bothIntegers && !isFloatOfLayers(weight))
    return op.emitOpError("multiplies f32, bf16, f16 or integers, not ")
           << weight;
  if (!bothIntegers && (op.getColumnSums() || op.getRowSums()))
    return op.emitOpError(
               "takes the sums of columns or rows of integers alone, "
               "but x and w hold ")
           << weight;
  return success();
}

static LogicalResult verifyAccumulate(LinearOp op) {
  std::optional<Type> sums = op.getAccumulate();
  if (!sums)
    return success();
  if (!sums->isF16() && !sums->isSignlessInteger(16))
    return op.emitOpError("takes accumulate = f16 or i16, or none, which sums "
                          "in f32 or i32; not ")
           << *sums;
  const Type input = op.getInputType();
  if (sums->isF16() ? input.isF16() : isa<IntegerType>(input))
    return success();
  return op.emitOpError("takes accumulate = f16 where x and w are of f16, and "
                        "i16 where they are of integers; x holds ")
         << input;
}

/// The M of x or, where that is not known, of the first output with one.
static int64_t rowsOfOutputs(LinearOp op) {
  int64_t rows = op.getM();
  for (unsigned i = 0; i < op.getNumOutputs() && ShapedType::isDynamic(rows);
       ++i)
    if (ShapedType type = op.getOutputType(i); type.getRank() == 2)
      rows = type.getDimSize(0);
  return rows;
}

/// The same, or else of the first epilogue operand with one.
static int64_t rowsOfTensors(LinearOp op) {
  int64_t rows = rowsOfOutputs(op);
  for (Value operand : op.getEpilogueOperands()) {
    auto type = cast<ShapedType>(operand.getType());
    if (ShapedType::isDynamic(rows) && type.getRank() == 2)
      rows = type.getDimSize(0);
  }
  return rows;
}

static LogicalResult verifyOperandShape(LinearOp op, unsigned index,
                                        int64_t rows) {
  auto type = cast<ShapedType>(op.getEpilogueOperands()[index].getType());
  ArrayRef<int64_t> shape = type.getShape();
  bool fits = shape.empty() ||
              (shape.size() == 1 && sizesMayAgree(shape[0], op.getN())) ||
              (shape.size() == 2 && sizesMayAgree(shape[0], rows) &&
               (shape[1] == 1 || sizesMayAgree(shape[1], op.getN())));
  // It would be read as if it had M rows, and is likely meant for each of them.
  const bool isOneRow = shape.size() == 2 && shape[0] == 1 &&
                        ShapedType::isDynamic(rowsOfOutputs(op));
  if (fits && !isOneRow)
    return success();
  std::string m = sizeText(isOneRow ? rowsOfOutputs(op) : rows),
              n = sizeText(op.getN());
  return op.emitOpError("cannot broadcast operand #")
         << index << " of type " << type << " over [" << m << ", " << n
         << "]: its shape must be [] (one scalar), [" << n
         << "] (one a column), [" << m << ", 1] (one a row) or [" << m << ", "
         << n << "]";
}

static LogicalResult verifyOutput(LinearOp op, unsigned index, int64_t rows) {
  ShapedType type = op.getOutputType(index);
  if (type.getRank() == 2 && sizesMayAgree(type.getDimSize(0), rows) &&
      sizesMayAgree(type.getDimSize(1), op.getN()))
    return success();
  return op.emitOpError("has output #")
         << index << " of type " << type << ", but its shape must be [M, N] = ["
         << sizeText(rows) << ", " << sizeText(op.getN()) << "]";
}

static LogicalResult verifyRows(LinearOp op, int64_t rows) {
  std::optional<ArrayRef<int64_t>> bounds = op.getRows();
  if (!bounds)
    return success();
  if (!ShapedType::isDynamic(op.getM()))
    return op.emitOpError("has ") << op.getM()
                                  << " rows, a known number: it takes no "
                                     "attribute 'rows'";
  if (bounds->size() != 2)
    return op.emitOpError("takes rows = array<i64: LEAST, MOST>, not ")
           << bounds->size() << " numbers";
  if ((*bounds)[0] < 0 || (*bounds)[0] > (*bounds)[1] ||
      (*bounds)[1] > lintel::RowRange::kLargest)
    return op.emitOpError("has rows from ")
           << (*bounds)[0] << " to " << (*bounds)[1]
           << "; a range has 0 <= LEAST <= MOST <= "
           << lintel::RowRange::kLargest;
  if (!ShapedType::isDynamic(rows) &&
      (rows < (*bounds)[0] || rows > (*bounds)[1]))
    return op.emitOpError("has rows from ")
           << (*bounds)[0] << " to " << (*bounds)[1]
           << ", but an output or epilogue operand of " << rows;
  return success();
}

/// Kernels are compiled for the rows of x: what others know of them would be
/// lost.
static LogicalResult verifyOneM(LinearOp op, int64_t rows) {
  if (!ShapedType::isDynamic(op.getM()) || ShapedType::isDynamic(rows))
    return success();
  const bool ofOutput = !ShapedType::isDynamic(rowsOfOutputs(op));
  return op.emitOpError("has ? rows of x, but ")
         << rows << " of an " << (ofOutput ? "output" : "epilogue operand")
         << "; give x as many, or leave them open everywhere";
}

static LogicalResult verifyTensors(LinearOp op) {
  struct Tensor {
    LayerTensor role;
    std::string name;
    Type type, element;
  };
  const auto plain = [](LayerTensor role, std::string name, Type type) {
    return Tensor{role, std::move(name), type,
                  cast<ShapedType>(type).getElementType()};
  };
  SmallVector<Tensor> tensors = {
      plain(LayerTensor::x, "x", op.getX().getType()),
      {LayerTensor::w, "w", op.getW().getType(), op.getWeightType()}};
  for (auto [index, operand] : llvm::enumerate(op.getEpilogueOperands()))
    tensors.push_back(plain(LayerTensor::operand,
                            "operand #" + std::to_string(index),
                            operand.getType()));
  for (unsigned index = 0; index < op.getNumOutputs(); ++index)
    tensors.push_back(plain(LayerTensor::output,
                            "output #" + std::to_string(index),
                            op.getOutputType(index)));
  for (const Tensor &tensor : tensors)
    if (failed(verifyElements(op, tensor.role, tensor.name, tensor.element)) ||
        failed(verifyLayout(op, tensor.role, tensor.name, tensor.type)))
      return failure();
  return success();
}

/// A full operand may lie where an output goes: it is read before.
static LogicalResult verifyAliases(LinearOp op) {
  for (auto [index, out] : llvm::enumerate(op.getOuts())) {
    const bool isInput = out == op.getX() || out == op.getW();
    if (isInput || llvm::is_contained(op.getOuts().take_front(index), out))
      return op.emitOpError("writes output #")
             << index << " over "
             << (out == op.getX()   ? "x"
                 : out == op.getW() ? "w"
                                    : "another output")
             << "; give it memory of its own";
  }
  return success();
}

LogicalResult LinearOp::verify() {
  // Of another form there may be fewer outputs than are counted.
  if (failed(verifyForm(*this)))
    return failure();
  // What contradicts is named first, what x alone leaves open last.
  const int64_t rows = rowsOfTensors(*this);
  if (failed(verifyRows(*this, rows)) || failed(verifyInputs(*this)) ||
      failed(verifyAccumulate(*this)))
    return failure();
  for (unsigned i = 0; i < getEpilogueOperands().size(); ++i)
    if (failed(verifyOperandShape(*this, i, rows)))
      return failure();
  for (unsigned i = 0; i < getNumOutputs(); ++i)
    if (failed(verifyOutput(*this, i, rows)))
      return failure();
  return failure(failed(verifyOneM(*this, rows)) ||
                 failed(verifyTensors(*this)) || failed(verifyAliases(*this)));
}

static LogicalResult verifyArguments(LinearOp op) {
  Block &body = op.getEpilogue().front();
  unsigned operands = op.getEpilogueOperands().size();
  if (body.getNumArguments() != op.getArgumentOf(operands))
    return op.emitOpError("has ")
           << operands << " epilogue operands, so its region takes "
           << op.getArgumentOf(operands) << " arguments: the accumulator"
           << (op.getColumnSums() ? ", the column's sum" : "")
           << (op.getRowSums() ? ", the row's sum" : "")
           << " and one scalar for each operand; it has "
           << body.getNumArguments();
  for (unsigned index = 1; index < op.getArgumentOf(0); ++index)
    if (Type argument = body.getArgument(index).getType();
        argument != op.getAccumulatorType())
      return op.emitOpError("sums columns or rows in ")
             << op.getAccumulatorType() << ", so its region's argument #"
             << index << " must be " << op.getAccumulatorType() << ", not "
             << argument;
  for (auto [index, operand] : llvm::enumerate(op.getEpilogueOperands())) {
    Type element =
        scalarOf(cast<ShapedType>(operand.getType()).getElementType());
    unsigned position = op.getArgumentOf(static_cast<unsigned>(index));
    Type argument = body.getArgument(position).getType();
    if (argument != element)
      return op.emitOpError("has operand #")
             << index << " of " << element << ", so its region's argument #"
             << position << " must be " << element << ", not " << argument;
  }
  return verifyAccumulatorType(op, op.getInputType(), op.getAccumulatorType());
}

static LogicalResult verifyYield(LinearOp op) {
  Operation *yield = op.getEpilogue().front().getTerminator();
  if (yield->getNumOperands() != op.getNumOutputs())
    return yield->emitOpError("must yield one scalar for each of the ")
           << op.getNumOutputs() << " outputs, but yields "
           << yield->getNumOperands();
  for (auto [index, type] : llvm::enumerate(yield->getOperandTypes())) {
    Type element = scalarOf(op.getOutputType(index).getElementType());
    if (type != element)
      return yield->emitOpError("must yield ")
             << element << " for output #" << index << ", not " << type;
  }
  return success();
}

LogicalResult LinearOp::verifyRegions() {
  return failure(failed(verifyArguments(*this)) ||
                 failed(verifyEpilogueBody(getEpilogue())) ||
                 failed(verifyYield(*this)));
}

LogicalResult PackOp::verify() {
  auto weight = cast<ShapedType>(getW().getType());
  PackedType packed = getPacked().getType();
  if (!weight.hasStaticShape())
    return emitOpError("needs a weight of known N and K, not ") << weight;
  if (weight.getDimSize(0) != packed.getRows() ||
      weight.getDimSize(1) != packed.getDepth() ||
      weight.getElementType() != packed.getElementType())
    return emitOpError("keeps shape and element type: a weight of type ")
           << weight << " cannot become " << packed;
  return failure(failed(verifyElements(*this, LayerTensor::w, "w",
                                       weight.getElementType())) ||
                 failed(verifyLayout(*this, LayerTensor::w, "w", weight)));
}
