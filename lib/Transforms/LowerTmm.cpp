// lintel-lower-tmm: tile operations become instructions, or calls to the
// emulation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tmm/TmmDialect.h"
#include "Transforms/IndexMath.h"
#include "Transforms/ModuleTarget.h"
#include "Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lintel::ir {
#define GEN_PASS_DEF_LINTELLOWERTMM
#include "Transforms/Passes.h.inc"

namespace {

namespace LLVM = mlir::LLVM;
using mlir::LogicalResult;
using mlir::Value;

/// What carries out one op: its name behind a common prefix, the registers, and
/// pointers and strides in bytes.
struct TileCall {
  std::string instruction; ///< as LLVM names the intrinsic, after llvm.x86.
  std::string emulation;   ///< as the function is named, after lintel_tmm_
  llvm::SmallVector<uint64_t, 3> registers;
  llvm::SmallVector<Value, 2> operands;
};

/// Emits a TileCall where the builder stands.
class TileCallWriter {
public:
  virtual ~TileCallWriter() = default;
  virtual LogicalResult write(mlir::OpBuilder &builder, mlir::Location loc,
                              const TileCall &call) = 0;

protected:
  /// The call's operands, registers first, as constants of `type`.
  static llvm::SmallVector<Value> arguments(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            const TileCall &call,
                                            mlir::Type type) {
    llvm::SmallVector<Value> values;
    for (uint64_t number : call.registers)
      values.push_back(
          LLVM::ConstantOp::create(builder, loc, type, int64_t(number)));
    llvm::append_range(values, call.operands);
    return values;
  }
};

class InstructionWriter : public TileCallWriter {
public:
  LogicalResult write(mlir::OpBuilder &builder, mlir::Location loc,
                      const TileCall &call) override {
    LLVM::CallIntrinsicOp::create(
        builder, loc, builder.getStringAttr("llvm.x86." + call.instruction),
        arguments(builder, loc, call, builder.getI8Type()));
    return mlir::success();
  }
};

class EmulationWriter : public TileCallWriter {
public:
  explicit EmulationWriter(mlir::SymbolTable &symbols) : symbols(symbols) {}

  LogicalResult write(mlir::OpBuilder &builder, mlir::Location loc,
                      const TileCall &call) override {
    llvm::SmallVector<Value> values =
        arguments(builder, loc, call, builder.getI32Type());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(builder.getContext()),
        llvm::to_vector(mlir::ValueRange(values).getTypes()));
    const std::string name = "lintel_tmm_" + call.emulation;
    mlir::Operation *found = symbols.lookup(name);
    if (!found) {
      mlir::OpBuilder detached(builder.getContext());
      found = LLVM::LLVMFuncOp::create(detached, loc, name, type);
      symbols.insert(found);
    }
    auto function = llvm::dyn_cast<LLVM::LLVMFuncOp>(found);
    if (!function || function.getFunctionType() != type)
      return found->emitOpError("has the name of the emulation's '")
             << name << "', but not its type, " << type;
    if (!function.isExternal())
      return found->emitOpError("has the name of the emulation's '")
             << name << "' and a body of its own; leave that to the emulation";
    LLVM::CallOp::create(builder, loc, function, values);
    return mlir::success();
  }

private:
  mlir::SymbolTable &symbols;
};

/// Turns ops into TileCalls.
class TmmLowering {
public:
  TmmLowering(mlir::SymbolTable &symbols, TileCallWriter &writer)
      : symbols(symbols), writer(writer) {}

  LogicalResult lower(mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    TileCall call =
        llvm::TypeSwitch<mlir::Operation *, TileCall>(op)
            .Case([&](tmm::ConfigOp config) {
              return TileCall{
                  "ldtilecfg", "config", {}, {bytesOf(builder, config)}};
            })
            .Case([&](tmm::ReleaseOp) {
              return TileCall{"tilerelease", "release", {}, {}};
            })
            .Case([&](tmm::ZeroOp zero) {
              return TileCall{"tilezero", "zero", {zero.getTile()}, {}};
            })
            .Case([&](tmm::LoadOp load) {
              const bool streamed = load.getHint() == tmm::LoadHint::streamed;
              return TileCall{streamed ? "tileloaddt164" : "tileloadd64",
                              "load",
                              {load.getTile()},
                              place(builder, load)};
            })
            .Case([&](tmm::StoreOp store) {
              return TileCall{"tilestored64",
                              "store",
                              {store.getTile()},
                              place(builder, store)};
            })
            .Case([&](tmm::DotInterface dot) {
              return TileCall{dot.getInstruction().str(),
                              op->getName().stripDialect().str(),
                              {dot.getAcc(), dot.getA(), dot.getB()},
                              {}};
            });
    if (mlir::failed(writer.write(builder, op->getLoc(), call)))
      return mlir::failure();
    op->erase();
    return mlir::success();
  }

private:
  /// The address of a constant that holds the configuration; one for each in
  /// the module.
  Value bytesOf(mlir::OpBuilder &builder, tmm::ConfigOp op) {
    LLVM::GlobalOp &global = globals[op.getConfig()];
    if (!global) {
      const std::array<uint8_t, 64> bytes = op.getConfig().getBytes();
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
      auto value = mlir::DenseElementsAttr::get(
          mlir::RankedTensorType::get(bytes.size(), builder.getI8Type()),
          llvm::ArrayRef(reinterpret_cast<const int8_t *>(bytes.data()),
                         bytes.size()));
      // Aligned to its size, so that it lies in one cache line.
      mlir::OpBuilder detached(builder.getContext());
      global = LLVM::GlobalOp::create(
          detached, op.getLoc(), type, /*isConstant=*/true,
          LLVM::Linkage::Internal, "tmm_config", value, /*alignment=*/64);
      symbols.insert(global);
    }
    return LLVM::AddressOfOp::create(builder, op.getLoc(), global);
  }

