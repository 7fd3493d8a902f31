// What the steps and turns of a k loop take, as a schedule says it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Schedule.h"
#include "Lintel/WholeUnits.h"

namespace lintel {

/// Of an element of x or w, where no instruction takes it as it is.
static DType typeOfProducts(DType dtype, const Target &target) {
  switch (dtype) {
  case DType::f16:
    return DType::f32;
  case DType::bf16:
    return target.has(Extension::avx512Bf16) ? dtype : DType::f32;
  case DType::u8:
  case DType::s8:
    return target.multipliesQuads() ? dtype : DType::s16;
  case DType::f32:
  case DType::s32:
  case DType::s16:
    break;
  }
  return dtype;
}

DType Schedule::typeOfRows(DType activation, const Target &target) const {
  if (splitsHalves())
    return DType::bf16;
  const bool widens = pack == PackA::block && !onTiles() &&
                      accumulate == Accumulate::f32 &&
                      !vectorsAlongK(activation);
  return widens ? typeOfProducts(activation, target) : activation;
}

int64_t Schedule::bytesOfRows(DType activation, const Target &target) const {
  return partsOfFactor() * bytesOf(typeOfRows(activation, target));
}

bool Schedule::asksForEqualParts() const {
  return prefetch > 0 && prefetch % (streams * Target::kLineBytes) == 0 &&
         nr % streams == 0;
}

int64_t Schedule::mostPrefetchOnTiles() const {
  return nr * Target::kLineBytes;
}

int64_t depthOfLane(DType weight, const Target &target, Accumulate accumulate) {
  const bool widensPairs = weight == DType::s8 &&
                           accumulate != Accumulate::s16 &&
                           !target.multipliesQuads();
  return widensPairs ? 2 : interleaveOf(weight);
}

int64_t stepsOfTurn(const Schedule &schedule, DType type,
                    const Target &target) {
  constexpr int64_t kFewest = 8; // products of a step
  // A widened panel keeps the group of the narrow weight.
  const bool alongK = schedule.group == target.lanes();
  if (target.isa != IsaLevel::avx2 || schedule.onTiles() ||
      type != DType::f32 || schedule.streams > 1 || alongK ||
      schedule.nr == target.lanes()) // of which tall ones spilled
    return 1;
  const int64_t products = schedule.mr * schedule.nr / target.lanes();
  return products >= kFewest ? 2 : 1;
}

int64_t depthOfTurn(const Schedule &schedule, DType type,
                    const Target &target) {
  return schedule.depthOfStep() * stepsOfTurn(schedule, type, target);
}

int64_t linesOfTurn(const Schedule &schedule, DType weight,
                    const Target &target) {
  const int64_t depth =
      depthOfTurn(schedule, schedule.typeOfPanels(weight), target);
  const int64_t bytes = schedule.nr * depth * bytesOf(weight);
  return ceilDiv(bytes, Target::kLineBytes);
}

} // namespace lintel
