// What a machine can do at most, measured once and kept: values and their text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   peaks    ::= "lintel-peaks 9\n" "machine " line "\n"
//                "measured " seconds "\n" { row }
//   row      ::= "threads=" count " measured=" seconds " fma=" rate
//                " vfmadd231ph=" rate " vdpbf16ps=" rate " vpmaddwd=" rate
//                " vpmaddubsw=" rate " vpdpbusd=" rate " tdpbf16ps=" rate
//                " tdpfp16ps=" rate " tdpbusd=" rate
//                " l1=" rate " l2=" rate " l3=" rate " memory=" rate "\n"
//   rate     ::= best "/" median      with three decimals; 0.000/0.000: unknown
//   seconds  ::= since 1970; of a row 0: unknown
//
// Rows are ascending in `count`, each count once. What parse() takes is, byte
// for byte, what text() writes.
#pragma once

#include "Target/ProductPeak.h"
#include "lintel/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// Of many short samples. The best is the machine's; how far the median lies
/// below it shows how quiet the machine was.
struct Rate {
  double best = 0, median = 0; ///< 0: not measured

  static Rate of(std::vector<double> samples);
  friend bool operator==(const Rate &, const Rate &) = default;
};

/// What a number of threads reach together.
struct ThreadPeaks {
  int threads = 1;
  /// In the order of kProductInstructions; integer operations count alike.
  std::array<Rate, kProductInstructions.size()> productGflops;
  /// Reading from the caches, each thread a part of its own, and from memory.
  Rate l1Gbps, l2Gbps, l3Gbps, memoryGbps;
  int64_t measuredUnixSeconds = 0; ///< 0: unknown

  /// Not measured where the machine lacks the instruction.
  Rate &gflops(ProductInstruction instruction) {
    return productGflops[static_cast<size_t>(instruction)];
  }
  const Rate &gflops(ProductInstruction instruction) const {
    return productGflops[static_cast<size_t>(instruction)];
  }
  friend bool operator==(const ThreadPeaks &, const ThreadPeaks &) = default;
};

struct MachinePeaks {
  std::string machine; ///< its fingerprint: one line of printable ASCII
  int64_t measuredUnixSeconds = 0; ///< the last time; rows have their own
  std::vector<ThreadPeaks> rows;   ///< ascending in threads

  /// What `threads` threads reach; null if that was not measured.
  const ThreadPeaks *of(int threads) const;
  /// Adds the row, or replaces the one for as many threads.
  void put(const ThreadPeaks &row);

  std::string text() const;
  /// ErrorCode::unsupported for the text of another version, else corrupt.
  static Expected<MachinePeaks> parse(std::string_view text);
  friend bool operator==(const MachinePeaks &, const MachinePeaks &) = default;
};

} // namespace lintel
