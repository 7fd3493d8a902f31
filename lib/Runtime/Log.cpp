// The logger and its sink.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Log.h"

#include "Runtime/ControlCharacters.h"
#include "Runtime/Logger.h"
#include "Runtime/WholeWrite.h"
#include "Runtime/WriteSignals.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <new>
#include <pthread.h>
#include <span>
#include <spdlog/sinks/sink.h>
#include <string>
#include <unistd.h>

namespace lintel {
namespace {

struct LevelName {
  std::string_view name;
  spdlog::level::level_enum level;
};
/// In the order of LogLevel.
constexpr LevelName kLevels[] = {
    {"trace", spdlog::level::trace}, {"debug", spdlog::level::debug},
    {"info", spdlog::level::info},   {"warn", spdlog::level::warn},
    {"error", spdlog::level::err},   {"off", spdlog::level::off},
};

spdlog::level::level_enum spdlogLevel(LogLevel level) {
  return kLevels[static_cast<int>(level)].level;
}

std::string_view nameOf(spdlog::level::level_enum level) {
  for (const LevelName &entry : kLevels)
    if (entry.level == level)
      return entry.name;
  return "error"; // spdlog's "critical", which Lintel does not use
}

/// Part of the process's logger, as its level is.
std::atomic<bool> overwrites = false;

/// One write a line. No state and no lock: spdlog's own sinks take a mutex,
/// which a fork could leave locked in the child for ever. What cannot be
/// written is lost. Messages quote paths and texts of others, none of which may
/// pass for a line of its own.
class StderrSink final : public spdlog::sinks::sink {
public:
  void log(const spdlog::details::log_msg &message) override {
    spdlog::memory_buf_t line;
    fmt::format_to(std::back_inserter(line), "{}[lintel] [{}] ",
                   overwrites ? "\033[K" : "", nameOf(message.level));
    std::ranges::replace_copy_if(message.payload, std::back_inserter(line),
                                 isControlCharacter, '?');
    line.push_back('\n');
    const WriteSignals taken;
    (void)writeWhole(STDERR_FILENO, std::as_bytes(std::span(line)));
  }
  void flush() override {}
  void set_pattern(const std::string &) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}
};

std::shared_ptr<spdlog::logger> makeLogger() {
  auto created = std::make_shared<spdlog::logger>(
      "lintel", std::make_shared<StderrSink>());
  created->set_level(spdlog::level::warn);
  return created;
}

} // namespace

std::shared_ptr<spdlog::logger> logger() {
  // Never destroyed: threads may log until the process is gone.
  static const auto *instance =
      new std::shared_ptr<spdlog::logger>(makeLogger());
  return *instance;
}

void writeLogMessage(LogLevel level, fmt::string_view text,
                     fmt::format_args arguments) noexcept {
  try {
    if (!logger()->should_log(spdlogLevel(level)))
      return;
    fmt::memory_buffer message;
    fmt::vformat_to(std::back_inserter(message), text, arguments);
    logger()->log(spdlogLevel(level),
                  spdlog::string_view_t(message.data(), message.size()));
  } catch (...) { // memory is out
    // Lost, as what stderr does not take.
  }
}

void overwriteLineWithLog(bool overwrite) { overwrites = overwrite; }

Expected<LogLevel> parseLogLevel(std::string_view level) {
  std::string known;
  for (size_t i = 0; i < std::size(kLevels); ++i) {
    if (kLevels[i].name == level)
      return static_cast<LogLevel>(i);
    known += (known.empty() ? "" : ", ") + std::string(kLevels[i].name);
  }
  return Error(ErrorCode::invalidArgument, "unknown log level \"" +
                                               std::string(level) +
                                               "\"; known: " + known);
}

Status setLogLevel(std::string_view level) {
  Expected<LogLevel> parsed = parseLogLevel(level);
  if (!parsed)
    return parsed.error();
  logger()->set_level(spdlogLevel(*parsed));
  return {};
}

} // namespace lintel
