// Whether a schedule is one of a layer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"
#include "lintel/Error.h"

namespace lintel::ir {

/// checkSchedule() for each output of a layer, whose types may differ. Also an
/// error: a layer of types or sizes that none is compiled for.
Status checkScheduleOf(LinearOp op, const Schedule &schedule,
                       const Target &target);

} // namespace lintel::ir
