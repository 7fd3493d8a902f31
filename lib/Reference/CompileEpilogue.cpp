// From an epilogue region to a program that the oracle runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/CompileEpilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace lintel {

namespace {

struct NamedOpcode {
  llvm::StringLiteral name;
  Opcode opcode;
};

/// Operations that need no more than their operands.
constexpr NamedOpcode kOpcodes[] = {
    {"arith.addf", Opcode::add},
    {"arith.subf", Opcode::subtract},
    {"arith.mulf", Opcode::multiply},
    {"arith.divf", Opcode::divide},
    {"arith.negf", Opcode::negate},
    {"arith.maximumf", Opcode::maximum},
    {"arith.minimumf", Opcode::minimum},
    {"arith.maxnumf", Opcode::maxnum},
    {"arith.minnumf", Opcode::minnum},
    {"arith.select", Opcode::select},
    {"arith.extf", Opcode::convert},
    {"arith.truncf", Opcode::convert},
    {"arith.addi", Opcode::integerAdd},
    {"arith.subi", Opcode::integerSubtract},
    {"arith.muli", Opcode::integerMultiply},
    {"arith.trunci", Opcode::integerTruncate},
    {"arith.extsi", Opcode::signExtend},
    {"arith.extui", Opcode::zeroExtend},
    {"arith.divsi", Opcode::integerDivide},
    {"arith.divui", Opcode::integerDivide},
    {"arith.floordivsi", Opcode::floorDivide},
    {"arith.ceildivsi", Opcode::ceilDivide},
    {"arith.ceildivui", Opcode::ceilDivide},
    {"arith.remsi", Opcode::integerRemainder},
    {"arith.remui", Opcode::integerRemainder},
    {"arith.shli", Opcode::shiftLeft},
    {"arith.shrsi", Opcode::shiftRight},
    {"arith.shrui", Opcode::shiftRight},
    {"arith.andi", Opcode::bitAnd},
    {"arith.ori", Opcode::bitOr},
    {"arith.xori", Opcode::bitXor},
    {"arith.maxsi", Opcode::maximum},
    {"arith.maxui", Opcode::maximum}, // see wrapUnsigned
    {"arith.minsi", Opcode::minimum},
    {"arith.minui", Opcode::minimum},
    {"arith.sitofp", Opcode::integerToFloat},
    {"arith.uitofp", Opcode::integerToFloat},
    {"arith.fptosi", Opcode::floatToSigned},
    {"math.absf", Opcode::abs},
    {"math.acosh", Opcode::acosh},
    {"math.asinh", Opcode::asinh},
    {"math.atan", Opcode::atan},
    {"math.atan2", Opcode::atan2},
    {"math.atanh", Opcode::atanh},
    {"math.ceil", Opcode::ceil},
    {"math.clampf", Opcode::minimum}, // see boundFromBelow
    {"math.copysign", Opcode::copysign},
    {"math.cos", Opcode::cos},
    {"math.cosh", Opcode::cosh},
    {"math.erf", Opcode::erf},
    {"math.erfc", Opcode::erfc},
    {"math.exp", Opcode::exp},
    {"math.exp2", Opcode::exp2},
    {"math.expm1", Opcode::expm1},
    {"math.floor", Opcode::floor},
    {"math.fma", Opcode::fma},
    {"math.log", Opcode::log},
    {"math.log10", Opcode::log10},
    {"math.log1p", Opcode::log1p},
    {"math.log2", Opcode::log2},
    {"math.powf", Opcode::pow},
    {"math.round", Opcode::round},
    {"math.roundeven", Opcode::roundEven},
    {"math.rsqrt", Opcode::rsqrt},
    {"math.sin", Opcode::sin},
    {"math.sinh", Opcode::sinh},
    {"math.sqrt", Opcode::sqrt},
    {"math.tanh", Opcode::tanh},
    {"math.trunc", Opcode::truncate},
};

/// What they are of i1, whose one bit is a sign bit: true is less than false.
constexpr NamedOpcode kTruthOpcodes[] = {
    {"arith.andi", Opcode::logicalAnd},  {"arith.ori", Opcode::logicalOr},
    {"arith.xori", Opcode::logicalXor},  {"arith.maxsi", Opcode::logicalAnd},
    {"arith.minsi", Opcode::logicalOr},  {"arith.maxui", Opcode::logicalOr},
    {"arith.minui", Opcode::logicalAnd},
};

/// All there is to choose from, for who used something else.
std::string knownOperations() {
  std::string names;
  for (const NamedOpcode &known : kOpcodes)
    names += known.name.str() + ", ";
  return names + "arith.constant, arith.cmpf and arith.cmpi";
}

std::optional<Opcode> opcodeIn(llvm::ArrayRef<NamedOpcode> table,
                               mlir::Operation &op) {
  const auto *found = llvm::find_if(table, [&](const NamedOpcode &known) {
    return op.getName().getStringRef() == known.name;
  });
  return found == table.end() ? std::nullopt : std::optional(found->opcode);
}

uint8_t relationsOf(mlir::arith::CmpFPredicate predicate) {
  using P = mlir::arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return 0;
  case P::OEQ:
    return Relation::equal;
  case P::OGT:
    return Relation::greater;
  case P::OGE:
    return Relation::greater | Relation::equal;
  case P::OLT:
    return Relation::less;
  case P::OLE:
    return Relation::less | Relation::equal;
  case P::ONE:
    return Relation::less | Relation::greater;
  case P::ORD:
    return Relation::less | Relation::equal | Relation::greater;
  case P::UEQ:
    return Relation::unordered | Relation::equal;
  case P::UGT:
    return Relation::unordered | Relation::greater;
  case P::UGE:
    return Relation::unordered | Relation::greater | Relation::equal;
  case P::ULT:
    return Relation::unordered | Relation::less;
  case P::ULE:
    return Relation::unordered | Relation::less | Relation::equal;
  case P::UNE:
    return Relation::unordered | Relation::less | Relation::greater;
  case P::UNO:
    return Relation::unordered;
  case P::AlwaysTrue:
    return Relation::less | Relation::equal | Relation::greater |
           Relation::unordered;
  }
  return 0;
}

