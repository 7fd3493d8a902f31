// lintel.linear and lintel.pack: shapes, effects, text form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AttributeParser.h"
#include "Lintel/LintelDialect.h"

using namespace mlir;
using namespace lintel::ir;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

int64_t LinearOp::getM() {
  return cast<ShapedType>(getX().getType()).getDimSize(0);
}

lintel::RowRange LinearOp::getRowRange() {
  int64_t m = getM();
  if (!ShapedType::isDynamic(m))
    return RowRange::known(m);
  std::optional<ArrayRef<int64_t>> bounds = getRows();
  return bounds ? RowRange::between((*bounds)[0], (*bounds)[1])
                : RowRange::any();
}

int64_t LinearOp::getN() {
  if (auto packed = dyn_cast<PackedType>(getW().getType()))
    return packed.getRows();
  return cast<ShapedType>(getW().getType()).getDimSize(0);
}

int64_t LinearOp::getK() {
  if (auto packed = dyn_cast<PackedType>(getW().getType()))
    return packed.getDepth();
  return cast<ShapedType>(getW().getType()).getDimSize(1);
}

Type LinearOp::getInputType() {
  return cast<ShapedType>(getX().getType()).getElementType();
}

Type LinearOp::getWeightType() {
  if (auto packed = dyn_cast<PackedType>(getW().getType()))
    return packed.getElementType();
  return cast<ShapedType>(getW().getType()).getElementType();
}

Type LinearOp::getAccumulatorType() {
  return getEpilogue().getArgument(0).getType();
}

lintel::InputSums LinearOp::getInputSums() {
  return {getColumnSums(), getRowSums()};
}

unsigned LinearOp::getArgumentOf(unsigned index) {
  return 1 + getColumnSums() + getRowSums() + index;
}

lintel::Broadcast LinearOp::getBroadcast(unsigned index) {
  auto type = cast<ShapedType>(getEpilogueOperands()[index].getType());
  if (type.getRank() == 0)
    return Broadcast::scalar;
  if (type.getRank() == 1)
    return Broadcast::column;
  return type.getDimSize(1) == 1 ? Broadcast::row : Broadcast::full;
}

unsigned LinearOp::getNumOutputs() {
  return getNumResults() + getOuts().size();
}

ShapedType LinearOp::getOutputType(unsigned index) {
  Type type = getOuts().empty() ? getResult(index).getType()
                                : getOuts()[index].getType();
  return cast<ShapedType>(type);
}

//===----------------------------------------------------------------------===//
// Side effects
//===----------------------------------------------------------------------===//

using EffectList = SmallVectorImpl<MemoryEffects::EffectInstance>;

static void addReads(MutableArrayRef<OpOperand> operands, EffectList &effects) {
  for (OpOperand &operand : operands)
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
}

void LinearOp::getEffects(EffectList &effects) {
  addReads(getXMutable(), effects);
  addReads(getWMutable(), effects);
  addReads(getEpilogueOperandsMutable(), effects);
  for (OpOperand &out : getOutsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &out,
                         SideEffects::DefaultResource::get());
}

void PackOp::getEffects(EffectList &effects) {
  addReads(getWMutable(), effects);
}

//===----------------------------------------------------------------------===//
// Text form
//===----------------------------------------------------------------------===//

namespace {
struct OperandGroup {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc location;
};
} // namespace

/// Parses `keyword(%a, %b : type, type)`, or nothing.
static ParseResult parseGroup(OpAsmParser &parser, StringRef keyword,
                              OperandGroup &group) {
  group.location = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return failure(
      parser.parseLParen() || parser.parseOperandList(group.operands) ||
      parser.parseColonTypeList(group.types) || parser.parseRParen());
}

static ParseResult resolveGroup(OpAsmParser &parser, const OperandGroup &group,
                                OperationState &state) {
  return parser.resolveOperands(group.operands, group.types, group.location,
                                state.operands);
}

ParseResult LinearOp::parse(OpAsmParser &parser, OperationState &state) {
  OperandGroup inputs, operands, outs;
  inputs.location = parser.getCurrentLocation();
  if (parser.parseOperandList(inputs.operands, /*requiredOperandCount=*/2) ||
      parseGroup(parser, "epilogue", operands) ||
      parseGroup(parser, "outs", outs) ||
      parseAttributes<LinearOp>(parser, state,
                                {getOperandSegmentSizesAttrName(state.name)}) ||
      parser.parseColon() || parser.parseLParen() ||
      parser.parseTypeList(inputs.types) || parser.parseRParen() ||
      parser.parseOptionalArrowTypeList(state.types) ||
      resolveGroup(parser, inputs, state) ||
      resolveGroup(parser, operands, state) ||
      resolveGroup(parser, outs, state))
    return failure();
  llvm::copy(
      ArrayRef<int32_t>({1, 1, int32_t(operands.operands.size()),
                         int32_t(outs.operands.size())}),
      state.getOrAddProperties<Properties>().operandSegmentSizes.begin());
  Region *epilogue = state.addRegion();
  if (parser.parseRegion(*epilogue, /*arguments=*/{},
                         /*enableNameShadowing=*/true))
    return failure();
  ensureTerminator(*epilogue, parser.getBuilder(), state.location);
  return success();
}

static void printGroup(OpAsmPrinter &printer, StringRef keyword,
                       OperandRange operands) {
  if (!operands.empty())
    printer << " " << keyword << "(" << operands << " : " << operands.getTypes()
            << ")";
}

void LinearOp::print(OpAsmPrinter &printer) {
  printer << " " << getX() << ", " << getW();
  printGroup(printer, "epilogue", getEpilogueOperands());
  printGroup(printer, "outs", getOuts());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizeAttr()});
  printer << " : (" << getX().getType() << ", " << getW().getType() << ")";
  printer.printOptionalArrowTypeList(getResultTypes());
  printer << " ";
  printer.printRegion(getEpilogue());
}
