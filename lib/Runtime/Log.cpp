// The logger and its sink.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Log.h"

#include "Lintel/FieldText.h"
#include "Runtime/Logger.h"
#include "Runtime/PrintableText.h"
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
#include <vector>

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
    line.append(onOneLine({message.payload.data(), message.payload.size()}));
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

std::optional<LogLevel> parseLogLevel(std::string_view level) {
  const auto *found = std::ranges::find(kLevels, level, &LevelName::name);
  return found != std::end(kLevels)
             ? std::optional(static_cast<LogLevel>(found - kLevels))
             : std::nullopt;
}

std::string logLevelNames() {
  std::vector<std::string_view> names;
  for (const LevelName &level : kLevels)
    names.push_back(level.name);
  return listOf(names, "or");
}

void setLogLevel(LogLevel level) { logger()->set_level(spdlogLevel(level)); }

} // namespace lintel