uint8_t relationsOf(mlir::arith::CmpIPredicate predicate) {
  using P = mlir::arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return Relation::equal;
  case P::ne:
    return Relation::less | Relation::greater;
  case P::slt:
  case P::ult:
    return Relation::less;
  case P::sle:
  case P::ule:
    return Relation::less | Relation::equal;
  case P::sgt:
  case P::ugt:
    return Relation::greater;
  case P::sge:
  case P::uge:
    return Relation::greater | Relation::equal;
  }
  return 0;
}

bool isUnsigned(mlir::arith::CmpIPredicate predicate) {
  using P = mlir::arith::CmpIPredicate;
  return predicate == P::ult || predicate == P::ule || predicate == P::ugt ||
         predicate == P::uge;
}

/// How an operation takes its operands for numbers, if it does.
std::optional<Opcode> extensionBefore(mlir::Operation &op) {
  namespace arith = mlir::arith;
  if (auto order = llvm::dyn_cast<arith::CmpIOp>(op))
    return isUnsigned(order.getPredicate()) ? Opcode::zeroExtend
                                            : Opcode::signExtend;
  if (llvm::isa<arith::UIToFPOp, arith::DivUIOp, arith::CeilDivUIOp,
                arith::RemUIOp, arith::ShRUIOp, arith::MaxUIOp, arith::MinUIOp>(
          op))
    return Opcode::zeroExtend;
  if (llvm::isa<arith::SIToFPOp, arith::DivSIOp, arith::FloorDivSIOp,
                arith::CeilDivSIOp, arith::RemSIOp, arith::ShRSIOp>(op))
    return Opcode::signExtend;
  return std::nullopt;
}

Error unsupported(mlir::Operation &op, const std::string &why) {
  return Error(ErrorCode::unsupported, "the reference cannot evaluate '" +
                                           op.getName().getStringRef().str() +
                                           "' in an epilogue: " + why);
}

/// The verifier lets no other types into an epilogue. Integers of up to 32 bits
/// are exact in double precision.
Format formatOf(mlir::Type type) {
  if (type.isF32())
    return Format::f32;
  if (type.isBF16())
    return Format::bf16;
  if (type.isF16())
    return Format::f16;
  return Format::integer;
}

/// LLVM fuses products and sums that both say that they may be contracted. What
/// else flags permit kernels do not do: lintel-approximate-math drops them.
bool mayFuse(mlir::Operation &op) {
  namespace arith = mlir::arith;
  if (!llvm::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    return false;
  auto fast = llvm::cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr flags = fast.getFastMathFlagsAttr();
  return flags && arith::bitEnumContainsAny(flags.getValue(),
                                            arith::FastMathFlags::contract);
}

bool isTruth(mlir::Type type) { return type.isInteger(1); }

/// Of the integer that the operation extends, computes or else reads; 0 if it
/// does none of these.
uint8_t integerBitsOf(mlir::Operation &op) {
  llvm::SmallVector<mlir::Type> types;
  if (!llvm::isa<mlir::arith::ExtSIOp, mlir::arith::ExtUIOp>(op))
    llvm::append_range(types, op.getResultTypes());
  llvm::append_range(types, op.getOperandTypes());
  for (mlir::Type type : types)
    if (type.isInteger())
      return uint8_t(type.getIntOrFloatBitWidth());
  return 0;
}

double valueOf(mlir::arith::ConstantOp constant) {
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(constant.getValue()))
    return number.getValueAsDouble();
  auto integer = llvm::cast<mlir::IntegerAttr>(constant.getValue());
  return isTruth(constant.getType()) ? double(integer.getValue().getBoolValue())
                                     : double(integer.getInt());
}

