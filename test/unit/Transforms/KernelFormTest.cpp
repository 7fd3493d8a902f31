// Which modules are of kernel form: all that our passes make, little else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Transforms/KernelForm.h"

#include "Lintel/RegisterDialects.h"
#include "Pipeline/Pipelines.h"
#include "Problem/BuildLinear.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

std::unique_ptr<mlir::MLIRContext> makeContext() {
  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

//===----------------------------------------------------------------------===//
// What our passes make
//===----------------------------------------------------------------------===//

struct Layer {
  const char *name, *types, *target, *schedule;
};

class KernelFormOfLayers : public testing::TestWithParam<Layer> {};

/// Every stage but lintel-to-llvm, which asks for the form.
mlir::LogicalResult lower(mlir::ModuleOp module, const Layer &layer) {
  PipelineOptions options;
  options.target = layer.target;
  options.schedule = layer.schedule;
  mlir::PassManager manager(module.getContext());
  for (const PipelineStage &stage : pipelineStages().drop_back())
    stage.add(manager, options);
  return manager.run(module);
}

TEST_P(KernelFormOfLayers, IsThatOfEveryLayer) {
  auto context = makeContext();
  auto problem = Problem::parse("64x64:64x64 bias+gelu_erf",
                                DataTypes::parse(GetParam().types).value());
  ASSERT_TRUE(problem) << problem.error().message();
  auto module = buildModule(*context, *problem);
  ASSERT_TRUE(module) << module.error().message();
  ASSERT_TRUE(mlir::succeeded(lower(**module, GetParam())));
  EXPECT_TRUE(ir::isOfKernelForm(**module));
}

constexpr const char *kBaseline = "isa=x86_64";
constexpr const char *kVectors = "isa=avx512,extensions=avx512bf16+avx512vnni";
constexpr const char *kHalfSums = "isa=avx512,extensions=avx512fp16";
constexpr const char *kTiles =
    "isa=avx512,extensions=amx-tile+amx-bf16+amx-fp16+amx-int8";

INSTANTIATE_TEST_SUITE_P(
    TypesAndUnits, KernelFormOfLayers,
    testing::Values(
        Layer{"f32Baseline", "f32", kBaseline, ""},
        Layer{"f32", "f32", kVectors, ""},
        Layer{"f32Dots", "f32", kVectors, "tile=1x4,group=16,epilogue=tile"},
        Layer{"bf16Baseline", "bf16", kBaseline, ""},
        Layer{"bf16", "bf16", kVectors, ""},
        Layer{"bf16Tiles", "bf16", kTiles,
              "tile=32x32,unit=amx,group=2,epilogue=tile"},
        Layer{"f16Baseline", "f16", kBaseline, ""},
        Layer{"f16", "f16", kVectors, ""},
        Layer{"f16Sums", "f16,accumulate=f16", kHalfSums,
              "tile=4x64,accumulate=f16,epilogue=tile"},
        Layer{"f16Tiles", "f16", kTiles,
              "tile=32x32,unit=amx,group=2,epilogue=tile"},
        Layer{"u8s8Baseline", "u8s8", kBaseline, ""},
        Layer{"u8s8", "u8s8", kVectors, ""},
        Layer{"u8s8Pairs", "u8s8,accumulate=s16", "isa=avx2",
              "tile=3x24,accumulate=s16,group=4"},
        Layer{"u8s8Dots", "u8s8", kVectors, "tile=1x4,group=64,epilogue=tile"},
        Layer{"u8s8Tiles", "u8s8", kTiles,
              "tile=32x32,unit=amx,group=4,epilogue=tile"},
        Layer{"s8s8", "s8s8", kVectors, ""},
        Layer{"s8s8Tiles", "s8s8", kTiles,
              "tile=32x32,unit=amx,group=4,epilogue=tile"}),
    [](const auto &info) { return std::string(info.param.name); });

//===----------------------------------------------------------------------===//
// What somebody else may give lintel-to-llvm
//===----------------------------------------------------------------------===//

bool isOfKernelForm(const char *text) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  EXPECT_TRUE(module);
  return module && ir::isOfKernelForm(*module);
}

TEST(KernelForm, IsOfTypesThatLayersHave) {
  EXPECT_TRUE(isOfKernelForm("func.func private @f(vector<16xf32>)"));
  EXPECT_TRUE(isOfKernelForm("func.func private @f(vector<64xui8>)"));
  EXPECT_FALSE(isOfKernelForm("func.func private @f(f64)"));
  EXPECT_FALSE(isOfKernelForm("func.func private @f(ui32)"));
  EXPECT_FALSE(isOfKernelForm("func.func private @f(tensor<4xf32>)"));
  EXPECT_FALSE(isOfKernelForm("func.func private @f(vector<[4]xf32>)"));
  EXPECT_FALSE(isOfKernelForm("func.func private @f(vector<4x4xf32>)"));
  EXPECT_FALSE(isOfKernelForm("func.func private @f(memref<4xf32, 1>)"));
}

TEST(KernelForm, HasNoOperationsThatNoPassMakes) {
  EXPECT_FALSE(isOfKernelForm(R"mlir(
    func.func @f(%m: memref<4xf32>) {
      memref.dealloc %m : memref<4xf32>
      return
    })mlir"));
}

TEST(KernelForm, IsLookedForInResultsOfOperations) {
  EXPECT_FALSE(isOfKernelForm(R"mlir(
    func.func @f(%a: f32) {
      %0 = arith.extf %a : f32 to f64
      return
    })mlir"));
}

} // namespace
