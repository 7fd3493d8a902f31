// Reading and checking environment variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Environment.h"

#include "Basics/ClosestName.h"
#include "Basics/MessageText.h"
#include "Runtime/Log.h"
#include "Runtime/PrintableText.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <mutex>

#include <sys/auxv.h>
#include <unistd.h>

namespace lintel {
namespace {

constexpr std::string_view kPrefix = "LINTEL_";
constexpr const char *kCacheDir = "LINTEL_CACHE_DIR";
constexpr const char *kLog = "LINTEL_LOG";
constexpr const char *kIsa = "LINTEL_ISA";
constexpr const char *kEmulateAmx = "LINTEL_EMULATE_AMX";
constexpr const char *kThreads = "LINTEL_THREADS";
constexpr std::string_view kNames[] = {kCacheDir, kLog, kIsa, kEmulateAmx,
                                       kThreads};

/// Empty if the variable is not set, or the process is privileged and must not
/// trust its environment.
std::string_view variable(const char *name) {
  const char *value = secure_getenv(name);
  return value ? value : "";
}

/// The start of a value, fit for one line of a message.
std::string quoted(std::string_view value) {
  return onOneLine(shortened(value));
}

Error badValue(std::string_view name, std::string_view value,
               std::string_view takes) {
  return Error(ErrorCode::invalidArgument, std::string(name) + "=" +
                                               quoted(value) + ": must be " +
                                               std::string(takes));
}

bool isAbsolutePath(std::string_view path) {
  return path.starts_with('/') && path.size() < PATH_MAX &&
         path.find('\0') == std::string_view::npos;
}

std::string absoluteOrNothing(std::string_view path) {
  return isAbsolutePath(path) ? std::string(path) : "";
}

Status readCacheDirectory(Environment &environment) {
  std::string_view value = variable(kCacheDir);
  if (value.empty())
    return {};
  if (Status usable = checkCacheDirectory(kCacheDir, value); !usable)
    return usable;
  environment.cacheDirectory = std::string(value);
  return {};
}

Status readLogLevel(Environment &environment) {
  const std::string_view value = variable(kLog);
  if (value.empty())
    return {};
  const std::optional<LogLevel> level = parseLogLevel(value);
  if (!level)
    return badValue(kLog, value, logLevelNames());
  environment.logLevel = *level;
  return {};
}

Status readIsaCap(Environment &environment) {
  const std::string_view value = variable(kIsa);
  if (value.empty())
    return {};
  Expected<IsaLevel> isa = parseIsaLevel(value);
  if (!isa)
    return badValue(kIsa, value, isaLevelNames());
  environment.isaCap = *isa;
  return {};
}

Status readEmulateAmx(Environment &environment) {
  const std::string_view value = variable(kEmulateAmx);
  if (!value.empty() && value != "0" && value != "1")
    return badValue(kEmulateAmx, value, "0 or 1");
  environment.emulateAmx = value == "1";
  return {};
}

Status readThreads(Environment &environment) {
  std::string_view value = variable(kThreads);
  if (value.empty())
    return {};
  environment.threads = parseThreads(value);
  if (!environment.threads)
    return badValue(kThreads, value,
                    "a whole number from 1 to " + std::to_string(kMaxThreads));
  return {};
}

} // namespace

std::optional<int> parseThreads(std::string_view text) {
  int threads = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, threads);
  if (error != std::errc() || rest != end || threads < 1 ||
      threads > kMaxThreads)
    return std::nullopt;
  return threads;
}

Status checkCacheDirectory(std::string_view name, std::string_view path) {
  if (isAbsolutePath(path))
    return {};
  return badValue(name, path,
                  "an absolute path of less than " + std::to_string(PATH_MAX) +
                      " bytes, none of them NUL");
}

std::vector<std::string> strayVariables() {
  std::vector<std::string> sentences;
  if (getauxval(AT_SECURE))
    return sentences;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view definition = *entry;
    const std::string_view name = definition.substr(0, definition.find('='));
    if (!name.starts_with(kPrefix) ||
        std::find(std::begin(kNames), std::end(kNames), name) !=
            std::end(kNames))
      continue;
    const std::string_view meant = closestName(name, kNames, kPrefix.size());
    sentences.push_back(
        "the environment variable " + quoted(name) +
        " is not one of Lintel's and has no effect" +
        (meant.empty() ? "" : "; was " + std::string(meant) + " meant?"));
  }
  return sentences;
}

void warnOfStrayVariables() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const std::string &sentence : strayVariables())
      logMessage(LogLevel::warn, "{}", sentence);
  });
}

Expected<Environment> Environment::read() {
  Environment environment;
  for (auto readOne : {readCacheDirectory, readLogLevel, readIsaCap,
                       readEmulateAmx, readThreads})
    if (Status status = readOne(environment); !status)
      return status.error();
  // Not ours to complain about: the XDG rules say to ignore what is not
  // absolute.
  environment.xdgCacheHome = absoluteOrNothing(variable("XDG_CACHE_HOME"));
  environment.home = absoluteOrNothing(variable("HOME"));
  return environment;
}

std::string cacheDirectory(const Environment &environment) {
  if (environment.cacheDirectory)
    return *environment.cacheDirectory;
  if (!environment.xdgCacheHome.empty())
    return environment.xdgCacheHome + "/lintel";
  if (!environment.home.empty())
    return environment.home + "/.cache/lintel";
  return "";
}

} // namespace lintel
