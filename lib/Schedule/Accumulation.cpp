// What products are added to first: who races, and what is legal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Accumulation.h"

#include <string>

namespace lintel {

std::vector<Accumulate> accumulationsOf(const DataTypes &types,
                                        const Target &target) {
  if (types.accumulate == DType::f16 && target.has(Extension::avx512Fp16))
    return {Accumulate::f32, Accumulate::f16};
  if (types.accumulate == DType::s16 && target.sumsPairsInWords())
    return {Accumulate::s16};
  return {Accumulate::f32};
}

/// Pairs of bytes need the instruction and the permission.
static Status checkPairsInWords(const Schedule &schedule,
                                const DataTypes &types, const Target &target) {
  const auto refused = [](const std::string &reason) {
    return Error(ErrorCode::invalidArgument, "accumulate is s16, " + reason);
  };
  if (types.accumulate != DType::s16)
    return refused("which a layer of types \"" + types.text() +
                   "\" does not permit; it takes integers and accumulate=s16");
  if (!target.sumsPairsInWords())
    return refused("which takes a target of avx2 or avx512 without VNNI");
  if (schedule.onTiles() || schedule.vectorsAlongK(types.weight))
    return refused("which takes unit=vector and no dot products");
  return {};
}

/// Runs of f16 need the instruction and the permission, and leave their sums in
/// memory.
static Status checkRunsInHalf(const Schedule &schedule, const DataTypes &types,
                              const Target &target) {
  const auto refused = [](const std::string &reason) {
    return Error(ErrorCode::invalidArgument, "accumulate is f16, " + reason);
  };
  if (types.accumulate != DType::f16)
    return refused("which a layer of types \"" + types.text() +
                   "\" does not permit; it takes x and w of f16 and "
                   "accumulate=f16");
  if (!target.has(Extension::avx512Fp16))
    return refused("which takes a target with avx512fp16");
  if (schedule.onTiles() || schedule.epilogue != EpiloguePlacement::tile ||
      schedule.vectorsAlongK(types.weight))
    return refused("which takes unit=vector, epilogue=tile and no dot "
                   "products");
  return {};
}

Status checkAccumulate(const Schedule &schedule, const DataTypes &types,
                       const Target &target) {
  switch (schedule.accumulate) {
  case Accumulate::f32:
    return {};
  case Accumulate::f16:
    return checkRunsInHalf(schedule, types, target);
  case Accumulate::s16:
    return checkPairsInWords(schedule, types, target);
  }
  return {};
}

} // namespace lintel
