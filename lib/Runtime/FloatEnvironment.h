// The floating-point environment of whoever calls, put aside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cfenv>
#include <immintrin.h>

namespace lintel {

/// While one lives, the calling thread rounds to nearest, keeps denormals and
/// traps nothing, as compilers assume of any code. Then the caller's
/// environment is back, its flags included. Threads that begin meanwhile
/// inherit this one, those that exist keep theirs.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment() {
    std::fegetenv(&callers);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&callers); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment &) = delete;
  DefaultFloatEnvironment &operator=(const DefaultFloatEnvironment &) = delete;

private:
  std::fenv_t callers;
};

/// While one lives, the calling thread rounds to nearest, as the polynomials of
/// kernels need (sines are off by 0.7 otherwise), and traps nothing, as lanes
/// that nobody reads may hold anything. Its denormals are its own, and so are
/// its flags, those of kernels added. Where it does so anyway that costs a look
/// at the control register. Kernels never use the x87 unit.
class KernelFloatEnvironment {
public:
  KernelFloatEnvironment() : callers(_mm_getcsr()) {
    if ((callers & kControls) != kWanted)
      set(kWanted);
  }
  ~KernelFloatEnvironment() {
    if ((callers & kControls) != kWanted)
      set(callers & kControls);
  }
  KernelFloatEnvironment(const KernelFloatEnvironment &) = delete;
  KernelFloatEnvironment &operator=(const KernelFloatEnvironment &) = delete;

private:
  static constexpr unsigned kControls = _MM_ROUND_MASK | _MM_MASK_MASK;
  static constexpr unsigned kWanted = _MM_ROUND_NEAREST | _MM_MASK_MASK;

  static void set(unsigned controls) {
    _mm_setcsr((_mm_getcsr() & ~kControls) | controls);
  }

  const unsigned callers;
};

} // namespace lintel
