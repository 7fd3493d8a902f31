// Errors as values: Error, Expected<T>, Status.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   auto problem = lintel::Problem::parse("128x768:768x3072 relu");
//   if (!problem)
//     return problem.error(); // code() and message()
//   use(*problem);
#pragma once

#if __cplusplus < 202002L
#error                                                                         \
    "Lintel's C++ headers need C++20: link Lintel::Cxx, or set the standard; C has lintel-c/lintel.h"
#endif

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace lintel {

/// What kind of thing went wrong. The numbers are part of the C ABI.
enum class ErrorCode : int {
  invalidArgument = 1, ///< an argument of a call or of a command line
  parse = 2,           ///< text or a file that does not follow its format
  unsupported = 3,     ///< well-formed, but nothing Lintel can compile, or
                       ///< not here (a forked child)
  io = 4,              ///< the operating system refused a file or memory
  corrupt = 5,         ///< stored data that fails its checks
  compile = 6,         ///< code generation or loading failed
  wrongResult = 7,     ///< a kernel disagreed with the reference
  cancelled = 8,       ///< interrupted before there was a result
  internal = 9,        ///< a defect of Lintel itself, no memory for it, an
                       ///< executor that breaks its contract, or what a
                       ///< callback throws
};

/// Lower-case name of a code, for logs; messages do not hold it.
std::string_view toString(ErrorCode code);

/// A code and a message that says what was wrong, where, and what would be
/// right.
class [[nodiscard]] Error {
public:
  Error(ErrorCode code, std::string message)
      : errorCode(code), text(std::move(message)) {}
  ErrorCode code() const { return errorCode; }
  const std::string &message() const { return text; }
  /// The same error with `where + ": "` before its message.
  Error in(std::string_view where) const {
    return Error(errorCode, std::string(where) + ": " + text);
  }

private:
  ErrorCode errorCode;
  std::string text;
};

/// Either a value or an Error. Reading the wrong side is undefined, so test
/// first.
template <class T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &value() & { return *std::get_if<0>(&state); }
  const T &value() const & { return *std::get_if<0>(&state); }
  T &&value() && { return std::move(*std::get_if<0>(&state)); }
  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(*this).value(); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }
  const Error &error() const { return *std::get_if<1>(&state); }

private:
  std::variant<T, Error> state;
};

/// Success, or an Error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : state(std::in_place_index<1>, std::move(error)) {}
  explicit operator bool() const { return state.index() == 0; }
  const Error &error() const { return *std::get_if<1>(&state); }

private:
  std::variant<std::monostate, Error> state;
};

} // namespace lintel
