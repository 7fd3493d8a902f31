// The layers that the tests compute: sizes and epilogues.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Problem.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lintel::integration {

/// The epilogue of gated_softplus.mlir, which no chain of stages expresses.
inline constexpr const char *kRegionEpilogue = "gated_softplus";

inline constexpr const char *kEpilogues[] = {
    "none", "bias+relu", "bias+gelu_erf+residual", kRegionEpilogue};

/// A chain of stages, or kRegionEpilogue. Failing is the test's failure, with
/// no epilogue as the value.
Epilogue epilogueNamed(const std::string &name);

/// `m` empty: dynamic.
Problem layer(std::optional<int64_t> m, int64_t n, int64_t k,
              const Epilogue &epilogue);

/// "17x33:33x50 bias+relu"; regions are named after their file.
std::string describe(const Problem &problem);

} // namespace lintel::integration
