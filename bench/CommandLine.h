// What the benchmark programs say of themselves, and how they are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "lintel/DType.h"
#include "lintel/Problem.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lintel::bench {

/// The arguments of a program, read from the first to the last. Whatever ends
/// the program sets exitStatus(), and is printed once: --help to stdout, a
/// wrong argument with the usage to stderr. From there on there are no
/// arguments, so that a program may read all that it takes and then ask.
class CommandLine {
public:
  /// `usage` says how the program is called, "NAME ARGUMENT...", and what it
  /// then does. Options other than --help are refused.
  CommandLine(const char *usage, std::vector<std::string> arguments);

  /// How many arguments are not read yet.
  size_t left() const { return arguments.size() - next; }
  /// The next argument, a number of threads that Lintel takes; 1 where there is
  /// none.
  int threads();
  /// The next argument, a number of at least 1; `otherwise` where there is
  /// none. `counted`, as in "runs", is for the message.
  int wholeNumber(const char *counted, int otherwise);
  /// The same, a finite number above 0.
  double positiveNumber(const char *counted, double otherwise);
  /// The next argument if it begins as the text of a target does, "isa=";
  /// nothing read otherwise. Such a text that is no target is a wrong call.
  std::optional<Target> target();
  /// The N of the next argument if it begins with "rounds="; `otherwise`, and
  /// nothing read, where it does not.
  int rounds(int otherwise);
  /// All that is left; `otherwise` where that is nothing.
  std::vector<std::string> texts(std::span<const char *const> otherwise);
  /// The problems that all that is left names, or `otherwise` where that is
  /// nothing. Element types, as bf16 or u8s8:u8, are those of the problems
  /// after them, f32 otherwise; behind all problems they are a wrong call. A
  /// text that is no problem, or of one without a kernel or with several, ends
  /// the program with 1 and says why, without the usage.
  std::vector<Problem> problems(std::span<const char *const> otherwise);

  /// A wrong call: prints `why` and the usage; the program ends with 2.
  void refuse(const std::string &why);
  /// With what the program ends now, if it does.
  std::optional<int> exitStatus() const { return status; }

private:
  template <class Number>
  using Reader = std::optional<Number> (*)(const std::string &);
  template <class Number>
  Number number(const char *counted, Reader<Number> read, Number otherwise);
  void end(int with);

  const char *usage;
  std::vector<std::string> arguments;
  size_t next = 0;
  std::optional<int> status;
};

} // namespace lintel::bench
