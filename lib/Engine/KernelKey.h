// The identity of a tuned kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/Cache.h"
#include "Lintel/Target.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lintel {

/// Whose threads kernels are tuned on. Those of an embedder's pool wake, share
/// caches and are bound in other ways than OpenMP's, so that others win.
enum class ExecutorKind {
  none, ///< one thread, the caller's
  openMP,
  callers
};

/// Everything a tuned kernel depends on. Two equal identities may share one
/// object; a difference in any field makes another cache entry.
struct KernelIdentity {
  Problem problem;
  Target target;
  /// For a layer with buckets, the rows that its packed weight is laid out for.
  std::vector<int64_t> mix = {};
  int threads = 1;
  ExecutorKind executor = ExecutorKind::openMP;
  std::string codegenVersion;
  uint32_t kernelAbiVersion = 0;

  /// Named fields in a fixed order, the content of the cache key.
  std::vector<std::pair<std::string, std::string>> fields() const;
};

/// The key under which the kernel is stored on disk and in memory.
CacheKey kernelKey(const KernelIdentity &identity);
/// The mix in the text of such a key, as in "1,16,512"; empty for a kernel that
/// is a layer by itself, and for the text of another key.
std::string_view mixOfKeyText(std::string_view text);
/// Whether this build may find what has a key of that text, as far as the code
/// generator goes: each change of it makes other keys.
bool isKeyTextOfThisBuild(std::string_view text);
/// What the keys of all kernels of one layer with buckets have in common, from
/// the text of one; empty for a kernel that is a layer by itself, and for the
/// text of another key.
std::string layerOfKeyText(std::string_view text);

} // namespace lintel
