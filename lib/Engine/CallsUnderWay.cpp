// Who must not call an engine: callbacks, and children of a fork meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/CallsUnderWay.h"

#include <new>
#include <unistd.h>

namespace lintel {
namespace {

Error forkedMeanwhile() {
  return Error(ErrorCode::unsupported,
               "this process was forked while the engine was compiling, "
               "measuring or freeing a layer, and what that held stays locked "
               "here; create another engine, or fork at another time");
}

Error calledBack() {
  return Error(ErrorCode::invalidArgument,
               "the engine was called by a callback of a call to it (stop, "
               "progress, an executor, or a task that one took up while it "
               "waited), which it would wait for without end; make the call "
               "after that one, or on another thread");
}

} // namespace

/// Not inlined, so that the thread is looked up anew: compilers take a function
/// to stay on one.
[[gnu::noinline]] CallsUnderWay::Frame *&CallsUnderWay::innermostOfThread() {
  static thread_local constinit Frame *innermost = nullptr;
  asm volatile("");
  return innermost;
}

bool CallsUnderWay::isCalledByThread() const {
  for (const Frame *frame = innermostOfThread(); frame; frame = frame->outer)
    if (frame->calls == this)
      return true;
  return false;
}

CallsUnderWay::Call::Call(CallsUnderWay &calls) {
  if (!calls.enter()) {
    permission = forkedMeanwhile();
    return;
  }
  if (calls.isCalledByThread()) {
    calls.leave();
    ofCallback = true;
    permission = calledBack();
    return;
  }
  this->calls = &calls;
  Frame *&innermost = innermostOfThread();
  frame = new (std::nothrow) Frame{&calls, innermost};
  if (frame)
    innermost = frame;
}

CallsUnderWay::Call::~Call() {
  if (!calls)
    return;
  calls->leave();
  if (!frame)
    return;
  frame->calls = nullptr;
  Frame *&innermost = innermostOfThread();
  if (innermost != frame)
    return; // another thread's, which may look at it at any time
  innermost = frame->outer;
  delete frame;
}

bool CallsUnderWay::enter() {
  constexpr int kBitsOfCount = 32;
  const auto process = static_cast<uint64_t>(::getpid());
  uint64_t known = state.load();
  for (;;) {
    const auto calls = static_cast<uint32_t>(known);
    const bool ofParent = known >> kBitsOfCount != process;
    if (ofParent && calls > 0)
      return false;
    if (state.compare_exchange_weak(known,
                                    (process << kBitsOfCount | calls) + 1))
      return true;
  }
}

} // namespace lintel
