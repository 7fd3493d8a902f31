// Layers that are stated as MLIR; what files hold is ModuleFileTest's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Module.h"

#include <gmock/gmock.h>

#include <pthread.h>
#include <string>
#include <string_view>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;
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

std::string repeated(std::string_view text, int times) {
  std::string all;
  while (times-- > 0)
    all += text;
  return all;
}

std::string nested(std::string_view open, std::string_view core,
                   std::string_view close, int depth) {
  return repeated(open, depth) + std::string(core) + repeated(close, depth);
}

/// What parsing `text` says on a thread with as little stack as docs/c-api.md
/// asks for.
std::string messageOnSmallStack(const std::string &text) {
  constexpr size_t kStack = size_t(256) << 10;
  struct Call {
    const std::string &text;
    std::string message;
  } call{text, ""};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_t thread;
  EXPECT_EQ(pthread_create(
                &thread, &attributes,
                [](void *argument) -> void * {
                  auto *call = static_cast<Call *>(argument);
                  call->message = messageOf(parseModule(call->text));
                  return nullptr;
                },
                &call),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return call.message;
}

TEST(ParseModuleTest, NestsAsDeepAsASmallStackTakes) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "frames are larger under a sanitizer";
#endif
  constexpr int kDepth = 47; // and the brackets of a function
  const std::string before = "func.func private @f(", after = ")";
  for (const std::string &text :
       {nested("module {", "", "}", kDepth),
        before + nested("tuple<", "i32", ">", kDepth) + after,
        before + "i32 {a = " + nested("[", "1", "]", kDepth - 1) + "}" + after,
        before + "i32 {a = " + nested("{a = ", "1", "}", kDepth - 1) + "}" +
            after,
        nested("\"builtin.module\"() ({", "", "}) : () -> ()", kDepth / 2),
        nested("func.func @f() {", "return", "}", kDepth)}) {
    EXPECT_THAT(messageOnSmallStack(text), Not(HasSubstr("deep, at most")))
        << text;
    EXPECT_THAT(messageOnSmallStack(nested("module {", text, "}", 4)),
                HasSubstr("deep, at most 48 are allowed"))
        << text;
  }
}

} // namespace
