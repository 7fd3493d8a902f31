// Whether a process was forked in the middle of a compilation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <atomic>
#include <cstdint>

namespace lintel {

/// What a call answers that must not be made in a forked child.
Error forkedMeanwhile();

/// Counts the public calls that hold locks of an engine. In a forked child,
/// where the threads that made them do not exist, such a lock would be waited
/// for in vain. Thread-safe, and free of locks itself.
class CallsUnderWay {
public:
  /// While one lives, a call is under way.
  class Call {
  public:
    explicit Call(CallsUnderWay &calls)
        : calls(calls.enter() ? &calls : nullptr) {}
    ~Call() {
      if (calls)
        --calls->state;
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    /// False: when this process was forked, calls of its parent were under way.
    explicit operator bool() const { return calls != nullptr; }

  private:
    CallsUnderWay *calls;
  };

private:
  bool enter();

  /// The process that counts, in the upper half, and its calls.
  std::atomic<uint64_t> state = 0;
};

} // namespace lintel
