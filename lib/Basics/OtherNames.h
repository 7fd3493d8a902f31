// What other libraries call a thing that has another name here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cctype>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace lintel {

struct OtherName {
  std::string_view name; ///< in small letters
  std::string_view here;
};

/// For messages about a name that is unknown here: ", which is relu here", and
/// nothing where no table has it. Letters may be large.
inline std::string nameHere(std::string_view name,
                            std::span<const OtherName> others) {
  std::string small;
  std::ranges::transform(name, std::back_inserter(small), [](char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  });
  const auto known = std::ranges::find(others, small, &OtherName::name);
  return known == others.end()
             ? ""
             : ", which is " + std::string(known->here) + " here";
}

} // namespace lintel