  static Value asI64(mlir::OpBuilder &builder, mlir::Location loc,
                     Value index) {
    return mlir::arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                            index);
  }

  /// Where `memory` begins, which is worked out once, where it is made.
  Value pointerTo(mlir::TypedValue<mlir::MemRefType> memory) {
    Value &pointer = pointers[memory];
    if (!pointer) {
      const mlir::Location loc = memory.getLoc();
      mlir::OpBuilder builder(memory.getContext());
      builder.setInsertionPointAfterValue(memory);
      Value address = mlir::memref::ExtractAlignedPointerAsIndexOp::create(
          builder, loc, memory);
      pointer = LLVM::IntToPtrOp::create(
          builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
          asI64(builder, loc, address));
    }
    return pointer;
  }

  /// The address of a tile's first row, and its stride in bytes.
  template <class Op>
  llvm::SmallVector<Value, 2> place(mlir::OpBuilder &builder, Op op) {
    mlir::Location loc = op.getLoc();
    IndexMath math(builder, loc);
    const unsigned bits = op.getMemory().getType().getElementTypeBitWidth();
    Value base = pointerTo(op.getMemory());
    Value address = LLVM::GEPOp::create(
        builder, loc, base.getType(), builder.getIntegerType(bits), base,
        llvm::ArrayRef<LLVM::GEPArg>{asI64(builder, loc, op.getOffset())});
    Value stride = math.mul(op.getStride(), math.constant(bits / 8));
    return {address, asI64(builder, loc, stride)};
  }

  mlir::SymbolTable &symbols;
  TileCallWriter &writer;
  llvm::DenseMap<Value, Value> pointers; ///< to where a memref begins
  llvm::DenseMap<tmm::ConfigAttr, LLVM::GlobalOp> globals;
};

struct LowerTmmPass : impl::LintelLowerTmmBase<LowerTmmPass> {
  using LintelLowerTmmBase::LintelLowerTmmBase;

  void runOnOperation() override {
    bool valid = true;
    getOperation().walk([&](mlir::Operation *op) {
      if (llvm::isa<mlir::FunctionOpInterface>(op)) {
        op->removeAttr(tmm::kConfiguredAttribute);
        op->removeAttr(tmm::kUntouchedAttribute);
      }
      if (llvm::isa_and_present<tmm::TmmDialect>(op->getDialect()))
        valid &= mlir::succeeded(checkStandsInFunction(op));
    });
    if (!valid)
      return signalPassFailure();
    getOperation().walk([&](mlir::ModuleOp module) {
      valid &= mlir::succeeded(lower(module));
    });
    if (!valid)
      signalPassFailure();
  }

  /// What belongs to the module and to none in it: a function sees the symbols
  /// of its own alone.
  LogicalResult lower(mlir::ModuleOp module) {
    llvm::SmallVector<mlir::Operation *> ops;
    module.walk([&](mlir::Operation *op) {
      if (llvm::isa_and_present<tmm::TmmDialect>(op->getDialect()) &&
          op->getParentOfType<mlir::ModuleOp>() == module)
        ops.push_back(op);
    });
    if (ops.empty())
      return mlir::success();
    mlir::SymbolTable symbols(module);
    InstructionWriter instructions;
    EmulationWriter emulation(symbols);
    const TargetAttr target = targetAttrOf(module);
    const bool calls = emulate || (target && target.getValue().emulatesTiles());
    TmmLowering lowering(symbols, calls
                                      ? static_cast<TileCallWriter &>(emulation)
                                      : instructions);
    for (mlir::Operation *op : ops)
      if (mlir::failed(lowering.lower(op)))
        return mlir::failure();
    return mlir::success();
  }
};

} // namespace
} // namespace lintel::ir
