// Who must not call an engine: callbacks, and children of a fork meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <atomic>
#include <cstdint>

namespace lintel {

/// Counts the public calls that hold locks of an engine. In a forked child,
/// where the threads that made them do not exist, such a lock would be waited
/// for in vain, as it would by the thread that holds it. Thread-safe, and free
/// of locks itself.
class CallsUnderWay {
  /// A call in the list of the thread that made it. Not on that thread's stack,
  /// since an executor of fibers may end the call on another one: then the list
  /// keeps a frame that is of no call any more.
  struct Frame {
    std::atomic<const CallsUnderWay *> calls; ///< null: over
    Frame *outer;
  };
  static Frame *&innermostOfThread();
  bool isCalledByThread() const;

public:
  /// While one lives that is permitted, a call is under way.
  class Call {
  public:
    explicit Call(CallsUnderWay &calls);
    ~Call();
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    /// An error where, when this process was forked, calls of its parent were
    /// under way (unsupported), and where this thread is in such a call, whose
    /// callback this is one of (invalidArgument).
    const Status &permitted() const { return permission; }
    /// Whether it is not for being in such a call.
    bool isOfCallback() const { return ofCallback; }

  private:
    CallsUnderWay *calls = nullptr; ///< null: not permitted
    Frame *frame = nullptr;         ///< null, too, without memory for it
    bool ofCallback = false;
    Status permission;
  };

private:
  bool enter();
  void leave() { --state; }

  /// The process that counts, in the upper half, and its calls.
  std::atomic<uint64_t> state = 0;
};

} // namespace lintel
