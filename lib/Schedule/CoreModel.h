// What the estimate knows about a core and its caches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"

namespace lintel {

/// How a core reads memory fastest for few rows: of a schedule with `streams`
/// the ways that a race meets.
struct StreamReading {
  /// In how many places at once: Emerald Rapids 14 to 15 GB/s in one and 15 to
  /// 18 in eight (decision 76), Zen 3 13 in one and 17 in four (127), Zen 5 39
  /// in one and in eight.
  int64_t streams = 1;
  /// In how many where K is too shallow for as many, each a page deep.
  int64_t streamsOfShallow = 1;
  /// Up to how many rows without asking ahead.
  int64_t mostRowsUnasked = 3;
  /// From how many rows on asking 2 KiB ahead into L2.
  int64_t fewestRowsAskedIntoL2 = 4;
  /// Up to how many rows asking 2 KiB ahead into L1, and 4 KiB.
  int64_t mostRowsAskedIntoL1 = 16;
  int64_t mostRowsAskedFarIntoL1 = 3;
  /// Places of w and x together that the core follows; 0 where more did no harm
  /// or were not measured.
  int64_t placesFollowed = 0;
};

/// Rates of one core, a cycle. Measured on Zen 3, Zen 4, Zen 5 and Emerald
/// Rapids; other CPUs get those of the nearest.
struct CoreModel {
  double fmas = 2;         ///< of full vectors
  double vectorBytes = 64; ///< of a full vector
  /// Of full vectors, from L1; of tiles one vector wide, whose products all
  /// load, of everything. Other broadcasts are two a cycle.
  double vectorLoads = 2;
  double uops = 4;
  /// Bytes drawn from each level, and from memory by all cores together.
  double l2 = 28, l3 = 11, memory = 10, allMemory = 64;
  /// Of L3, what is found there again: it is shared with other cores, and with
  /// other tenants of the machine. Two of eight cores are ours on the Zen 4 and
  /// 5 machines at hand. The quarter was not measured by itself, but with what
  /// it changed (decision 70).
  double shareOfL3 = 0.25;
  /// What at most does not overlap of the shorter of products and of what
  /// memory delivers beside the first pass of w.
  double mostUnhidden = 1;
  StreamReading reading;
  /// Up to how many rows the hardware reads a weight as fast unasked (decisions
  /// 83 and 84).
  int64_t rowsReadUnasked = 0;

  /// What another hyperthread that works leaves of `uops`, which tiles of many
  /// instructions then lack; 0 where it makes no difference, as on Zen 4, or
  /// was not measured. Fitted to k loops on Emerald Rapids: those of 8x48,
  /// 9x48, 12x32 and 14x32 that load each row first took 1.2 to 1.45 times as
  /// long in busy milliseconds as in quiet ones (decision 113).
  double uopsBesideHyperthread = 0;

  static CoreModel of(const Target &target);

  /// The same while another hyperthread of each core works.
  CoreModel besideHyperthread() const;

  /// Whether micro-kernels draw columns of w from L2 faster than the hardware's
  /// own prefetching brings them, if they multiply more than one line a cycle.
  /// Zen 4 multiplies one, and asking ahead gained nothing (decision 69).
  bool outrunsPrefetching() const {
    return fmas * vectorBytes > Target::kLineBytes;
  }
};

} // namespace lintel
