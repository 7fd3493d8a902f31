// Why the work on a problem failed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Console.h"
#include "KernelOptions.h"
#include "ProblemArguments.h"

#include "lintel/Error.h"
#include "lintel/Problem.h"

namespace lintel::tool {

/// `error`, of the work on a problem that was read well, with the problem named
/// once. What the system refused there is memory: a failure, and no bad input.
Error failureOf(const Problem &problem, const Error &error);

/// The same of a problem of the command line, behind the module that states it:
/// the epilogue of one has no name.
Error failureOf(const LayerRequest &request, const Error &error);

/// Says on stderr that there is no result, and why, and returns the exit code.
/// With --json, stdout gets a line in the result's place, whose keys are in
/// docs/cli.md.
ExitCode reportFailure(const LayerRequest &request, const Error &error,
                       const KernelOptions &options);

} // namespace lintel::tool
