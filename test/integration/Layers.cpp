// Epilogues by name, one of them out of a file of MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Layers.h"

#include "Lintel/RegisterDialects.h"
#include "Problem/BuildLinear.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace lintel::integration {
namespace {

Epilogue readRegionEpilogue() {
  mlir::DialectRegistry registry;
  ir::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(LINTEL_REGION_EPILOGUE, &context);
  if (!module) {
    ADD_FAILURE() << LINTEL_REGION_EPILOGUE << " does not parse";
    return {};
  }
  Expected<Problem> problem = problemFromModule(*module);
  if (!problem) {
    ADD_FAILURE() << LINTEL_REGION_EPILOGUE << ": "
                  << problem.error().message();
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

Epilogue epilogueNamed(const std::string &name) {
  if (name == kRegionEpilogue) {
    static const Epilogue region = readRegionEpilogue();
    return region;
  }
  Expected<Epilogue> epilogue = Epilogue::parse(name);
  if (!epilogue) {
    ADD_FAILURE() << epilogue.error().message();
    return {};
  }
  return *epilogue;
}

Problem layer(std::optional<int64_t> m, int64_t n, int64_t k,
              const Epilogue &epilogue) {
  // Sizes in the tests are constants far below the limits.
  return Problem::create(m, n, k, DType::f32, epilogue).value();
}

std::string describe(const Problem &problem) {
  const Epilogue &epilogue = problem.epilogue();
  return sizes(problem) + " " +
         (epilogue.isRegion() ? "of test/integration/gated_softplus.mlir"
                              : epilogue.text());
}

} // namespace lintel::integration
