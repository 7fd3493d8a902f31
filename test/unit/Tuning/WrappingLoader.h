// Kernels that run by way of a test's own function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "JIT/Loader.h"
#include "Runtime/Clock.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

namespace lintel {

/// A kernel behind a wrapper, and the call that is to be made of it.
struct WrappedCall {
  size_t number; ///< of the kernel, as it was loaded
  KernelFunction original;
  const KernelArgs *args;
  int32_t tid, nthreads;
  void run() const { original(args, tid, nthreads); }
};

/// Makes a call take so much longer.
inline void spend(double milliseconds) {
  const Clock::time_point start = Clock::now();
  while (millisecondsSince(start) < milliseconds)
    ;
}

/// Loads what it is given, but leaves calls of the first `count` kernels to
/// `around`. One of a kind at a time: a kernel is a plain function, and has
/// nowhere else to keep what is behind it.
template <void (*around)(const WrappedCall &)>
class WrappingLoader : public Loader {
public:
  static constexpr size_t kMost = 96;

  explicit WrappingLoader(size_t count = kMost) : count(count) {}
  ~WrappingLoader() override { originals.fill(nullptr); }

  Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) override {
    auto kernel = real->load(object, symbol);
    const std::lock_guard lock(mutex);
    if (!kernel || loaded == count)
      return kernel;
    originals[loaded] = *kernel;
    return std::shared_ptr<const Kernel>(
        std::make_shared<WrappedKernel>(loaded++));
  }

  static bool wraps(const Kernel &kernel) {
    return std::ranges::find(kFunctions, kernel.function()) != kFunctions.end();
  }

private:
  static inline std::array<std::shared_ptr<const Kernel>, kMost> originals;

  template <size_t i>
  static void wrapped(const KernelArgs *args, int32_t tid, int32_t nthreads) {
    around({i, originals[i]->function(), args, tid, nthreads});
  }

  template <size_t... i>
  static constexpr std::array<KernelFunction, kMost>
  functions(std::index_sequence<i...>) {
    return {wrapped<i>...};
  }
  static constexpr std::array<KernelFunction, kMost> kFunctions =
      functions(std::make_index_sequence<kMost>());

  struct WrappedKernel : Kernel {
    explicit WrappedKernel(size_t i) { entry = kFunctions[i]; }
  };

  std::shared_ptr<Loader> real = Loader::create().value();
  std::mutex mutex;
  size_t count, loaded = 0;
};

} // namespace lintel
