// What is wrong with a command line, in one sentence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
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

/// What is wrong with the words behind the program's name that CLI11 would take
/// for something else than they say, or drop; "" if nothing is.
std::string misreadWord(const CLI::App &app, std::span<char *const> words);

} // namespace lintel::tool
