// The layers of this process, each compiled once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/LayerTable.h"

#include "Engine/WithoutThrowing.h"

#include <optional>
#include <utility>

namespace lintel {
namespace {

constexpr const char *kDoing = "compiling failed";

std::shared_future<LayerTable::Result> ready(LayerTable::Result result) {
  std::promise<LayerTable::Result> promise;
  promise.set_value(std::move(result));
  return promise.get_future().share();
}

bool isReady(const std::shared_future<LayerTable::Result> &made) {
  return made.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// What is there of `key`, none if its maker ended without an answer.
std::optional<LayerTable::Result>
answerOf(const std::shared_future<LayerTable::Result> &made) {
  try {
    return made.get();
  } catch (const std::future_error &) {
    return std::nullopt;
  }
}

} // namespace

std::string nameOfPinned(const std::string &key, const Schedule &schedule) {
  return key + "\nschedule " + schedule.text();
}

std::string nameOfAllThreads(const std::string &key) {
  return key + "\nof all threads";
}

/// The right to make the layer of a key, and the duty to give the key back
/// where nothing comes of it, memory that ran out included.
class LayerTable::Claim {
public:
  Claim(LayerTable &table, const std::string &key) : table(table), key(key) {}
  Claim(const Claim &) = delete;
  Claim &operator=(const Claim &) = delete;
  ~Claim() {
    if (open)
      giveUp();
  }
  void settle() { open = false; }
  void giveUp() {
    settle();
    table.forgetUnmade(key);
  }

private:
  LayerTable &table;
  const std::string &key;
  bool open = true;
};

/// Those who still wait have the future themselves. A layer that replace() put
/// there meanwhile stays.
void LayerTable::forgetUnmade(const std::string &key) {
  std::lock_guard lock(mutex);
  const auto position = layers.find(key);
  if (position != layers.end() && !isReady(position->second))
    layers.erase(position);
}

LayerTable::Found LayerTable::findOrMake(const std::string &key,
                                         const Make &make, const Stop &stop) {
  std::promise<Result> promise;
  const std::shared_future<Result> own = promise.get_future().share();
  for (;;) {
    std::shared_future<Result> other;
    {
      std::lock_guard lock(mutex);
      auto [position, isFirst] = layers.try_emplace(key, own);
      if (isFirst)
        break;
      other = position->second;
    }
    while (other.wait_for(kPatience) == std::future_status::timeout) {
      const Expected<bool> stopped = withoutThrowing(
          kDoing, [&]() -> Expected<bool> { return stop && stop(); });
      if (!stopped)
        return {stopped.error(), false};
      if (*stopped)
        return {Error(ErrorCode::cancelled,
                      "interrupted while another thread compiled the layer"),
                false};
    }
    std::optional<Result> result = answerOf(other);
    if (result && (*result || result->error().code() != ErrorCode::cancelled))
      return {std::move(*result), false};
  }

  Claim claim(*this, key);
  bool threw = false;
  Result result = withoutThrowing(kDoing, [&] {
    try {
      return make();
    } catch (...) {
      threw = true;
      throw;
    }
  });
  if (!result)
    claim.giveUp(); // before anyone hears of the failure and asks again
  // Callbacks are the caller's own: those who wait see a promise that is given
  // up, and make the layer themselves.
  if (threw)
    return {std::move(result), true};
  promise.set_value(result);
  claim.settle();
  return {std::move(result), true};
}

std::shared_ptr<const CompiledLayer> LayerTable::find(const std::string &key) {
  std::shared_future<Result> made;
  {
    std::lock_guard lock(mutex);
    if (const auto position = layers.find(key); position != layers.end())
      made = position->second;
  }
  if (!made.valid() || !isReady(made))
    return nullptr;
  std::optional<Result> result = answerOf(made);
  return result && *result ? **result : nullptr;
}

LayerTable::Result LayerTable::replace(const std::string &key,
                                       const Make &make) {
  Result result = withoutThrowing(kDoing, make);
  if (result) {
    std::lock_guard lock(mutex);
    layers.insert_or_assign(key, ready(result));
  }
  return result;
}

} // namespace lintel
