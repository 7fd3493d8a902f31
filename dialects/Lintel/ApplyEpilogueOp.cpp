// What lintel.apply_epilogue refuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/AmxVerifier.h"
#include "Lintel/EpilogueVerifier.h"
#include "Lintel/LintelDialect.h"
#include "Lintel/WholeVectors.h"
#include "Tmm/PlainMemory.h"

using namespace mlir;
using namespace lintel::ir;

/// True if the group is that of a vector of some type that has these sums:
/// tiles of dot products have any number of columns.
static bool mayHoldDotProducts(ApplyEpilogueOp op) {
  const lintel::Schedule &schedule = op.getSchedule().getValue();
  const lintel::Target &target = op.getTarget().getValue();
  const auto isOf = [&](lintel::DType weight) {
    return schedule.group ==
           target.lanes() *
               depthOfLane(weight, target, lintel::Accumulate::f32);
  };
  if (schedule.onTiles())
    return false;
  if (isa<IntegerType>(op.getAcc().getType().getElementType()))
    return isOf(lintel::DType::s8);
  return isOf(lintel::DType::f32) || isOf(lintel::DType::bf16);
}

LogicalResult ApplyEpilogueOp::verify() {
  return failure(
      failed(lintel::tmm::verifyPlainMemory(*this, getAcc().getType())) ||
      // Streamed stores are of whole vectors, whatever the sums are of.
      ((!mayHoldDotProducts(*this) ||
        getSchedule().getValue().streamsOutputs()) &&
       failed(verifyWholeVectors(*this, getSchedule().getValue().nr,
                                 getTarget().getValue()))) ||
      failed(verifyBroadcasts(*this, getBroadcasts(),
                              getAcc().getType().getElementType())) ||
      (getSchedule().getValue().onTiles() &&
       failed(verifyVectorsOfTiles(*this))));
}

LogicalResult ApplyEpilogueOp::verifyRegions() {
  return verifyKernelEpilogue(*this, getEpilogue(), getBroadcasts(),
                              getAcc().getType().getElementType());
}
