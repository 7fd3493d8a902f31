// Option values checked by the parser that will read them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace lintel::tool {

/// A validator from something that turns text into an Expected or a Status.
template <class Parse> CLI::Validator parsesWith(Parse parse) {
  return CLI::Validator(
      [parse](std::string &text) {
        auto parsed = parse(text);
        return parsed ? std::string() : parsed.error().message();
      },
      "");
}

} // namespace lintel::tool
