// Sizes in whole units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// The least multiple of `unit` that is not below `size`, which is not
/// negative; their sum must not overflow.
template <class Integer> constexpr Integer roundUp(Integer size, Integer unit) {
  return (size + unit - 1) / unit * unit;
}

} // namespace lintel
