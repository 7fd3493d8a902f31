// The layers of this process, each compiled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/LayerTable.h"

#include <chrono>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <utility>

namespace lintel {
namespace {

/// How long those who wait for another thread do so before they ask whether to
/// go on.
constexpr std::chrono::milliseconds kPatience{20};

/// Those who wait must get an answer even when `make` throws.
LayerTable::Result runMake(const LayerTable::Make &make) {
  try {
    return make();
  } catch (const std::bad_alloc &) {
    return Error(ErrorCode::internal, "compiling failed: out of memory");
  } catch (const std::exception &exception) {
    return Error(ErrorCode::internal,
                 std::string("compiling failed: ") + exception.what());
  } catch (abi::__forced_unwind &) {
    throw; // the thread is cancelled, which must not be stopped
  } catch (...) {
    return Error(ErrorCode::internal,
                 "compiling failed: an exception of unknown type");
  }
}

std::shared_future<LayerTable::Result> ready(LayerTable::Result result) {
  std::promise<LayerTable::Result> promise;
  promise.set_value(std::move(result));
  return promise.get_future().share();
}

} // namespace

LayerTable::Found LayerTable::findOrMake(const std::string &key,
                                         const Make &make, const Stop &stop) {
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
    while (other.wait_for(kPatience) == std::future_status::timeout)
      if (stop && stop())
        return {Error(ErrorCode::cancelled,
                      "interrupted while another thread compiled the layer"),
                false};
    Result result = other.get();
    if (result || result.error().code() != ErrorCode::cancelled)
      return {std::move(result), false};
  }

  // Those who wait get an answer, and the key is free, also if the thread ends
  // in here.
  struct Settlement {
    LayerTable &table;
    const std::string &key;
    std::promise<Result> &promise;
    Result result = Error(ErrorCode::internal,
                          "compiling failed: its thread was cancelled");
    ~Settlement() {
      if (!result) {
        std::lock_guard lock(table.mutex);
        table.layers.erase(key);
      }
      promise.set_value(result);
    }
  } settlement{*this, key, promise};
  settlement.result = runMake(make);
  return {settlement.result, true};
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
