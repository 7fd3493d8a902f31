// Work on a few threads of our own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>

namespace lintel {

/// Calls work(worker, item) once for each item in [0, items), on up to
/// `workers` threads, lower items first; worker 0 is the caller. Returns when
/// all is done. Does with fewer threads when the system grants no more.
void runOnWorkers(size_t workers, size_t items,
                  const std::function<void(size_t worker, size_t item)> &work);

} // namespace lintel
