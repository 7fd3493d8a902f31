// The layers of this process, each compiled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/LayerTable.h"

#include <exception>
#include <new>
#include <utility>

namespace lintel {
namespace {

/// Those who wait must get an answer even when `make` throws.
LayerTable::Result runMake(const LayerTable::Make &make) {
  try {
    return make();
  } catch (const std::bad_alloc &) {
    return Error(ErrorCode::internal, "compiling failed: out of memory");
  } catch (const std::exception &exception) {
    return Error(ErrorCode::internal,
                 std::string("compiling failed: ") + exception.what());
  }
}

std::shared_future<LayerTable::Result> ready(LayerTable::Result result) {
  std::promise<LayerTable::Result> promise;
  promise.set_value(std::move(result));
  return promise.get_future().share();
}

} // namespace

LayerTable::Found LayerTable::findOrMake(const std::string &key,
                                         const Make &make) {
  std::promise<Result> promise;
  for (;;) {
    std::shared_future<Result> other;
    {
      std::lock_guard lock(mutex);
      auto [position, isFirst] = layers.try_emplace(key);
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
    layers.erase(key);
  }
  promise.set_value(result);
  return {std::move(result), true};
}

LayerTable::Result LayerTable::replace(const std::string &key,
                                       const Make &make) {
  Result result = runMake(make);
  if (result) {
    std::lock_guard lock(mutex);
    layers.insert_or_assign(key, ready(result));
  }
  return result;
}

} // namespace lintel
