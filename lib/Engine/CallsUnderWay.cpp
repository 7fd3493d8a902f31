// Who must not call an engine: callbacks, and children of a fork meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/CallsUnderWay.h"

#include <unistd.h>
#include <utility>

namespace lintel {
namespace {

Error forkedMeanwhile() {
  return Error(ErrorCode::unsupported,
               "this process was forked while the engine was compiling or "
               "measuring, and what that held stays locked here; create "
               "another engine, or fork at another time");
}

Error calledBack() {
  return Error(ErrorCode::invalidArgument,
               "the engine was called by a callback of a call to it (stop, "
               "progress, an executor, or a task that one took up while it "
               "waited), which it would wait for without end; make the call "
               "after that one, or on another thread");
}

/// The call that this thread is in.
thread_local constinit const CallsUnderWay::Call *innermost = nullptr;

} // namespace

CallsUnderWay::Call::Call(CallsUnderWay &calls) {
  if (!calls.enter()) {
    permission = forkedMeanwhile();
    return;
  }
  if (isInside(calls)) {
    calls.leave();
    permission = calledBack();
    return;
  }
  this->calls = &calls;
  outer = std::exchange(innermost, this);
}

CallsUnderWay::Call::~Call() {
  if (!calls)
    return;
  innermost = outer;
  calls->leave();
}

bool CallsUnderWay::Call::isInside(const CallsUnderWay &calls) const {
  for (const Call *call = innermost; call; call = call->outer)
    if (call->calls == &calls)
      return true;
  return false;
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
