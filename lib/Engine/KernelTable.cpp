// The kernels of this process, each compiled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/KernelTable.h"

#include <exception>
#include <utility>

namespace lintel {
namespace {

/// Those who wait must get an answer even when `make` throws.
KernelTable::Result runMake(const KernelTable::Make &make) {
  try {
    return make();
  } catch (const std::exception &exception) {
    return Error(ErrorCode::internal,
                 std::string("compiling failed: ") + exception.what());
  }
}

std::shared_future<KernelTable::Result> ready(KernelTable::Result result) {
  std::promise<KernelTable::Result> promise;
  promise.set_value(std::move(result));
  return promise.get_future().share();
}

} // namespace

KernelTable::Found KernelTable::findOrMake(const std::string &key,
                                           const Make &make) {
  std::promise<Result> promise;
  for (;;) {
    std::shared_future<Result> other;
    {
      std::lock_guard lock(mutex);
      auto [position, isFirst] = kernels.try_emplace(key);
      if (isFirst) {
        position->second = promise.get_future().share();
        break;
      }
      other = position->second;
    }
    Result result = other.get();
    if (result || result.error().code() != ErrorCode::cancelled)
      return {std::move(result), false};
  }

  Result result = runMake(make);
  if (!result) {
    std::lock_guard lock(mutex);
    kernels.erase(key);
  }
  promise.set_value(result);
  return {std::move(result), true};
}

KernelTable::Result KernelTable::replace(const std::string &key,
                                         const Make &make) {
  Result result = runMake(make);
  if (result) {
    std::lock_guard lock(mutex);
    kernels.insert_or_assign(key, ready(result));
  }
  return result;
}

} // namespace lintel
