// Calls of layers on made-up inputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/MadeUpCall.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

using namespace lintel;

namespace {

class MadeUpCallTest : public testing::Test {
protected:
  void SetUp() override {
    EngineOptions options;
    options.threads = 1;
    options.useCache = false;
    engine = std::move(Engine::create(options).value());
  }

  Linear compiled(const Problem &problem) {
    CompileOptions quick;
    quick.budgetMilliseconds = 1;
    return std::move(engine->compile(problem, quick).value());
  }

  std::unique_ptr<Engine> engine;
};

const float *floats(const void *data) {
  return static_cast<const float *>(data);
}

TEST_F(MadeUpCallTest, FillsTheOutputsAlsoWhenItWasMoved) {
  constexpr int64_t m = 5, k = 7, n = 9;
  const Problem problem = Problem::parse("?x7:7x9 bias").value();
  Linear layer = compiled(problem);
  Expected<MadeUpCall> made = MadeUpCall::create(problem, m);
  ASSERT_TRUE(made);
  const MadeUpCall call = std::move(*made);
  ASSERT_TRUE(call.setWeight(layer));
  ASSERT_TRUE(call.run(layer));
  const float *x = floats(call.inputs().x.data);
  const float *w = floats(call.inputs().w.data);
  const float *bias = floats(call.operands()[0].data);
  const float *y = floats(call.outputs()[0].data);
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column) {
      double sum = bias[column];
      for (int64_t i = 0; i < k; ++i)
        sum += double(x[row * call.inputs().x.stride + i]) *
               w[column * call.inputs().w.stride + i];
      EXPECT_NEAR(y[row * call.outputs()[0].stride + column], sum, 1e-5);
    }
}

TEST_F(MadeUpCallTest, SaysThatACallFailed) {
  const Problem problem = Problem::parse("5x7:7x9").value();
  const Linear layer = compiled(problem);
  const Expected<MadeUpCall> call = MadeUpCall::create(problem, 5);
  ASSERT_TRUE(call);
  EXPECT_FALSE(call->run(layer)) << "without a weight";
}

TEST_F(MadeUpCallTest, RefusesWhatThereIsNoMemoryFor) {
  const Problem problem = Problem::parse("?x65536:65536x1").value();
  const Expected<MadeUpCall> call =
      MadeUpCall::create(problem, RowRange::kLargest);
  ASSERT_FALSE(call);
  EXPECT_EQ(call.error().code(), ErrorCode::io);
}

} // namespace
