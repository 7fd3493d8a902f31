// What the estimate knows about a core and its caches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

namespace lintel {

/// Rates of one core, a cycle. Measured on Zen 4, Cascade Lake and Emerald
/// Rapids; other CPUs get those of the nearest.
struct CoreModel {
  double fmas = 2;        ///< of full vectors
  double vectorLoads = 2; ///< of full vectors, from L1
  double uops = 4;
  /// Bytes drawn from each level, and from memory by all cores together.
  double l2 = 28, l3 = 11, memory = 10, allMemory = 64;

  static CoreModel of(const Target &target);

  /// Whether micro-kernels draw columns of w from L2 faster than the hardware's
  /// own prefetching brings them: with two FMAs a cycle twice as many pass as
  /// with one. On Emerald Rapids asking for them ahead took 8 % off
  /// 197x768:768x2304 and 1 to 2 % off larger layers, on Zen 4 nothing.
  bool outrunsPrefetching() const { return fmas > 1; }
};

} // namespace lintel
