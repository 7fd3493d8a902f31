// lintel.kernel_arg reads KernelArgs where the C++ compiler laid it out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/KernelABI.h"
#include "Lintel/LintelDialect.h"
#include "Lintel/RegisterDialects.h"
#include "Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cstddef>
#include <gmock/gmock.h>

using namespace lintel;
using ::testing::ElementsAreArray;

namespace {

/// The byte offsets of the pointers that reading `field` computes, in order.
std::vector<int64_t> offsetsOf(const std::string &field) {
  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%args: !lintel.kernel_args) -> index {\n"
      "  %i = lintel.kernel_arg %args " +
          field + " : index\n  return %i : index\n}",
      &context);
  EXPECT_TRUE(module) << field;
  mlir::PassManager manager(&context);
  manager.addPass(ir::createLintelToLLVM());
  EXPECT_TRUE(mlir::succeeded(manager.run(*module))) << field;
  std::vector<int64_t> offsets;
  module->walk([&](mlir::LLVM::GEPOp op) {
    EXPECT_TRUE(op.getElemType().isInteger(8));
    EXPECT_EQ(op.getRawConstantIndices().size(), 1u);
    offsets.push_back(op.getRawConstantIndices()[0]);
  });
  return offsets;
}

struct Case {
  const char *field;
  std::vector<int64_t> offsets;
};

TEST(KernelArguments, IndexFieldsAreWhereTheStructHasThem) {
  const int64_t outputs = offsetof(KernelArgs, outputs),
                operands = offsetof(KernelArgs, operands),
                stride = offsetof(KernelTensor, stride),
                tensor = sizeof(KernelTensor);
  for (const Case &c : std::vector<Case>{
           {"ldx", {offsetof(KernelArgs, ldx)}},
           {"m", {offsetof(KernelArgs, m)}},
           {"mc", {offsetof(KernelArgs, mc)}},
           {"nc", {offsetof(KernelArgs, nc)}},
           {"kc", {offsetof(KernelArgs, kc)}},
           {"grid_m", {offsetof(KernelArgs, gridM)}},
           {"grid_n", {offsetof(KernelArgs, gridN)}},
           {"grid_k", {offsetof(KernelArgs, gridK)}},
           {"phase", {offsetof(KernelArgs, phase)}},
           {"block_order", {offsetof(KernelArgs, blockOrder)}},
           {"tile_order", {offsetof(KernelArgs, tileOrder)}},
           {"same_rows", {offsetof(KernelArgs, sameRows)}},
           {"workspace_stride", {offsetof(KernelArgs, workspaceStride)}},
           {"output_stride[0]", {outputs, stride}},
           {"output_stride[3]", {outputs, 3 * tensor + stride}},
           {"operand_stride[1]", {operands, tensor + stride}}})
    EXPECT_THAT(offsetsOf(c.field), ElementsAreArray(c.offsets)) << c.field;
}

/// test/lit/Transforms/to-llvm.mlir spells these numbers; both must follow the
/// struct.
TEST(KernelArguments, TheStructIsTheOneThatTheTextTestsSpell) {
  EXPECT_EQ(offsetof(KernelArgs, x), 8u);
  EXPECT_EQ(offsetof(KernelArgs, ldx), 16u);
  EXPECT_EQ(offsetof(KernelArgs, w), 24u);
  EXPECT_EQ(offsetof(KernelArgs, m), 32u);
  EXPECT_EQ(offsetof(KernelArgs, mc), 40u);
  EXPECT_EQ(offsetof(KernelArgs, nc), 48u);
  EXPECT_EQ(offsetof(KernelArgs, kc), 56u);
  EXPECT_EQ(offsetof(KernelArgs, gridM), 64u);
  EXPECT_EQ(offsetof(KernelArgs, gridN), 72u);
  EXPECT_EQ(offsetof(KernelArgs, gridK), 80u);
  EXPECT_EQ(offsetof(KernelArgs, phase), 88u);
  EXPECT_EQ(offsetof(KernelArgs, blockOrder), 96u);
  EXPECT_EQ(offsetof(KernelArgs, tileOrder), 104u);
  EXPECT_EQ(offsetof(KernelArgs, workspace), 112u);
  EXPECT_EQ(offsetof(KernelArgs, workspaceStride), 120u);
  EXPECT_EQ(offsetof(KernelArgs, partials), 128u);
  EXPECT_EQ(offsetof(KernelArgs, outputs), 136u);
  EXPECT_EQ(offsetof(KernelArgs, operands), 144u);
  EXPECT_EQ(offsetof(KernelTensor, data), 0u);
  EXPECT_EQ(offsetof(KernelTensor, stride), 8u);
}

} // namespace
