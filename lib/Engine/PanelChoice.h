// The choice of the one panel shape that all buckets of a layer share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Tuning/Tuner.h"
#include "lintel/Engine.h"

#include <vector>

namespace lintel {

/// The panel shapes of the candidates that were right and timed, best first: by
/// the mean, over races, of the best time with that panel over the best with
/// any. A panel that a race lacks counts as its slowest, and as no little
/// slower: the model that chose the candidates saw no hope in it. Each race has
/// a winner.
std::vector<PanelReport>
rankPanels(const std::vector<const TuningResult *> &races);

} // namespace lintel
