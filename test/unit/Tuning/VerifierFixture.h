// A verifier, and a right kernel to be spoiled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "unit/Tuning/NaiveKernel.h"

#include "Tuning/Verifier.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lintel {

/// A verifier and a right kernel for it, which `sabotage` spoils afterwards.
class VerifierTest : public testing::Test {
protected:
  using Sabotage = std::function<void(float *out, int64_t stride)>;

  void prepare(std::string_view text, int64_t rows, Fill fill = Fill::exact) {
    problem = problemOf(text);
    Expected<std::unique_ptr<Verifier>> made =
        Verifier::create(*problem, {rows, fill, 2});
    ASSERT_TRUE(made) << made.error().message();
    verifier = std::move(*made);
  }
  Verifier::Run kernel(Sabotage sabotage = nullptr) {
    return [this, sabotage](int64_t rows, const KernelTensor *outputs) {
      computeLinear(verifier->data().inputs(), *problem, rows, outputs);
      if (sabotage)
        sabotage(static_cast<float *>(outputs[0].data), outputs[0].stride);
      return Status();
    };
  }
  std::string fault(Sabotage sabotage) {
    return verifier->verify(kernel(std::move(sabotage))).fault;
  }

  std::optional<Problem> problem;
  std::unique_ptr<Verifier> verifier;
};

} // namespace lintel
