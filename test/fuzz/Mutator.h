// Small damages to an input, the same ones in every run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuzz/Harness.h"

#include <cstdint>

namespace lintel::fuzz {

/// Numbers that follow from the first alone; the standard's distributions are
/// any library's own.
class Sequence {
public:
  explicit Sequence(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// From 0 to `count` - 1; 0 where there are none.
  size_t below(size_t count) { return count == 0 ? 0 : next() % count; }

private:
  uint64_t state;
};

/// One to four damages to `input`: bits, bytes and letters changed, stretches
/// cut out, repeated or exchanged, words of the dictionary and numbers at the
/// edges of their range put in, pieces of another input put in place of its
/// own. At most `mostBytes` long.
Bytes mutated(Bytes input, const std::vector<Bytes> &others,
              const std::vector<std::string_view> &dictionary,
              Sequence &sequence, size_t mostBytes);

} // namespace lintel::fuzz
