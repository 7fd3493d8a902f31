// Epilogues by name, one of them as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Layers.h"

#include "Lintel/RegisterDialects.h"
#include "Problem/ReadLinear.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace lintel::integration {
namespace {

/// A layer whose epilogue no chain of named stages can express: scalar, row and
/// full operands, two results, comparisons, selections, functions. Only the
/// region is taken; the tests put it on layers of other sizes.
constexpr const char *kGatedSoftplus = R"mlir(
func.func @gated_softplus(%x: tensor<?x33xf32>, %w: tensor<50x33xf32>, %scale: tensor<f32>,
                          %shift: tensor<?x1xf32>, %gate: tensor<?x50xf32>)
    -> (tensor<?x50xf32>, tensor<?x50xf32>) {
  %y:2 = lintel.linear %x, %w epilogue(%scale, %shift, %gate : tensor<f32>, tensor<?x1xf32>, tensor<?x50xf32>)
      : (tensor<?x33xf32>, tensor<50x33xf32>) -> (tensor<?x50xf32>, tensor<?x50xf32>) {
  ^bb0(%acc: f32, %s: f32, %r: f32, %g: f32):
    %most = arith.constant 8.0 : f32
    %least = arith.constant -8.0 : f32
    %shifted = arith.addf %acc, %r : f32
    %capped = arith.minimumf %shifted, %most : f32
    %bounded = arith.maximumf %capped, %least : f32
    %exponential = math.exp %bounded : f32
    %softplus = math.log1p %exponential : f32
    %open = arith.cmpf ogt, %acc, %g : f32
    %scaled = arith.mulf %softplus, %s : f32
    %first = arith.select %open, %scaled, %g : f32
    %magnitude = math.absf %acc : f32
    %second = arith.subf %g, %magnitude : f32
    lintel.yield %first, %second : f32, f32
  }
  return %y#0, %y#1 : tensor<?x50xf32>, tensor<?x50xf32>
}
)mlir";

using Parse = llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>(
    mlir::MLIRContext &context)>;

/// The epilogue of the only layer of a module; `name` is for messages.
Epilogue epilogueOf(const std::string &name, Parse parse) {
  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(context);
  if (!module) {
    ADD_FAILURE() << name << " does not parse";
    return {};
  }
  Expected<Problem> problem = problemFromModule(*module);
  if (!problem) {
    ADD_FAILURE() << name << ": " << problem.error().message();
    return {};
  }
  return problem->epilogue();
}

std::string sizes(const Problem &problem) {
  std::string k = std::to_string(problem.k());
  return (problem.m() ? std::to_string(*problem.m()) : "?") + "x" + k + ":" +
         k + "x" + std::to_string(problem.n());
}

} // namespace

Epilogue epilogueNamed(const std::string &name, const DataTypes &types) {
  if (name == kRegionEpilogue) {
    static const Epilogue region =
        epilogueOf("kGatedSoftplus", [](mlir::MLIRContext &context) {
          return mlir::parseSourceString<mlir::ModuleOp>(kGatedSoftplus,
                                                         &context);
        });
    return region;
  }
  Expected<Epilogue> epilogue = Epilogue::parse(name, types);
  if (!epilogue) {
    ADD_FAILURE() << epilogue.error().message();
    return {};
  }
  return *epilogue;
}

Epilogue regionEpilogue(const std::string &body, const DataTypes &types) {
  const auto tensor = [](const char *shape, DType dtype) {
    return "tensor<" + std::string(shape) + "x" + std::string(toString(dtype)) +
           ">";
  };
  const std::string x = tensor("?x1", types.activation),
                    w = tensor("2x1", types.weight),
                    full = tensor("?x2", DType::f32),
                    out = tensor("?x2", types.result);
  const std::string text =
      "func.func @layer(%x: " + x + ", %w: " + w + ", %full: " + full +
      ") -> " + out +
      " {\n %0 = lintel.linear %x, %w epilogue(%full : " + full + ") : (" + x +
      ", " + w + ") -> " + out + " {\n ^bb0(%acc: f32, %g: f32):\n" + body +
      "\n lintel.yield %y : " + std::string(toString(types.result)) +
      "\n }\n return %0 : " + out + "\n}";
  return epilogueOf(body, [&](mlir::MLIRContext &context) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  });
}

Problem layer(std::optional<int64_t> m, int64_t n, int64_t k,
              const Epilogue &epilogue, const DataTypes &types) {
  // Sizes in the tests are constants far below the limits.
  return Problem::create(m, n, k, types, epilogue).value();
}

std::string describe(const Problem &problem) {
  const Epilogue &epilogue = problem.epilogue();
  return sizes(problem) + " " +
         (epilogue == epilogueNamed(kRegionEpilogue) ? "gated_softplus"
                                                     : epilogue.text());
}

} // namespace lintel::integration
