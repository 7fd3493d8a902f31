// Checks of the arguments that a caller hands to a layer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/CallTensors.h"
#include "Lintel/KernelABI.h"
#include "lintel/Engine.h"
#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lintel {

/// The layer takes so many operands and gives so many outputs.
Status checkTensorCounts(const Problem &problem, size_t numOperands,
                         size_t numOutputs);
/// The problem takes so many rows.
Status checkRows(const Problem &problem, int64_t rows);
Status checkWeight(const Problem &problem, const void *w, int64_t ldw);
/// `rows` must have been checked here and below.
Status checkInput(const Problem &problem, int64_t rows, ConstTensorRef x);
/// Checks each operand and appends it to `gathered`; the count must be
/// right and fit.
Status gatherOperands(const Problem &problem, int64_t rows,
                      std::span<const ConstTensorRef> operands,
                      CallTensors<KernelTensor> &gathered);
/// The same for outputs.
Status gatherOutputs(const Problem &problem, int64_t rows,
                     std::span<const TensorRef> outputs,
                     CallTensors<KernelTensor> &gathered);

/// No output begins where x does, which threads still read, another output, or
/// an operand that is not read where the output is written: only a full one of
/// its type and stride is. Tensors that overlap otherwise are not found.
Status checkOutputsApart(const Problem &problem, int64_t rows, ConstTensorRef x,
                         std::span<const ConstTensorRef> operands,
                         std::span<const TensorRef> outputs);

} // namespace lintel
