// What the logger says in a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Runtime/Log.h"

#include <spdlog/sinks/ostream_sink.h>

#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace lintel {

/// Says nothing on stderr meanwhile.
class CapturedLog {
public:
  CapturedLog() {
    saved.swap(logger()->sinks());
    logger()->sinks().push_back(
        std::make_shared<spdlog::sinks::ostream_sink_mt>(stream));
  }
  CapturedLog(const CapturedLog &) = delete;
  CapturedLog &operator=(const CapturedLog &) = delete;
  ~CapturedLog() { saved.swap(logger()->sinks()); }

  /// How often the text was said.
  size_t count(const std::string &text) const {
    const std::string all = stream.str();
    size_t times = 0;
    for (size_t at = all.find(text); at != std::string::npos;
         at = all.find(text, at + 1))
      ++times;
    return times;
  }

private:
  std::ostringstream stream;
  std::vector<spdlog::sink_ptr> saved;
};

} // namespace lintel
