// Where the library's log goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string_view>

namespace lintel {

/// From the most talkative; `off` is no message's.
enum class LogLevel { trace, debug, info, warn, error, off };

/// A message is one line of printable text, without an end of line; it is gone
/// when the call returns.
using LogReceiver = std::function<void(LogLevel level, std::string_view)>;

/// From now on the process's messages go to `receiver` and not to stderr; an
/// empty one gives stderr back. Which there are is up to LINTEL_LOG, as before.
/// Calls come on the thread that has something to say, in the middle of its
/// work, and from several threads at once: it must not call an engine or a
/// layer. What it throws is dropped, and what is said while it runs, on its
/// thread, goes to stderr. A thread may still be in an earlier receiver when
/// this returns, so receivers are kept until the process ends.
void setLogReceiver(LogReceiver receiver);

} // namespace lintel
