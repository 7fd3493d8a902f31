// The machine in JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"

#include "llvm/Support/JSON.h"

namespace lintel {

/// What of a report the library and `lintel doctor` both write: the attributes
/// from "cpu" to "openmp".
void writeHost(llvm::json::OStream &out, const HostReport &host);

} // namespace lintel
