// The floating-point environment of whoever calls, put aside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cfenv>

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

} // namespace lintel
