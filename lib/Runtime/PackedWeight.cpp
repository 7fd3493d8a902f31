// Packing: a blocked transposition of [N, K] into [panels][K][panel], where
// groups of K stay together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/PackedWeight.h"

#include "Lintel/Target.h"
#include "Runtime/AllParts.h"
#include "Runtime/ByteSums.h"
#include "Runtime/Dealer.h"
#include "Schedule/Partition.h"
#include "lintel/AddressSpace.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <emmintrin.h>

namespace lintel {
namespace {

// A block reads whole cache lines of w and writes whole lines of a panel.
constexpr int64_t kBlockBytes = Target::kLineBytes;
// Lanes of depth after which the next rows of a panel are taken: a slice of a
// 48-wide panel is 24 KiB then and stays in L1 while its lines fill up.
constexpr int64_t kSliceDepth = 128;

/// A piece of w and where its transpose goes in a panel. What is moved is
/// lanes: the elements of a group, which stay together.
struct Piece {
  const char *from;
  int64_t fromStride; ///< bytes between rows of w
  char *to;
  int64_t toStride; ///< bytes between the lanes of one row
  int64_t rows;
  int64_t depth; ///< in lanes
};

/// f32, pairs of bf16, quads of int8.
struct Lane32 {
  static constexpr int64_t kBytes = 4;
  static constexpr int64_t kSquare = 4;
  /// to[0..4)[0..4) = transpose of from[0..4)[0..4)
  static void transpose(const char *from, int64_t fromStride, char *to,
                        int64_t toStride) {
    const auto load = [&](int64_t row) {
      return _mm_loadu_ps(
          reinterpret_cast<const float *>(from + row * fromStride));
    };
    __m128 row0 = load(0), row1 = load(1), row2 = load(2), row3 = load(3);
    _MM_TRANSPOSE4_PS(row0, row1, row2, row3);
    _mm_storeu_ps(reinterpret_cast<float *>(to), row0);
    _mm_storeu_ps(reinterpret_cast<float *>(to + toStride), row1);
    _mm_storeu_ps(reinterpret_cast<float *>(to + 2 * toStride), row2);
    _mm_storeu_ps(reinterpret_cast<float *>(to + 3 * toStride), row3);
  }
};

/// f16, pairs of int8.
struct Lane16 {
  static constexpr int64_t kBytes = 2;
  static constexpr int64_t kSquare = 8;
  /// to[0..8)[0..8) = transpose of from[0..8)[0..8)
  static void transpose(const char *from, int64_t fromStride, char *to,
                        int64_t toStride) {
    __m128i a[8], b[8];
    for (int64_t i = 0; i < 8; ++i)
      a[i] = _mm_loadu_si128(
          reinterpret_cast<const __m128i *>(from + i * fromStride));
    // Pairs of rows, then of pairs, then of fours.
    for (int64_t i = 0; i < 4; ++i) {
      b[i] = _mm_unpacklo_epi16(a[2 * i], a[2 * i + 1]);
      b[i + 4] = _mm_unpackhi_epi16(a[2 * i], a[2 * i + 1]);
    }
    for (int64_t i = 0; i < 8; i += 4)
      for (int64_t j = 0; j < 2; ++j) {
        a[i + j] = _mm_unpacklo_epi32(b[i + 2 * j], b[i + 2 * j + 1]);
        a[i + j + 2] = _mm_unpackhi_epi32(b[i + 2 * j], b[i + 2 * j + 1]);
      }
    for (int64_t i = 0; i < 8; i += 2) {
      b[i] = _mm_unpacklo_epi64(a[i], a[i + 1]);
      b[i + 1] = _mm_unpackhi_epi64(a[i], a[i + 1]);
    }
    for (int64_t i = 0; i < 8; ++i)
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to + i * toStride), b[i]);
  }
};

template <class Lane>
void transposeLanes(const Piece &piece, int64_t rowBegin, int64_t rowEnd,
                    int64_t depthBegin, int64_t depthEnd) {
  for (int64_t k = depthBegin; k < depthEnd; ++k)
    for (int64_t row = rowBegin; row < rowEnd; ++row)
      std::memcpy(piece.to + k * piece.toStride + row * Lane::kBytes,
                  piece.from + row * piece.fromStride + k * Lane::kBytes,
                  Lane::kBytes);
}

