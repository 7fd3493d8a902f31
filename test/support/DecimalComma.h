// A locale that writes numbers with a comma.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clocale>
#include <string>

namespace lintel {

/// Sets the C library's locale to one with a decimal comma, if one is
/// installed, for as long as it lives.
class DecimalComma {
public:
  DecimalComma() {
    for (const char *name :
         {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"})
      installed = installed || std::setlocale(LC_ALL, name);
  }
  ~DecimalComma() { std::setlocale(LC_ALL, previous.c_str()); }
  DecimalComma(const DecimalComma &) = delete;
  DecimalComma &operator=(const DecimalComma &) = delete;
  bool isInstalled() const { return installed; }

private:
  const std::string previous = std::setlocale(LC_ALL, nullptr);
  bool installed = false;
};

} // namespace lintel
