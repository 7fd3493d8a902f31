// The ops inside a kernel: text form of lintel.kernel_arg, verifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AttributeParser.h"
#include "Lintel/EpilogueVerifier.h"
#include "Lintel/LintelDialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace lintel::ir;

//===----------------------------------------------------------------------===//
// lintel.kernel_arg
//===----------------------------------------------------------------------===//

/// Whether there is one such field for each output or operand.
static bool hasPosition(KernelField field) {
  switch (field) {
  case KernelField::output:
  case KernelField::output_stride:
  case KernelField::operand:
  case KernelField::operand_stride:
    return true;
  default:
    return false;
  }
}

static bool isPointer(KernelField field) {
  switch (field) {
  case KernelField::x:
  case KernelField::w:
  case KernelField::workspace:
  case KernelField::partials:
  case KernelField::output:
  case KernelField::operand:
    return true;
  default:
    return false;
  }
}

ParseResult KernelArgOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand args;
  StringRef name;
  Type type;
  if (parser.parseOperand(args))
    return failure();
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<KernelField> field = symbolizeKernelField(name);
  if (!field)
    return parser.emitError(location)
           << "the kernel's arguments have no field '" << name << "'";
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.field = KernelFieldAttr::get(parser.getContext(), *field);
  if (hasPosition(*field)) {
    int64_t position = 0;
    if (parser.parseLSquare() || parser.parseInteger(position) ||
        parser.parseRSquare())
      return failure();
    properties.position = parser.getBuilder().getI64IntegerAttr(position);
  }
  if (parseAttributes<KernelArgOp>(parser, state) ||
      parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  return parser.resolveOperand(args, KernelArgsType::get(parser.getContext()),
                               state.operands);
}

void KernelArgOp::print(OpAsmPrinter &printer) {
  printer << " " << getArgs() << " " << stringifyKernelField(getField());
  if (hasPosition(getField()))
    printer << "[" << getPosition() << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getFieldAttrName(), getPositionAttrName()});
  printer << " : " << getType();
}

/// More tensors than any layer has; their byte offsets fit in 32 bits.
static constexpr int64_t kMaxPosition = 65535;

