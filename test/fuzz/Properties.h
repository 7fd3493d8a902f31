// What harnesses check.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace lintel::fuzz {

/// An input for which something is not as it always should be.
class BrokenProperty : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Throws BrokenProperty, with both, unless `holds`.
void check(bool holds, std::string_view property, std::string_view detail = "");

/// That a text reads back as what it was written from.
void checkSame(std::string_view what, std::string_view first,
               std::string_view second);

/// That a message says something, on one line, without characters that would
/// steer a terminal.
void checkMessage(const Error &error);
/// The same of what users see of a message that quotes its input as it is: the
/// command line and the C API make it fit to be shown.
void checkShownMessage(const Error &error);

/// Says that a reader took the input. What holds of all inputs would hold of a
/// reader that refuses all, too, so tests ask for it.
void noteTaken();
/// How often it was said since the last call.
int countTaken();

/// The same for what a reader gave: the value, or null after its message was
/// looked at.
template <class T>
const T *valueOf(const Expected<T> &read,
                 void (*checkError)(const Error &) = checkMessage) {
  if (read) {
    noteTaken();
    return &*read;
  }
  checkError(read.error());
  return nullptr;
}

} // namespace lintel::fuzz
