// A problem's text as lines and messages show it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace lintel {

/// `text`, of a problem, with "region" for an epilogue that is one, whose text
/// is all of its operations.
std::string problemTitle(std::string_view text);

} // namespace lintel