LogicalResult KernelArgOp::verify() {
  StringRef name = stringifyKernelField(getField());
  int64_t position = getPosition();
  if (position < 0 || position > kMaxPosition)
    return emitOpError("counts the tensors of '")
           << name << "' from 0 to " << kMaxPosition
           << ", so its position cannot be " << position;
  if (!hasPosition(getField()) && position != 0)
    return emitOpError("reads '") << name
                                  << "', of which there is one: it takes no "
                                     "position";
  auto memref = dyn_cast<MemRefType>(getType());
  if (isPointer(getField()) && (!memref || memref.getRank() != 0))
    return emitOpError("reads the pointer '")
           << name << "' as a rank-0 memref, e.g. memref<f32>, not "
           << getType();
  if (!isPointer(getField()) && !getType().isIndex())
    return emitOpError("reads the number '")
           << name << "' as index, not " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// lintel.microkernel and lintel.apply_epilogue
//===----------------------------------------------------------------------===//

/// Vectors of the target must fill the tile's rows, or groups of K.
static LogicalResult verifyTile(Operation *op, const lintel::Schedule &schedule,
                                const lintel::Target &target) {
  const int64_t size = schedule.vectorsAlongK() ? schedule.group : schedule.nr;
  if (size % target.lanes() == 0)
    return success();
  return op->emitOpError("needs a tile of whole vectors: its ")
         << size
         << (schedule.vectorsAlongK() ? " elements of a group" : " columns")
         << " must be a multiple of " << target.lanes() << ", the lanes of "
         << StringRef(toString(target.isa));
}

static LogicalResult verifyBroadcasts(Operation *op, ArrayAttr broadcasts) {
  for (Attribute attribute : broadcasts) {
    auto name = dyn_cast<StringAttr>(attribute);
    if (!name)
      return op->emitOpError("names each broadcast by a string, not ")
             << attribute;
    if (auto broadcast = lintel::parseBroadcast({name.data(), name.size()});
        !broadcast)
      return op->emitOpError() << broadcast.error().message();
  }
  return success();
}

/// A region that does something: takes the accumulator and an operand for each
/// broadcast, yields at least one output.
static LogicalResult verifyEpilogue(Operation *op, Region &region,
                                    size_t operands, Type accumulator) {
  Block &body = region.front();
  if (body.getNumArguments() != operands + 1)
    return op->emitOpError("has ")
           << operands << " broadcasts, so its region takes " << operands + 1
           << " arguments: the accumulator and one scalar for each broadcast; "
              "it has "
           << body.getNumArguments();
  if (body.getArgument(0).getType() != accumulator)
    return op->emitOpError("holds its sums as ")
           << accumulator << ", so its region's first argument must be "
           << accumulator << ", not " << body.getArgument(0).getType();
  if (body.getTerminator()->getNumOperands() == 0)
    return op->emitOpError("has no output: its region must yield one scalar "
                           "for each");
  return verifyEpilogueBody(region);
}

/// Dot products read a in place, begin at zero, and leave finished sums to
/// lintel.apply_epilogue.
static LogicalResult verifyDotProducts(MicrokernelOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  if (!schedule.vectorsAlongK())
    return success();
  const int64_t lanes = op.getTarget().getValue().lanes();
  if (schedule.group != lanes)
    return op.emitOpError("has groups of ")
           << schedule.group << " elements of K; vectors of its target take "
           << lanes;
  if (schedule.pack != lintel::PackA::none ||
      schedule.epilogue != lintel::EpiloguePlacement::tile)
    return op.emitOpError("has groups of K, which take pack = none and "
                          "epilogue = tile");
  if (!matchPattern(op.getFirst(), m_One()))
    return op.emitOpError("has groups of K, which begin at zero: 'first' must "
                          "be the constant true");
  return success();
}

LogicalResult MicrokernelOp::verify() {
  if (failed(verifyDotProducts(*this)))
    return failure();
  const Schedule &schedule = getSchedule().getValue();
  int64_t rows = getRows();
  if (rows < 1 || rows > schedule.mr)
    return emitOpError("computes 1 to ")
           << schedule.mr << " rows, the height of its schedule's tile, not "
           << rows;
  Type element = getA().getType().getElementType();
  if (!isa<FloatType, IntegerType>(element))
    return emitOpError("multiplies floats or integers, not ") << element;
  if (element != getB().getType().getElementType())
    return emitOpError("needs a and b of one element type, but they hold ")
           << element << " and " << getB().getType().getElementType();
  return failure(failed(verifyTile(*this, schedule, getTarget().getValue())) ||
                 failed(verifyAccumulatorType(
                     *this, element, getAcc().getType().getElementType())) ||
                 failed(verifyBroadcasts(*this, getBroadcasts())));
}

LogicalResult MicrokernelOp::verifyRegions() {
  if (getSchedule().getValue().epilogue == EpiloguePlacement::registers)
    return verifyEpilogue(*this, getEpilogue(), getBroadcasts().size(),
                          getAcc().getType().getElementType());
  Block &body = getEpilogue().front();
  if (!getBroadcasts().empty() || body.getNumArguments() != 0 ||
      body.getOperations().size() != 1 ||
      body.getTerminator()->getNumOperands() != 0)
    return emitOpError("leaves the epilogue to lintel.apply_epilogue when its "
                       "schedule says epilogue = tile: its region and its "
                       "broadcasts must be empty");
  return success();
}

LogicalResult ApplyEpilogueOp::verify() {
  return failure(failed(verifyTile(*this, getSchedule().getValue(),
                                   getTarget().getValue())) ||
                 failed(verifyBroadcasts(*this, getBroadcasts())));
}

LogicalResult ApplyEpilogueOp::verifyRegions() {
  return verifyEpilogue(*this, getEpilogue(), getBroadcasts().size(),
                        getAcc().getType().getElementType());
}
