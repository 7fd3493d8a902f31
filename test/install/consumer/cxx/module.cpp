// A layer that is stated as MLIR, and the log, by an installed Lintel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Module.h"
#include "lintel/Engine.h"
#include "lintel/Log.h"

#include <cstdio>
#include <string>
#include <string_view>

int main() {
  std::string logged;
  lintel::setLogReceiver(
      [&](lintel::LogLevel, std::string_view message) { logged += message; });
  lintel::EngineOptions options{.cacheDirectory = "/dev/null", .threads = 1};
  auto engine = lintel::Engine::create(options);
  auto layer = lintel::parseModule(R"(
    func.func @f(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>) -> tensor<4x16xf32> {
      %y = lintel.linear %x, %w
          : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {
      ^bb0(%acc: f32):
        %0 = math.absf %acc : f32
        lintel.yield %0 : f32
      }
      return %y : tensor<4x16xf32>
    })");
  const lintel::CompileOptions quick{.budgetMilliseconds = 1};
  const bool right = engine && layer && (*engine)->compile(*layer, quick) &&
                     layer->n() == 16 &&
                     logged.find("/dev/null") != std::string::npos;
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
