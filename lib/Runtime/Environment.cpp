// Reading and checking environment variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Environment.h"

#include "Runtime/Log.h"

#include <charconv>
#include <climits>
#include <cstdlib>
#include <string_view>

namespace lintel {
namespace {

/// Empty if the variable is not set, or the process is privileged and must not
/// trust its environment.
std::string_view variable(const char *name) {
  const char *value = secure_getenv(name);
  return value ? value : "";
}

/// The start of a value, fit for one line of a message.
std::string shown(std::string_view value) {
  constexpr size_t kShownCharacters = 80;
  std::string text;
  for (char c : value.substr(0, kShownCharacters))
    text += c >= ' ' && c <= '~' ? c : '?';
  return value.size() > kShownCharacters ? text + "..." : text;
}

Error badValue(const char *name, std::string_view value,
               std::string_view takes) {
  return Error(ErrorCode::invalidArgument, std::string(name) + "=" +
                                               shown(value) + ": must be " +
                                               std::string(takes));
}

bool isAbsolutePath(std::string_view path) {
  return path.starts_with('/') && path.size() < PATH_MAX;
}

std::string absoluteOrNothing(std::string_view path) {
  return isAbsolutePath(path) ? std::string(path) : "";
}

Status readCacheDirectory(Environment &environment) {
  constexpr const char *kName = "LINTEL_CACHE_DIR";
  std::string_view value = variable(kName);
  if (value.empty())
    return {};
  if (!isAbsolutePath(value))
    return badValue(kName, value,
                    "an absolute path of less than " +
                        std::to_string(PATH_MAX) + " bytes");
  environment.cacheDirectory = std::string(value);
  return {};
}

Status readLogLevel(Environment &environment) {
  constexpr const char *kName = "LINTEL_LOG";
  const std::string_view value = variable(kName);
  if (value.empty())
    return {};
  if (!parseLogLevel(value))
    return badValue(kName, value, "trace, debug, info, warn, error or off");
  environment.logLevel = std::string(value);
  return {};
}

Status readIsaCap(Environment &environment) {
  constexpr const char *kName = "LINTEL_ISA";
  const std::string_view value = variable(kName);
  if (value.empty())
    return {};
  Expected<IsaLevel> isa = parseIsaLevel(value);
  if (!isa)
    return badValue(kName, value, "x86_64, avx2 or avx512");
  environment.isaCap = *isa;
  return {};
}

Status readEmulateAmx(Environment &environment) {
  constexpr const char *kName = "LINTEL_EMULATE_AMX";
  const std::string_view value = variable(kName);
  if (!value.empty() && value != "0" && value != "1")
    return badValue(kName, value, "0 or 1");
  environment.emulateAmx = value == "1";
  return {};
}

Status readThreads(Environment &environment) {
  constexpr const char *kName = "LINTEL_THREADS";
  std::string_view value = variable(kName);
  if (value.empty())
    return {};
  int threads = 0;
  const char *end = value.data() + value.size();
  auto [rest, error] = std::from_chars(value.data(), end, threads);
  if (error != std::errc() || rest != end || threads < 1 ||
      threads > kMaxThreads)
    return badValue(kName, value,
                    "a whole number from 1 to " + std::to_string(kMaxThreads));
  environment.threads = threads;
  return {};
}

} // namespace

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
