// What a word among the arguments of a command may be, where it is no problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PositionalWords.h"

#include "Quote.h"

#include <cctype>
#include <filesystem>

namespace lintel::tool {

bool isEpilogueText(const std::string &word) {
  std::error_code ignored;
  return word.find(':') == std::string::npos &&
         !word.ends_with(".safetensors") && !word.ends_with(".mlir") &&
         !word.ends_with(".json") && !looksLikeAFile(word) &&
         !std::filesystem::exists(word, ignored);
}

/// A problem has no slash before its epilogue, and no letter after a dot: 5..8
/// rows are a range. Neither has an epilogue but in parentheses, as in
/// clamp(0,1.e2).
bool looksLikeAFile(const std::string &word) {
  std::string shape = word.substr(0, word.find(' '));
  if (const size_t open = shape.find('('); open != std::string::npos)
    shape.erase(open, shape.rfind(')') - open);
  const size_t dot = shape.find_last_of('.');
  const bool isRange = !shape.empty() &&
                       std::isdigit(static_cast<unsigned char>(shape[0])) &&
                       shape.find("..") != std::string::npos;
  return shape.find('/') != std::string::npos ||
         (dot + 1 < shape.size() && dot != std::string::npos && !isRange &&
          std::isalpha(static_cast<unsigned char>(shape[dot + 1])) != 0);
}

/// Rows are a number, a range or '?'.
bool startsLikeStages(const std::string &word) {
  const auto first = static_cast<unsigned char>(word.empty() ? 0 : word[0]);
  return (std::isalpha(first) || first == '+') && isEpilogueText(word);
}

bool looksLikeRows(const std::string &word) {
  return !word.empty() &&
         word.find_first_not_of("0123456789,?") == std::string::npos;
}

std::string aboutEnding(const std::string &word) {
  if (word.ends_with(".npy"))
    return "; an array is for lintel run, as in --input x.npy: other commands "
           "take the sizes of a layer, and make up its data";
  if (word.ends_with(".index.json"))
    return "; an index names a model's files: give those that end in "
           ".safetensors, as a shell lists them for model-*.safetensors";
  return word.ends_with(".json")
             ? "; if it is meant for a report: --json takes no file, and "
               "prints to standard output"
             : "";
}

Error isNoFile(const std::string &word) {
  return Error(ErrorCode::invalidArgument,
               inQuotes(word) +
                   " is no problem, and there is no such file; a problem is "
                   "128x768:768x3072, lists of them go with --file, and of "
                   "the layers of a .safetensors file --match names one" +
                   aboutEnding(word));
}

Error isNoProblem(const std::string &word) {
  return Error(ErrorCode::invalidArgument,
               inQuotes(word) +
                   " is no problem; an epilogue is one word behind its "
                   "problem, of stages that '+' joins without blanks, as in "
                   "128x768:768x3072 bias+relu");
}

Error isBehindRows(const std::string &word, const std::string &rows) {
  return Error(ErrorCode::invalidArgument,
               inQuotes(word) + " is no problem; if it is meant for --rows " +
                   inQuotes(rows) +
                   ": its numbers are one word, which commas separate without "
                   "blanks, as in --rows 1,16,512");
}

} // namespace lintel::tool
