// The C struct every generated kernel takes: the meaning of lintel.kernel_arg.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace lintel {

/// Raised whenever the layout or the meaning of KernelArgs changes. Part of the
/// cache key, so that an old object never meets a new struct.
inline constexpr uint32_t kKernelAbiVersion = 4;

/// No kernel is called with an nthreads above this, and no executor asked for
/// more parts.
inline constexpr int32_t kMaxThreads = 1024;

/// One output or epilogue operand. `stride` is the distance between rows in
/// elements; it is ignored for scalar and column operands, and is the distance
/// between the elements of a row operand.
struct KernelTensor {
  void *data;
  int64_t stride;
};

/// Arguments of `void kernel(const KernelArgs *, int32_t tid, int32_t
/// nthreads)`.
///
/// The kernel divides its work into gridM x gridN chunks; thread `tid` takes
/// the chunks tid, tid + nthreads, ... so it is right for any nthreads >= 1.
///
/// A kernel whose threads share K (Depth::sliced) is called for two phases, the
/// second when every part of the first has returned; each has an nthreads of
/// its own. Phase 0 deals out gridM x gridN x gridK chunks, fewer than 2^32,
/// and leaves the sums of each slice of K in `partials`; phase 1 deals out
/// tiles, adds up the slices and applies the epilogue. Other kernels look at
/// neither `phase`, `gridK` nor `partials`.
///
/// What only changes loop bounds is an argument here; what changes the
/// instruction sequence is compiled in (docs/architecture.md, "What is compiled
/// in").
struct KernelArgs {
  uint32_t structSize; ///< sizeof(KernelArgs)
  uint32_t abiVersion; ///< kKernelAbiVersion
  const void *x;       ///< activations [m, K], row-major
  int64_t ldx;         ///< elements between rows of x
  const void *w;       ///< packed weight, 64-byte aligned
  int64_t m;           ///< rows of x and of every output; >= 0

  // Blocking. Each is at least 1.
  int64_t mc;         ///< rows of one M block: whole strips, at least one
  int64_t nc;         ///< columns of one N block: whole panels, at least one
  int64_t kc;         ///< depth of one K block; of packed x whole groups
  int64_t gridM;      ///< chunks along M
  int64_t gridN;      ///< chunks along N
  int64_t gridK;      ///< slices of K
  int64_t phase;      ///< 0: sums of slices, 1: add them up and finish
  int64_t blockOrder; ///< 0: M blocks outermost, 1: N blocks outermost
  int64_t tileOrder;  ///< inside a block: 0: strips outer, 1: panels outer

  /// Thread t of the call owns workspaceStride bytes at workspace + t *
  /// workspaceStride, 64-byte aligned. A call for one thread of many has that
  /// one's alone, and no other address means anything.
  void *workspace;
  int64_t workspaceStride;
  /// Of all threads, 64-byte aligned: [slice][strip][panel][mr][nr] sums, on
  /// tile registers [slice][strip][panel][nr / 16][mr][16].
  void *partials;

  const KernelTensor *outputs;  ///< one per result of lintel.linear
  const KernelTensor *operands; ///< one per epilogue operand

  // Of integers; null where the kernel asks for neither.
  const int32_t *columnSums; ///< sum_k w[n, k], for n of whole panels
  const int32_t *rowSums;    ///< sum_k x[m, k]

  /// 1: the call is for one chunk, and the last one in this workspace was of
  /// the same rows of this x. What it left packed need not be packed again.
  int64_t sameRows;
};

using KernelFunction = void (*)(const KernelArgs *args, int32_t tid,
                                int32_t nthreads);

} // namespace lintel
