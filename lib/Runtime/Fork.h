// What a forked child must not wait for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lintel {

/// Whether this process, or one that it descends from, was forked while other
/// threads ran in its parent. What those held stays locked here for ever: the
/// loader's lock for one, which libraries are opened and looked through under.
/// And threads that an OpenMP runtime keeps for its next region are gone, which
/// the runtime does not know. False where Lintel was loaded after the fork.
bool wasForkedBesideThreads();

} // namespace lintel
