// What is wrong with a command line, in one sentence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace lintel::tool {

/// Of words that are wrong, whatever any file holds.
Error usageError(std::string message);

/// "; did you mean --budget?" of a word that is nearly one of `names`, which
/// share `prefix` letters; or `otherwise`.
std::string whatIsMeant(std::string_view word,
                        const std::vector<std::string> &names, size_t prefix,
                        const std::string &otherwise);

/// Names the word that does not belong, with the name it may stand for, or all
/// that is missing, or says what `error` says. `app` is where parsing stopped
/// with `error`.
std::string usageMessage(const CLI::App &app, const CLI::ParseError &error);

/// Of the words behind the program's name those that CLI11 takes for what they
/// say: without a "--", behind which no word is an option. Fails where it would
/// take a word for something else, or drop it.
Expected<std::vector<std::string>> wordsToParse(const CLI::App &app,
                                                std::span<char *const> words);

} // namespace lintel::tool
