// The layers that the tests compute: sizes and epilogues.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Problem.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lintel::integration {

/// The epilogue gated_softplus of Layers.cpp, which no chain of stages
/// expresses.
inline constexpr const char *kRegionEpilogue = "gated_softplus";

inline constexpr const char *kEpilogues[] = {
    "none", "bias+relu", "bias+gelu_erf+residual", kRegionEpilogue};

/// A chain of stages for these types, or kRegionEpilogue. Failing is the test's
/// failure, with no epilogue as the value.
Epilogue epilogueNamed(const std::string &name, const DataTypes &types = {});

/// An epilogue of one result. `body` computes %y from the sum %acc and from %g,
/// an element of a full operand of f32: "%y = arith.addf %acc, %g : f32".
Epilogue regionEpilogue(const std::string &body, const DataTypes &types = {});

/// `m` empty: dynamic.
Problem layer(std::optional<int64_t> m, int64_t n, int64_t k,
              const Epilogue &epilogue, const DataTypes &types = {});

/// "17x33:33x50 bias+relu"; a region is named after its file or shown.
std::string describe(const Problem &problem);

} // namespace lintel::integration