/// A piece of at most a block's rows and depth.
template <class Lane> void transposeBlock(const Piece &piece) {
  constexpr int64_t kSquare = Lane::kSquare;
  int64_t wholeRows = piece.rows / kSquare * kSquare;
  int64_t wholeDepth = piece.depth / kSquare * kSquare;
  for (int64_t k = 0; k < wholeDepth; k += kSquare)
    for (int64_t row = 0; row < wholeRows; row += kSquare)
      Lane::transpose(piece.from + row * piece.fromStride + k * Lane::kBytes,
                      piece.fromStride,
                      piece.to + k * piece.toStride + row * Lane::kBytes,
                      piece.toStride);
  transposeLanes<Lane>(piece, 0, wholeRows, wholeDepth, piece.depth);
  transposeLanes<Lane>(piece, wholeRows, piece.rows, 0, piece.depth);
}

/// A whole panel; rows beyond `panel.rows` keep the zeros of the fresh buffer.
template <class Lane> void packPanel(const Piece &panel) {
  constexpr int64_t kBlock = kBlockBytes / Lane::kBytes;
  for (int64_t slice = 0; slice < panel.depth; slice += kSliceDepth) {
    int64_t sliceEnd = std::min(slice + kSliceDepth, panel.depth);
    for (int64_t row = 0; row < panel.rows; row += kBlock)
      for (int64_t k = slice; k < sliceEnd; k += kBlock)
        transposeBlock<Lane>(
            {panel.from + row * panel.fromStride + k * Lane::kBytes,
             panel.fromStride,
             panel.to + k * panel.toStride + row * Lane::kBytes, panel.toStride,
             std::min(kBlock, panel.rows - row),
             std::min(kBlock, sliceEnd - k)});
  }
}

/// A panel of dot products: lanes of any size.
void packGroups(const Piece &panel, int64_t laneBytes) {
  for (int64_t k = 0; k < panel.depth; ++k)
    for (int64_t row = 0; row < panel.rows; ++row)
      std::memcpy(panel.to + k * panel.toStride + row * laneBytes,
                  panel.from + row * panel.fromStride + k * laneBytes,
                  size_t(laneBytes));
}

/// The elements after the last whole lane; the rest of theirs stays zero.
void packRest(const Piece &panel, int64_t laneBytes, size_t restBytes) {
  for (int64_t row = 0; row < panel.rows; ++row)
    std::memcpy(panel.to + panel.depth * panel.toStride + row * laneBytes,
                panel.from + row * panel.fromStride + panel.depth * laneBytes,
                restBytes);
}

int32_t *sumsBehind(const PackedLayout &layout, void *packed) {
  return reinterpret_cast<int32_t *>(static_cast<char *>(packed) +
                                     layout.columnSumsOffset());
}

/// The panels of one weight, which threads share out.
class Packing {
public:
  Packing(const PackedLayout &layout, const void *w, int64_t ldw, void *packed,
          int32_t threads)
      : layout(layout), w(static_cast<const char *>(w)), ldw(ldw),
        packed(static_cast<char *>(packed)), threads(threads),
        panels(Dealing::dynamic, layout.panels(), threads) {}

  Status run(Executor &executor) {
    if (threads > 1)
      return runAllParts(
          executor, threads,
          [this](int32_t part, int32_t parts) { packPart(part, parts); });
    packPart(0, 1);
    return {};
  }

private:
  void packPart(int32_t part, int32_t parts) {
    panels.deal(part, parts, [&](int64_t panel) { packPanelAt(panel); });
  }

