// Reading option structs of any version of the C header.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel-c/lintel.h"
#include "lintel/Error.h"

#include <cstddef>

namespace lintel::capi {

/// The struct `given` as this library knows it; null gives the defaults.
///
/// An older caller's struct is shorter: what it lacks is zero, the default. A
/// newer caller's is longer: what this library does not know must be zero,
/// since ignoring a wish is worse than refusing it.
Expected<lintel_engine_options> readOptions(const lintel_engine_options *given);
Expected<lintel_compile_options>
readOptions(const lintel_compile_options *given);

} // namespace lintel::capi
