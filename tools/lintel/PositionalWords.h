// What a word among the arguments of a command may be, where it is no problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <string>

namespace lintel::tool {

/// An epilogue, for a problem in the word before it, rather than another
/// problem or a file.
bool isEpilogueText(const std::string &word);
/// A file that is not there, rather than a problem that is misspelt.
bool looksLikeAFile(const std::string &word);
/// Part of an epilogue where no problem is that it could belong to.
bool startsLikeStages(const std::string &word);
/// Numbers of rows, such as a blank cuts off from those of --rows.
bool looksLikeRows(const std::string &word);

/// What to add to an error about a word whose ending says what it may be meant
/// for: a file for results, the files of a model, or data of a layer.
std::string aboutEnding(const std::string &word);
/// The error of a word that looks like a file.
Error isNoFile(const std::string &word);
/// The error of a word that starts like stages.
Error isNoProblem(const std::string &word);
/// The error of a word that looks like rows, beside those of --rows.
Error isBehindRows(const std::string &word, const std::string &rows);

} // namespace lintel::tool
