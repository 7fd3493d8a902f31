// Every peak of the machine, measured side by side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/Target.h"
#include "Target/MachinePeaks.h"
#include "lintel/Error.h"
#include "lintel/Executor.h"

#include <span>
#include <vector>

namespace lintel {

/// How many short samples of each quantity a survey takes, in rounds that go
/// over all of them: a disturbance hits one sample of each and not all of one.
enum class SurveyRounds : int { glance = 9, thorough = 31 };

/// The peaks of each of these numbers of the executor's threads. A thorough
/// survey takes some seconds.
Expected<std::vector<ThreadPeaks>> surveyPeaks(Executor &executor,
                                               const Target &target,
                                               std::span<const int> threads,
                                               SurveyRounds rounds);

} // namespace lintel
