// A user of the C API whose own C++ library is at work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel-c/lintel.h"

#include <iostream>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>

/// False if another C++ library took part.
static bool ownLibraryWorks() {
  std::stringstream stream;
  stream << "a " << 1 << " " << 2.5;
  std::string word;
  int number = 0;
  double fraction = 0;
  stream >> word >> number >> fraction;
  bool caught = false;
  try {
    (void)std::string("x").at(9);
  } catch (const std::out_of_range &) {
    caught = true;
  }
  const char point =
      std::use_facet<std::numpunct<char>>(std::locale()).decimal_point();
  return word == "a" && number == 1 && fraction == 2.5 && caught &&
         point == '.';
}

int main() {
  lintel_problem *problem = nullptr;
  const bool refused =
      lintel_problem_parse("no problem", "f32", &problem) != LINTEL_OK &&
      std::string(lintel_last_error()).find("expected M") != std::string::npos;
  std::cout << lintel_version() << std::endl;
  return refused && ownLibraryWorks() ? 0 : 1;
}
