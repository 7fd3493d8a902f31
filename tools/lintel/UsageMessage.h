// What is wrong with a command line, in one sentence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace lintel::tool {

/// Names the word that does not belong, or the command that is missing and
/// those there are, or says what `error` says. `app` is where parsing stopped
/// with `error`.
std::string usageMessage(const CLI::App &app, const CLI::ParseError &error);

} // namespace lintel::tool
