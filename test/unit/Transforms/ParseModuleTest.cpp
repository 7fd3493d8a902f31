// Layers that are stated as MLIR; what files hold is ModuleFileTest's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Module.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>

using namespace lintel;
using testing::StartsWith;

namespace {

constexpr std::string_view kLayer = R"(
func.func @layer(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>)
    -> tensor<4x16xf32> {
  %y = lintel.linear %x, %w
      : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xf32> {
  ^bb0(%acc: f32):
    %0 = math.absf %acc : f32
    lintel.yield %0 : f32
  }
  return %y : tensor<4x16xf32>
}
)";

std::string messageOf(const Expected<Problem> &problem) {
  return problem ? "no error" : problem.error().message();
}

TEST(ParseModuleTest, EndsWhereItsTextDoes) {
  const std::string longer = std::string(kLayer) + "}}}";
  const Expected<Problem> problem =
      parseModule(std::string_view(longer).substr(0, kLayer.size()));
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->m(), 4);
  EXPECT_EQ(problem->n(), 16);
  EXPECT_EQ(problem->k(), 8);
  EXPECT_EQ(problem->types().text(), "bf16:f32");
  EXPECT_TRUE(problem->epilogue().isRegion());
  EXPECT_FALSE(parseModule(longer));
}

TEST(ParseModuleTest, ErrorsBeginWithItsName) {
  EXPECT_THAT(messageOf(parseModule("func.func @f( {")),
              StartsWith("module:1:"));
  EXPECT_THAT(messageOf(parseModule("func.func @f( {", "layer 7")),
              StartsWith("layer 7:1:"));
  const std::string twice =
      std::string(kLayer) + "module @other {" + std::string(kLayer) + "}";
  EXPECT_THAT(messageOf(parseModule(twice, "both")),
              StartsWith("both: the module has 2 lintel.linear ops"));
}

} // namespace
