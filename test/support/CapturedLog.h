// What is logged in a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lintel {

/// Nothing is said on stderr meanwhile.
class CapturedLog {
public:
  CapturedLog();
  CapturedLog(const CapturedLog &) = delete;
  CapturedLog &operator=(const CapturedLog &) = delete;
  ~CapturedLog();

  /// How often the text was said.
  size_t count(const std::string &text) const;

private:
  struct Sinks;
  std::unique_ptr<Sinks> sinks;
};

} // namespace lintel
