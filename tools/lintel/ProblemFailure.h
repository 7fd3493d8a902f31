// Why the work on a problem failed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Problem.h"

namespace lintel::tool {

/// `error`, of the work on a problem that was read well, with the problem named
/// once. What the system refused there is memory: a failure, and no bad input.
Error failureOf(const Problem &problem, const Error &error);

} // namespace lintel::tool
