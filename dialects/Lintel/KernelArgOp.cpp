// lintel.kernel_arg: its text form, and what it refuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AttributeParser.h"
#include "Lintel/LintelDialect.h"
#include "Tmm/PlainMemory.h"

using namespace mlir;
using namespace lintel::ir;

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
  case KernelField::column_sums:
  case KernelField::row_sums:
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
  if (parseAttributes<KernelArgOp>(
          parser, state,
          {getFieldAttrName(state.name), getPositionAttrName(state.name)}) ||
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
  if (memref)
    return lintel::tmm::verifyPlainMemory(*this, memref);
  return success();
}
