// Sizes in whole units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

namespace lintel {

/// How many units hold `size`, which is not negative; cannot overflow.
template <class Integer>
constexpr Integer ceilDiv(Integer size, std::type_identity_t<Integer> unit) {
  return size / unit + (size % unit != 0);
}

/// The least multiple of `unit` that is not below `size`, which is not
/// negative; the type must hold it.
template <class Integer>
constexpr Integer roundUp(Integer size, std::type_identity_t<Integer> unit) {
  return ceilDiv(size, unit) * unit;
}

} // namespace lintel
