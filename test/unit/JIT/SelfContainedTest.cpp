// Kernels call nothing: no object refers to a symbol outside itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JIT/Loader.h"
#include "unit/JIT/Objects.h"

#include <gtest/gtest.h>

using namespace lintel;

namespace {

class SelfContained : public ::testing::TestWithParam<IsaLevel> {};

TEST_P(SelfContained, EveryNamedEpilogue) {
  Target target;
  target.isa = GetParam();
  auto compiler = std::move(*Compiler::create(target));
  for (const char *epilogue :
       {"none", "bias", "relu", "gelu_erf", "gelu_tanh", "silu", "sigmoid",
        "tanh", "clamp(-1,1)", "residual", "mul",
        "bias+gelu_erf+residual+mul+tanh+clamp+silu"})
    for (const char *how : {"", ",epilogue=tile,pack=block"}) {
      Problem problem =
          Problem::parse(std::string("20x32:32x97 ") + epilogue).value();
      Schedule schedule =
          Schedule::parse(std::string("tile=2x16") + how).value();
      auto object = compiler->compile(problem, schedule);
      ASSERT_TRUE(object) << epilogue << how << object.error().message();
      Status valid = validateObject(object->bytes, kKernelSymbol);
      EXPECT_TRUE(valid) << epilogue << how << ": " << valid.error().message();
    }
}

/// Operations of epilogues given as IR that a C library would offer too.
TEST_P(SelfContained, EveryOperationWithAnInlineLowering) {
  Target target;
  target.isa = GetParam();
  auto compiler = std::move(*Compiler::create(target));
  for (const char *operation :
       {"math.exp",   "math.exp2",  "math.expm1", "math.log",
        "math.log2",  "math.log1p", "math.sqrt",  "math.rsqrt",
        "math.cbrt",  "math.sin",   "math.cos",   "math.tan",
        "math.sinh",  "math.cosh",  "math.tanh",  "math.asinh",
        "math.acosh", "math.atanh", "math.asin",  "math.acos",
        "math.atan",  "math.erf",   "math.erfc",  "math.floor",
        "math.ceil",  "math.trunc", "math.round", "math.roundeven",
        "math.absf",  "arith.negf"}) {
    std::string region = "{ ^bb0(%a: f32): %r = \"" + std::string(operation) +
                         "\"(%a) : (f32) -> f32 \"lintel.yield\"(%r) : (f32) "
                         "-> () }";
    Problem problem = Problem::create(4, 17, 8, DataTypes(),
                                      Epilogue::fromRegion(region, {}, 1))
                          .value();
    auto object =
        compiler->compile(problem, Schedule::parse("tile=2x16").value());
    ASSERT_TRUE(object) << operation << ": " << object.error().message();
    Status valid = validateObject(object->bytes, kKernelSymbol);
    EXPECT_TRUE(valid) << operation << ": " << valid.error().message();
  }
}

INSTANTIATE_TEST_SUITE_P(IsaLevels, SelfContained,
                         ::testing::Values(IsaLevel::x86_64, IsaLevel::avx2,
                                           IsaLevel::avx512),
                         [](const auto &info) {
                           return std::string(toString(info.param));
                         });

} // namespace
