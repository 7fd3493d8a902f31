// A problem's text as lines and messages show it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Problem/ProblemTitle.h"

namespace lintel {

std::string problemTitle(std::string_view text) {
  const size_t region = text.find('{');
  std::string title(text.substr(0, region));
  return region == std::string_view::npos ? title : title + "region";
}

} // namespace lintel
