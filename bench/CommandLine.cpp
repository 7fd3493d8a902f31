// What the benchmark programs say of themselves, and how they are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CommandLine.h"

#include "Measure.h"

#include "Engine/Buckets.h"
#include "Runtime/Environment.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace lintel::bench {

template <class Number>
static std::optional<Number> wholly(const std::string &text) {
  Number value = 0;
  const char *end = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), end, value);
  if (code != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

static std::optional<int> readWholeNumber(const std::string &text) {
  const std::optional<int> value = wholly<int>(text);
  return value && *value >= 1 ? value : std::nullopt;
}

static std::optional<int> readThreads(const std::string &text) {
  return parseThreads(text);
}

static Expected<Problem> readProblem(const std::string &text,
                                     const DataTypes &types) {
  Expected<Problem> problem = Problem::parse(text, types);
  if (!problem)
    return problem.error().in(text);
  if (problem->isEmpty())
    return Error(ErrorCode::invalidArgument,
                 text + ": M and N must be at least 1, so that there is a "
                        "kernel");
  if (hasBuckets(*problem))
    return Error(ErrorCode::invalidArgument,
                 text + ": M = ? takes several kernels; name the rows");
  return problem;
}

static std::optional<double> readPositiveNumber(const std::string &text) {
  const std::optional<double> value = wholly<double>(text);
  return value && *value > 0 && std::isfinite(*value) ? value : std::nullopt;
}

CommandLine::CommandLine(const char *usage, std::vector<std::string> arguments)
    : usage(usage), arguments(std::move(arguments)) {
  for (const std::string &argument : this->arguments) {
    if (argument == "--help" || argument == "-h") {
      std::printf("usage: %s\n", usage);
      end(0);
    } else if (argument.starts_with('-')) {
      refuse("'" + argument + "' is unknown");
    }
    if (status)
      return;
  }
}

void CommandLine::refuse(const std::string &why) {
  if (status)
    return;
  std::fprintf(stderr, "error: %s\nusage: %s\n", why.c_str(), usage);
  end(2);
}

void CommandLine::end(int with) {
  status = with;
  next = arguments.size();
}

template <class Number>
Number CommandLine::number(const char *counted, Reader<Number> read,
                           Number otherwise) {
  if (left() == 0)
    return otherwise;
  const std::string text = arguments[next++];
  const std::optional<Number> value = read(text);
  if (!value)
    refuse("'" + text + "' is no number of " + counted);
  return value.value_or(otherwise);
}

int CommandLine::threads() {
  const std::string counted =
      "threads, from 1 to " + std::to_string(kMaxThreads);
  return number(counted.c_str(), readThreads, 1);
}

int CommandLine::wholeNumber(const char *counted, int otherwise) {
  return number(counted, readWholeNumber, otherwise);
}

double CommandLine::positiveNumber(const char *counted, double otherwise) {
  return number(counted, readPositiveNumber, otherwise);
}

std::optional<Target> CommandLine::target() {
  if (left() == 0 || !arguments[next].starts_with("isa="))
    return std::nullopt;
  const std::string &text = arguments[next++];
  const Expected<Target> named = Target::parse(text);
  if (named)
    return *named;
  refuse(named.error().in(text).message());
  return std::nullopt;
}

int CommandLine::rounds(int otherwise) {
  constexpr std::string_view kPrefix = "rounds=";
  if (left() == 0 || !arguments[next].starts_with(kPrefix))
    return otherwise;
  arguments[next].erase(0, kPrefix.size());
  return wholeNumber("rounds", otherwise);
}

std::vector<std::string>
CommandLine::texts(std::span<const char *const> otherwise) {
  if (left() == 0)
    return {otherwise.begin(), otherwise.end()};
  std::vector<std::string> rest(arguments.begin() + next, arguments.end());
  next = arguments.size();
  return rest;
}

std::vector<Problem>
CommandLine::problems(std::span<const char *const> otherwise) {
  const std::vector<std::string> words = texts(otherwise);
  if (!words.empty() && DataTypes::parse(words.back())) {
    refuse("'" + words.back() +
           "' is for problems after it, and there is none");
    return {};
  }
  std::vector<Problem> problems;
  DataTypes types;
  for (const std::string &text : words) {
    if (auto named = DataTypes::parse(text)) {
      types = *named;
      continue;
    }
    Expected<Problem> problem = readProblem(text, types);
    if (!problem) {
      end(fail(problem.error()));
      return {};
    }
    problems.push_back(std::move(*problem));
  }
  return problems;
}

} // namespace lintel::bench
