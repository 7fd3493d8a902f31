// Kernels that do not run where a test says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Executor.h"

namespace lintel {

/// Runs parts on the calling thread, and none of a call after one that set
/// `isTired`: as where there is no memory for its workspaces.
class TiringExecutor : public Executor {
public:
  static inline bool isTired = false;

  void run(int32_t maxThreads, ParallelBody body, void *context) override {
    isTired = false;
    for (int32_t part = 0; part < maxThreads && !isTired; ++part)
      body(context, part, maxThreads);
  }
};

} // namespace lintel
