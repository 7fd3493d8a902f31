// The logger and its sink.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/Log.h"

#include "Basics/MessageText.h"
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
#include <utility>
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

LogLevel levelOf(spdlog::level::level_enum level) {
  const auto *found = std::ranges::find(kLevels, level, &LevelName::level);
  return found != std::end(kLevels)
             ? static_cast<LogLevel>(found - kLevels)
             : LogLevel::error; // spdlog's "critical", which Lintel has not
}

std::string_view nameOf(LogLevel level) {
  return kLevels[static_cast<int>(level)].name;
}

/// Part of the process's logger, as its level is.
std::atomic<bool> overwrites = false;

/// Never freed: a thread may be in it, or about to be. Each holds the one
/// before, so that checkers of leaks find them.
struct Receiver {
  LogReceiver receive; ///< empty: stderr
  const Receiver *before;
};
std::atomic<const Receiver *> lastReceiver = nullptr;
/// Whether this thread is in a receiver, which may not be called from itself.
thread_local bool receives = false;

/// Whether there was somebody to receive the message.
bool wasReceived(LogLevel level, std::string_view message) {
  const Receiver *current = lastReceiver;
  if (!current || !current->receive || receives)
    return false;
  receives = true;
  try {
    current->receive(level, message);
  } catch (...) { // as what stderr does not take
  }
  receives = false;
  return true;
}

void writeToStderr(LogLevel level, std::string_view message) {
  spdlog::memory_buf_t line;
  fmt::format_to(std::back_inserter(line), "{}[lintel] [{}] ",
                 overwrites ? "\033[K" : "", nameOf(level));
  line.append(message);
  line.push_back('\n');
  const WriteSignals taken;
  (void)writeWhole(STDERR_FILENO, std::as_bytes(std::span(line)));
}

/// One write a line. No lock: spdlog's own sinks take a mutex, which a fork
/// could leave locked in the child for ever. What cannot be written is lost.
/// Messages quote paths and texts of others, none of which may pass for a line
/// of its own.
class ProcessSink final : public spdlog::sinks::sink {
public:
  void log(const spdlog::details::log_msg &message) override {
    const LogLevel level = levelOf(message.level);
    const std::string line =
        onOneLine({message.payload.data(), message.payload.size()});
    if (!wasReceived(level, line))
      writeToStderr(level, line);
  }
  void flush() override {}
  void set_pattern(const std::string &) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}
};

std::shared_ptr<spdlog::logger> makeLogger() {
  auto created = std::make_shared<spdlog::logger>(
      "lintel", std::make_shared<ProcessSink>());
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

// Before there are threads: a fork while one of them makes it would leave it
// half made in the child, which would wait for the rest for ever.
[[maybe_unused]] static const bool madeAtLoading = logger() != nullptr;

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

void setLogReceiver(LogReceiver receiver) {
  auto *made = new Receiver{std::move(receiver), lastReceiver};
  while (!lastReceiver.compare_exchange_weak(made->before, made)) {
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
