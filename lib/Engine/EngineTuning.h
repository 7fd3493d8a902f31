// What a race left behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Engine/EngineImpl.h"

namespace lintel {

/// A kernel's finished race and the report on it.
struct Engine::Impl::Tuned {
  TuningResult result;
  TuningReport report;
  double peakGflops = 0; ///< the run's own
  /// Of the engine's threads, how many the executor ran parts on.
  int threadsSeen = 0;
};

} // namespace lintel
