// How many rows to race on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <vector>

namespace lintel {

/// A kernel for a known M has micro-kernels for the strips of that M alone.
/// True if `rows` rows are cut into strips of exactly those sizes.
bool exercisesSameStrips(int64_t mr, const Problem &problem, int64_t rows);

/// True if the kernel computes `rows` rows right: it has every strip size.
bool canRunOnRows(int64_t mr, const Problem &problem, int64_t rows);

/// Rows of a slice of about `wanted` rows (at least 1, at most M) on which as
/// many of `schedules` as possible exercise the same strips as on M. All of M
/// when `wanted` is M or more.
int64_t sliceRows(const Problem &problem,
                  const std::vector<Schedule> &schedules, int64_t wanted);

} // namespace lintel
