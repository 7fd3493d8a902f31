// Another sink in the place of the logger's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/CapturedLog.h"

#include "Runtime/Logger.h"

#include <spdlog/sinks/ostream_sink.h>

#include <sstream>
#include <vector>

namespace lintel {

struct CapturedLog::Sinks {
  std::ostringstream stream;
  std::vector<spdlog::sink_ptr> saved;
};

CapturedLog::CapturedLog() : sinks(std::make_unique<Sinks>()) {
  sinks->saved.swap(logger()->sinks());
  logger()->sinks().push_back(
      std::make_shared<spdlog::sinks::ostream_sink_mt>(sinks->stream));
}

CapturedLog::~CapturedLog() { sinks->saved.swap(logger()->sinks()); }

size_t CapturedLog::count(const std::string &text) const {
  const std::string all = sinks->stream.str();
  size_t times = 0;
  for (size_t at = all.find(text); at != std::string::npos;
       at = all.find(text, at + 1))
    ++times;
  return times;
}

} // namespace lintel