/// Sets what the operation does, and the attributes that belong to it.
Status decode(mlir::Operation &op, Instruction &instruction) {
  instruction.integerBits = integerBitsOf(op);
  std::optional<Opcode> named;
  if (op.getNumOperands() > 0 && isTruth(op.getOperand(0).getType()))
    named = opcodeIn(kTruthOpcodes, op);
  if (!named)
    named = opcodeIn(kOpcodes, op);
  if (named) {
    instruction.opcode = *named;
  } else if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
    instruction.opcode = Opcode::constant;
    instruction.constant = valueOf(constant);
  } else if (auto comparison = llvm::dyn_cast<mlir::arith::CmpFOp>(op)) {
    instruction.opcode = Opcode::compare;
    instruction.relations = relationsOf(comparison.getPredicate());
  } else if (auto order = llvm::dyn_cast<mlir::arith::CmpIOp>(op)) {
    instruction.opcode = Opcode::compare;
    instruction.relations = relationsOf(order.getPredicate());
  } else {
    return unsupported(op, "it knows " + knownOperations());
  }
  return {};
}

/// Slots hold integers as numbers with a sign, i1 as 0 and 1.
bool isNumberAlready(Opcode extension, unsigned bits) {
  return extension == Opcode::signExtend && bits > 1;
}

void extendOperands(ScalarProgram &program, mlir::Operation &op, Opcode opcode,
                    Instruction &instruction) {
  const unsigned bits = op.getOperand(0).getType().getIntOrFloatBitWidth();
  if (isNumberAlready(opcode, bits))
    return;
  Instruction extension{opcode, Format::integer};
  extension.integerBits = uint8_t(bits);
  for (uint32_t &operand : llvm::MutableArrayRef(instruction.operands)
                               .take_front(op.getNumOperands())) {
    extension.operands[0] = operand;
    operand = program.append(extension);
  }
}

/// Leaves the upper bound of a clamp to the instruction, which is told the
/// number, the lower and the upper bound.
void boundFromBelow(ScalarProgram &program, Instruction &instruction) {
  const auto [number, least, most] = instruction.operands;
  instruction.operands = {
      program.append({Opcode::maximum, instruction.format, {number, least}}),
      most};
}

/// Makes the larger or smaller of two numbers without sign an integer again.
uint32_t wrapUnsigned(ScalarProgram &program, uint32_t number, uint8_t bits) {
  Instruction wrapping{Opcode::integerTruncate, Format::integer, {number}};
  wrapping.integerBits = bits;
  return program.append(wrapping);
}

/// Appends an instruction; integers become narrow floats by way of f32, as in
/// kernels.
uint32_t appendTo(ScalarProgram &program, Instruction instruction) {
  const Format format = instruction.format;
  if (instruction.opcode != Opcode::integerToFloat || !isNarrow(format))
    return program.append(instruction);
  instruction.format = Format::f32;
  return program.append(
      {Opcode::convert, format, {program.append(instruction)}});
}

} // namespace

Expected<ScalarProgram> compileEpilogue(mlir::Region &region) {
  mlir::Block &body = region.front();
  ScalarProgram program(body.getNumArguments());
  llvm::DenseMap<mlir::Value, uint32_t> slots;
  for (mlir::BlockArgument argument : body.getArguments())
    slots[argument] = argument.getArgNumber();
  for (mlir::Operation &op : body.without_terminator()) {
    Instruction instruction{Opcode::constant};
    if (Status status = decode(op, instruction); !status)
      return status.error();
    instruction.mayFuse = mayFuse(op);
    instruction.format = formatOf(op.getResult(0).getType());
    for (auto [index, operand] : llvm::enumerate(op.getOperands()))
      instruction.operands[index] = slots.lookup(operand);
    if (std::optional<Opcode> extension = extensionBefore(op))
      extendOperands(program, op, *extension, instruction);
    if (llvm::isa<mlir::math::ClampFOp>(op))
      boundFromBelow(program, instruction);
    uint32_t slot = appendTo(program, instruction);
    if (llvm::isa<mlir::arith::MaxUIOp, mlir::arith::MinUIOp>(op))
      slot = wrapUnsigned(program, slot, instruction.integerBits);
    slots[op.getResult(0)] = slot;
  }
  for (mlir::Value value : body.getTerminator()->getOperands())
    program.addResult(slots.lookup(value));
  return program;
}

} // namespace lintel