  void packPanelAt(int64_t panel) {
    const auto elementBytes = bytesOf(layout.dtype);
    const int64_t laneBytes = layout.group * elementBytes;
    const int64_t firstRow = panel * layout.panel;
    const Piece piece{w + firstRow * ldw * elementBytes,
                      ldw * elementBytes,
                      packed + firstRow * layout.groups() * laneBytes,
                      layout.panel * laneBytes,
                      std::min(layout.panel, layout.n - firstRow),
                      layout.k / layout.group};
    if (laneBytes == Lane32::kBytes)
      packPanel<Lane32>(piece);
    else if (laneBytes == Lane16::kBytes)
      packPanel<Lane16>(piece);
    else
      packGroups(piece, laneBytes);
    if (const int64_t rest = layout.k % layout.group; rest > 0)
      packRest(piece, laneBytes, size_t(rest * elementBytes));
    if (layout.hasColumnSums())
      sumRows(layout.dtype, piece.from, ldw, piece.rows, layout.k,
              sumsBehind(layout, packed) + firstRow);
  }

  const PackedLayout &layout;
  const char *w;
  const int64_t ldw;
  char *packed;
  const int32_t threads;
  Dealer panels;
};

/// A thread more takes tens of microseconds to wake, a part of this size some
/// hundred to pack.
int32_t threadsFor(const PackedLayout &layout, int32_t threads) {
  constexpr int64_t kPartBytes = int64_t(1) << 20;
  const int64_t parts = std::max<int64_t>(1, layout.bytes() / kPartBytes);
  return int32_t(std::min<int64_t>(threads, parts));
}

Error badArgument(const std::string &message) {
  return Error(ErrorCode::invalidArgument, "pack: " + message);
}

/// Success if the bytes of the packed form can be counted.
Status checkSize(const PackedLayout &layout) {
  const std::optional<int64_t> depth =
      paddedDepthOf(layout.dtype, layout.k, layout.group);
  int64_t columns = 0, elements = 0, bytes = 0, sums = 0;
  if (!depth || __builtin_add_overflow(layout.n, layout.panel - 1, &columns) ||
      __builtin_mul_overflow(layout.panels() * layout.panel, *depth,
                             &elements) ||
      __builtin_mul_overflow(elements, bytesOf(layout.dtype), &bytes) ||
      __builtin_mul_overflow(columns, kSumBytes, &sums) ||
      __builtin_add_overflow(bytes, sums, &sums) ||
      __builtin_add_overflow(sums, Target::kLineBytes, &sums))
    return badArgument("a weight of " + std::to_string(layout.n) + " x " +
                       std::to_string(layout.k) + " in panels of " +
                       std::to_string(layout.panel) + " and groups of " +
                       std::to_string(layout.group) +
                       " does not fit in memory");
  return {};
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
  if (saturatingProduct({layout.n, ldw, bytesOf(layout.dtype)}) >
      kAddressSpaceBytes)
    return badArgument("rows of stride " + std::to_string(ldw) +
                       " do not fit in memory; the stride counts elements");
  return {};
}

} // namespace

int64_t PackedLayout::columnSumsOffset() const {
  return roundUp(elements() * bytesOf(dtype), Target::kLineBytes);
}

int64_t PackedLayout::bytes() const {
  if (!hasColumnSums())
    return elements() * bytesOf(dtype);
  return columnSumsOffset() + panels() * panel * kSumBytes;
}

const int32_t *PackedWeight::columnSums() const {
  if (!packedLayout.hasColumnSums())
    return nullptr;
  return sumsBehind(packedLayout, buffer.data());
}

Expected<PackedWeight> PackedWeight::pack(const PackedLayout &layout,
                                          const void *w, int64_t ldw,
                                          Executor &executor, int32_t threads) {
  if (Status status = checkArguments(layout, w, ldw); !status)
    return status.error();
  if (Status status = checkSize(layout); !status)
    return status.error();
  Expected<AlignedBuffer> buffer =
      AlignedBuffer::allocateForStreaming(size_t(layout.bytes()));
  if (!buffer)
    return buffer.error().in("pack");

  if (layout.n > 0 && layout.k > 0) {
    Packing packing(layout, w, ldw, buffer->data(),
                    threadsFor(layout, threads));
    if (Status packed = packing.run(executor); !packed)
      return packed.error().in("pack");
  }
  PackedWeight result;
  result.packedLayout = layout;
  result.buffer = std::move(*buffer);
  return result;
}

} // namespace lintel
