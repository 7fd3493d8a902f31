// Machines that the schedule tests compile for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

namespace lintel {

inline Target targetOf(IsaLevel isa) {
  Target target;
  target.isa = isa;
  target.cores = 2;
  return target;
}

/// Reads few rows in four streams.
inline Target zen3() {
  Target target = targetOf(IsaLevel::avx2);
  target.cpu = "znver3";
  target.l2 = 512 << 10;
  target.l3 = 32 << 20;
  return target;
}

inline Target zen4() {
  Target target = targetOf(IsaLevel::avx512);
  target.cpu = "znver4";
  target.l3 = 32 << 20;
  return target;
}

/// A Zen 4 as it is: with products of bf16 pairs.
inline Target zen4WithPairs() {
  Target target = zen4();
  target.extensions = {Extension::avx512Bf16};
  return target;
}

/// With products of four integers.
inline Target zen4WithQuads() {
  Target target = zen4();
  target.extensions = {Extension::avx512Vnni};
  return target;
}

/// With vectors of 64 bytes and caches of its own.
inline Target avx512Target(std::string_view cpu, int64_t l1, int64_t l2,
                           std::set<Extension> extensions) {
  Target target = targetOf(IsaLevel::avx512);
  target.cpu = cpu;
  target.l1 = l1;
  target.l2 = l2;
  target.extensions = std::move(extensions);
  return target;
}

/// Multiplies two vectors of 64 bytes a cycle, and pairs of bf16.
inline Target zen5() {
  Target target =
      avx512Target("znver5", 48 << 10, 1 << 20, {Extension::avx512Bf16});
  target.l3 = 32 << 20;
  return target;
}

/// Multiplies two vectors of 64 bytes a cycle.
inline Target cascadeLake() {
  Target target = targetOf(IsaLevel::avx512);
  target.cpu = "cascadelake";
  return target;
}

/// With tiles of bf16, a large L2, and an L3 that is far.
inline Target sapphireRapids() {
  return avx512Target(
      "sapphirerapids", 48 << 10, 2 << 20,
      {Extension::amxTile, Extension::amxBf16, Extension::avx512Bf16});
}

/// The same with the L3 cache of a server.
inline Target emeraldRapids() {
  Target target = sapphireRapids();
  target.l3 = int64_t(260) << 20;
  return target;
}

/// With arithmetic in f16.
inline Target withHalfArithmetic() {
  Target target = targetOf(IsaLevel::avx512);
  target.cpu = "sapphirerapids";
  target.extensions = {Extension::avx512Fp16};
  return target;
}

inline Schedule scheduleOf(std::string_view text) {
  return Schedule::parse(text).value();
}

inline Problem problemOf(std::string_view text,
                         std::string_view types = "f32") {
  return Problem::parse(text, DataTypes::parse(types).value()).value();
}

/// The same with so many outputs, of a region that computes nothing.
inline Problem problemWithOutputs(int outputs, std::string_view text,
                                  std::string_view types = "f32") {
  const Problem problem = problemOf(text, types);
  return Problem::create(problem.rows(), problem.n(), problem.k(),
                         problem.types(),
                         Epilogue::fromRegion("r", {}, outputs))
      .value();
}

} // namespace lintel
