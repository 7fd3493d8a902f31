// One problem after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ProblemArguments.h"

#include <functional>
#include <vector>

namespace lintel::tool {

/// Has `work` done on each of them, which returns an exit code, until Ctrl-C or
/// SIGTERM; both end it with kInterrupted and a word on how many were not
/// begun. It ends, too, when a result cannot be written, with kBadInput. Else
/// the largest of the codes.
int workOnEach(const std::vector<LayerRequest> &requests,
               const std::function<int(const LayerRequest &)> &work);

} // namespace lintel::tool
