// Packing: a blocked transposition of [N, K] into [panels][K][panel].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/PackedWeight.h"

#include <algorithm>
#include <string>
#include <utility>
#include <xmmintrin.h>

namespace lintel {
namespace {

// Sixteen floats are one cache line: a block reads whole lines of w and writes
// whole lines of a panel.
constexpr int64_t kBlock = 16;
// Depth after which the next rows of a panel are taken: a slice of a 48-wide
// panel is 24 KiB then and stays in L1 while its lines fill up.
constexpr int64_t kSliceDepth = 128;

/// A piece of w [rows, depth] and where its transpose goes in a panel.
struct Piece {
  const float *from;
  int64_t fromStride; ///< elements between rows of w
  float *to;
  int64_t toStride; ///< the panel width
  int64_t rows;
  int64_t depth;
};

/// to[0..4)[0..4) = transpose of from[0..4)[0..4)
void transpose4x4(const float *from, int64_t fromStride, float *to,
                  int64_t toStride) {
  __m128 row0 = _mm_loadu_ps(from);
  __m128 row1 = _mm_loadu_ps(from + fromStride);
  __m128 row2 = _mm_loadu_ps(from + 2 * fromStride);
  __m128 row3 = _mm_loadu_ps(from + 3 * fromStride);
  _MM_TRANSPOSE4_PS(row0, row1, row2, row3);
  _mm_storeu_ps(to, row0);
  _mm_storeu_ps(to + toStride, row1);
  _mm_storeu_ps(to + 2 * toStride, row2);
  _mm_storeu_ps(to + 3 * toStride, row3);
}

void transposeScalar(const Piece &piece, int64_t rowBegin, int64_t rowEnd,
                     int64_t depthBegin, int64_t depthEnd) {
  for (int64_t k = depthBegin; k < depthEnd; ++k)
    for (int64_t row = rowBegin; row < rowEnd; ++row)
      piece.to[k * piece.toStride + row] =
          piece.from[row * piece.fromStride + k];
}

/// A piece of at most kBlock rows and columns.
void transposeBlock(const Piece &piece) {
  int64_t wholeRows = piece.rows / 4 * 4, wholeDepth = piece.depth / 4 * 4;
  for (int64_t k = 0; k < wholeDepth; k += 4)
    for (int64_t row = 0; row < wholeRows; row += 4)
      transpose4x4(piece.from + row * piece.fromStride + k, piece.fromStride,
                   piece.to + k * piece.toStride + row, piece.toStride);
  transposeScalar(piece, 0, wholeRows, wholeDepth, piece.depth);
  transposeScalar(piece, wholeRows, piece.rows, 0, piece.depth);
}

/// A whole panel; rows beyond `panel.rows` keep the zeros of the fresh buffer.
void packPanel(const Piece &panel) {
  for (int64_t slice = 0; slice < panel.depth; slice += kSliceDepth) {
    int64_t sliceEnd = std::min(slice + kSliceDepth, panel.depth);
    for (int64_t row = 0; row < panel.rows; row += kBlock)
      for (int64_t k = slice; k < sliceEnd; k += kBlock)
        transposeBlock({panel.from + row * panel.fromStride + k,
                        panel.fromStride, panel.to + k * panel.toStride + row,
                        panel.toStride, std::min(kBlock, panel.rows - row),
                        std::min(kBlock, sliceEnd - k)});
  }
}

/// A panel of dot products: row after row keeps `group` elements together.
void packGroups(const Piece &panel, int64_t group) {
  for (int64_t k = 0; k < panel.depth; k += group)
    for (int64_t row = 0; row < panel.rows; ++row)
      std::copy_n(panel.from + row * panel.fromStride + k,
                  std::min(group, panel.depth - k),
                  panel.to + k * panel.toStride + row * group);
}

Error badArgument(const std::string &message) {
  return Error(ErrorCode::invalidArgument, "pack: " + message);
}

/// Bytes of the packed form, or why there is none.
Expected<size_t> packedBytes(const PackedLayout &layout) {
  int64_t elements = 0, bytes = 0, rounded = 0;
  if (__builtin_add_overflow(layout.n, layout.panel - 1, &rounded) ||
      __builtin_add_overflow(layout.k, layout.group - 1, &rounded) ||
      __builtin_mul_overflow(layout.panels() * layout.panel,
                             layout.groups() * layout.group, &elements) ||
      __builtin_mul_overflow(elements, int64_t(byteSize(layout.dtype)), &bytes))
    return badArgument("a weight of " + std::to_string(layout.n) + " x " +
                       std::to_string(layout.k) + " in panels of " +
                       std::to_string(layout.panel) + " and groups of " +
                       std::to_string(layout.group) +
                       " does not fit in memory");
  return size_t(bytes);
}

Status checkArguments(const PackedLayout &layout, const void *w, int64_t ldw) {
  if (layout.n < 0 || layout.k < 0)
    return badArgument("n = " + std::to_string(layout.n) + " and k = " +
                       std::to_string(layout.k) + " must be at least 0");
  if (layout.panel < 1)
    return badArgument("the panel width is " + std::to_string(layout.panel) +
                       "; it must be at least 1");
  if (layout.group < 1)
    return badArgument("the group along k is " + std::to_string(layout.group) +
                       "; it must be at least 1");
  if (layout.n == 0 || layout.k == 0)
    return {};
  if (!w)
    return badArgument("the weight is a null pointer");
  if (ldw < layout.k)
    return badArgument("the row stride is " + std::to_string(ldw) +
                       "; it must be at least k = " + std::to_string(layout.k));
  int64_t last = 0;
  if (__builtin_mul_overflow(layout.n, ldw, &last) ||
      __builtin_mul_overflow(last, int64_t(byteSize(layout.dtype)), &last))
    return badArgument("rows of stride " + std::to_string(ldw) +
                       " do not fit in memory; the stride counts elements");
  return {};
}

} // namespace

Expected<PackedWeight> PackedWeight::pack(const PackedLayout &layout,
                                          const void *w, int64_t ldw) {
  if (Status status = checkArguments(layout, w, ldw); !status)
    return status.error();
  Expected<size_t> bytes = packedBytes(layout);
  if (!bytes)
    return bytes.error();
  Expected<AlignedBuffer> buffer = AlignedBuffer::allocateForStreaming(*bytes);
  if (!buffer)
    return buffer.error().in("pack");

  const float *source = static_cast<const float *>(w);
  float *packed = static_cast<float *>(buffer->data());
  if (layout.k > 0)
    for (int64_t panel = 0; panel < layout.panels(); ++panel) {
      int64_t firstRow = panel * layout.panel;
      const Piece piece{source + firstRow * ldw,
                        ldw,
                        packed + firstRow * layout.groups() * layout.group,
                        layout.panel,
                        std::min(layout.panel, layout.n - firstRow),
                        layout.k};
      if (layout.group == 1)
        packPanel(piece);
      else
        packGroups(piece, layout.group);
    }
  PackedWeight result;
  result.packedLayout = layout;
  result.buffer = std::move(*buffer);
  return result;
}

} // namespace lintel
