// From an epilogue region to a program that the oracle runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/CompileEpilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
    {"arith.remf", Opcode::remainder},
    {"arith.negf", Opcode::negate},
    {"arith.maximumf", Opcode::maximum},
    {"arith.minimumf", Opcode::minimum},
    {"arith.maxnumf", Opcode::maxnum},
    {"arith.minnumf", Opcode::minnum},
    {"arith.select", Opcode::select},
    {"arith.extf", Opcode::convert},
    {"arith.truncf", Opcode::convert},
    {"math.absf", Opcode::abs},
    {"math.atan", Opcode::atan},
    {"math.atan2", Opcode::atan2},
    {"math.ceil", Opcode::ceil},
    {"math.copysign", Opcode::copysign},
    {"math.cos", Opcode::cos},
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
    {"math.sqrt", Opcode::sqrt},
    {"math.tanh", Opcode::tanh},
    {"math.trunc", Opcode::truncate},
};

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

template <class T> std::string printed(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

Error unsupported(mlir::Operation &op, const std::string &why) {
  return Error(ErrorCode::unsupported, "the reference cannot evaluate '" +
                                           op.getName().getStringRef().str() +
                                           "' in an epilogue: " + why);
}

/// Integers up to 32 bits are exact in double precision.
std::optional<Format> formatOf(mlir::Type type) {
  if (type.isF32())
    return Format::f32;
  if (type.isF64())
    return Format::f64;
  if (type.isBF16())
    return Format::bf16;
  if (type.isF16())
    return Format::f16;
  if (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 32)
    return Format::integer;
  return std::nullopt;
}

Status checkTypes(mlir::Operation &op) {
  llvm::SmallVector<mlir::Type> types(op.getOperandTypes());
  llvm::append_range(types, op.getResultTypes());
  for (mlir::Type type : types)
    if (!formatOf(type))
      return unsupported(
          op, "it knows f32, f64, bf16, f16 and integers of up to 32 bits, "
              "not " +
                  printed(type));
  return {};
}

/// Rounds as kernels do, to nearest and even.
Status checkRounding(mlir::Operation &op) {
  auto truncation = llvm::dyn_cast<mlir::arith::TruncFOp>(op);
  if (!truncation || truncation.getRoundingmode().value_or(
                         mlir::arith::RoundingMode::to_nearest_even) ==
                         mlir::arith::RoundingMode::to_nearest_even)
    return {};
  return unsupported(op, "it rounds to nearest and even; leave its rounding "
                         "mode out");
}

/// LLVM fuses products and sums that both say that they may be contracted.
bool mayFuse(mlir::Operation &op) {
  auto fast = llvm::dyn_cast<mlir::arith::ArithFastMathInterface>(op);
  if (!fast || !fast.getFastMathFlagsAttr())
    return false;
  return fast.getFastMathFlagsAttr().getValue() !=
         mlir::arith::FastMathFlags::none;
}

/// Sets what the operation does, and the attributes that belong to it.
Status decode(mlir::Operation &op, Instruction &instruction) {
  for (const NamedOpcode &known : kOpcodes) {
    if (op.getName().getStringRef() == known.name) {
      instruction.opcode = known.opcode;
      return {};
    }
  }
  auto bits = [](mlir::Value value) {
    return uint8_t(value.getType().getIntOrFloatBitWidth());
  };
  auto is = [&](llvm::StringLiteral name) {
    return op.getName().getStringRef() == name;
  };
  bool onTruth =
      op.getNumResults() == 1 && op.getResult(0).getType().isInteger(1);
  if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
    instruction.opcode = Opcode::constant;
    if (auto number = llvm::dyn_cast<mlir::FloatAttr>(constant.getValue()))
      instruction.constant = number.getValueAsDouble();
    else if (auto integer =
                 llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue()))
      instruction.constant = onTruth ? double(integer.getValue().getBoolValue())
                                     : double(integer.getInt());
  } else if (auto comparison = llvm::dyn_cast<mlir::arith::CmpFOp>(op)) {
    instruction.opcode = Opcode::compare;
    instruction.relations = relationsOf(comparison.getPredicate());
  } else if (is("arith.sitofp")) {
    instruction.opcode = Opcode::signedToFloat;
    instruction.integerBits = bits(op.getOperand(0));
  } else if (is("arith.fptosi")) {
    instruction.opcode = Opcode::floatToSigned;
    instruction.integerBits = bits(op.getResult(0));
  } else if (is("arith.uitofp") && op.getOperand(0).getType().isInteger(1)) {
    instruction.opcode = Opcode::boolToFloat;
  } else if (is("arith.addi") || is("arith.subi") || is("arith.muli") ||
             is("arith.trunci")) {
    instruction.opcode = is("arith.addi")   ? Opcode::integerAdd
                         : is("arith.subi") ? Opcode::integerSubtract
                         : is("arith.muli") ? Opcode::integerMultiply
                                            : Opcode::integerTruncate;
    instruction.integerBits = bits(op.getResult(0));
  } else if (onTruth && is("arith.andi")) {
    instruction.opcode = Opcode::logicalAnd;
  } else if (onTruth && is("arith.ori")) {
    instruction.opcode = Opcode::logicalOr;
  } else if (onTruth && is("arith.xori")) {
    instruction.opcode = Opcode::logicalXor;
  } else {
    return unsupported(
        op, "it knows the elementwise arith and math operations on floats, and "
            "addi, subi, muli and trunci, and andi, ori and xori on i1");
  }
  return {};
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
    if (Status status = checkTypes(op); !status)
      return status.error();
    if (Status status = checkRounding(op); !status)
      return status.error();
    if (Status status = decode(op, instruction); !status)
      return status.error();
    instruction.mayFuse = mayFuse(op);
    instruction.format = *formatOf(op.getResult(0).getType());
    for (auto [index, operand] : llvm::enumerate(op.getOperands()))
      instruction.operands[index] = slots.lookup(operand);
    slots[op.getResult(0)] = program.append(instruction);
  }
  for (mlir::Value value : body.getTerminator()->getOperands())
    program.addResult(slots.lookup(value));
  return program;
}

} // namespace lintel
