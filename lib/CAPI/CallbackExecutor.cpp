// An embedder's thread pool behind a C callback.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CAPI/CallbackExecutor.h"

namespace lintel::capi {
namespace {

class CallbackExecutor final : public Executor {
public:
  CallbackExecutor(lintel_executor callback, void *user)
      : callback(callback), user(user) {}
  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    callback(user, maxThreads, body, context);
  }

private:
  lintel_executor callback;
  void *user;
};

} // namespace

std::shared_ptr<Executor> callbackExecutor(lintel_executor callback,
                                           void *user) {
  return std::make_shared<CallbackExecutor>(callback, user);
}

} // namespace lintel::capi
