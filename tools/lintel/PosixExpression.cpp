// From the regular expressions that users know to those of LLVM's matcher.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PosixExpression.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <iterator>

namespace lintel::tool {

namespace {

/// What `\d` and its like stand for, as in most languages.
struct CharacterClass {
  char letter;
  const char *members; ///< inside brackets
};
constexpr CharacterClass kClasses[] = {
    {'d', "0-9"}, {'w', "A-Za-z0-9_"}, {'s', "[:space:]"}};

const CharacterClass *classOf(char letter) {
  const auto *found =
      std::ranges::find(kClasses, letter, &CharacterClass::letter);
  return found == std::end(kClasses) ? nullptr : found;
}

class Translation {
public:
  explicit Translation(std::string_view text) : text(text) {}

  Expected<std::string> run() {
    if (counts())
      return unsupported("it counts with '{'; use * or +, or \\{ outside of "
                         "brackets for a brace");
    while (at < text.size()) {
      const char c = text[at++];
      posix += c;
      if (Status done = c == '\\'  ? escape()
                        : c == '[' ? brackets()
                                   : Status();
          !done)
        return done.error();
    }
    return std::move(posix);
  }

private:
  /// In brackets, too: where a bracket ends, the matcher and we may disagree
  /// ("[A-[:]{9}]").
  bool counts() const {
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '{')
        return true;
    return false;
  }

  /// Behind a backslash, which is there already.
  Status escape() {
    if (at == text.size() || !llvm::isAlnum(text[at])) {
      posix += text.substr(at++, 1);
      return {};
    }
    const char letter = text[at++];
    if (const CharacterClass *known = classOf(llvm::toLower(letter))) {
      posix.pop_back();
      posix += letter == known->letter ? "[" : "[^";
      posix += std::string(known->members) + "]";
      return {};
    }
    return unsupported(std::string("'\\") + letter +
                       "' is not known; there are \\d, \\w, \\s, their "
                       "opposites and escaped punctuation");
  }

  /// Behind the opening bracket, to the closing one.
  Status brackets() {
    take('^');
    take(']'); // in the first place it is a member
    while (at < text.size()) {
      const char c = text[at++];
      if (c == '\\') {
        const CharacterClass *known =
            at < text.size() ? classOf(text[at]) : nullptr;
        if (!known)
          return unsupported("'\\" + std::string(text.substr(at, 1)) +
                             "' in brackets, which take \\d, \\w and \\s; "
                             "other members go without the backslash, and ] "
                             "first");
        posix += known->members;
        ++at;
        continue;
      }
      posix += c;
      if (c == ']')
        return {};
      if (c == '[' && at < text.size() && text[at] == ':') {
        const size_t end = std::min(text.find(":]", at), text.size() - 2) + 2;
        posix += text.substr(at, end - at);
        at = end;
      }
    }
    return {}; // which the matcher will refuse
  }

  void take(char wanted) {
    if (at < text.size() && text[at] == wanted)
      posix += text[at++];
  }

  static Error unsupported(std::string why) {
    return Error(ErrorCode::unsupported, std::move(why));
  }

  std::string_view text;
  size_t at = 0; ///< what is read next
  std::string posix;
};

} // namespace

Expected<std::string> posixExpression(std::string_view text) {
  return Translation(text).run();
}

} // namespace lintel::tool
