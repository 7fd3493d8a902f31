// Owned memory with the alignment and page size kernels want.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <cstddef>

namespace lintel {

/// Zero-filled memory aligned to 64 bytes; from 1.5 MiB on aligned to 2 MiB
/// with huge pages requested. Move-only.
class AlignedBuffer {
public:
  AlignedBuffer() = default;
  /// Out of memory is ErrorCode::io.
  static Expected<AlignedBuffer> allocate(size_t bytes);
  /// The same with huge pages of its own requested from 128 KiB on, which
  /// wastes the rest of the last one.
  static Expected<AlignedBuffer> allocateOnHugePages(size_t bytes);
  /// The same for what will be read from end to end: from 16 KiB on it lies on
  /// huge pages, which it shares with others below 8 MiB.
  static Expected<AlignedBuffer> allocateForStreaming(size_t bytes);
  AlignedBuffer(AlignedBuffer &&other) noexcept;
  AlignedBuffer &operator=(AlignedBuffer &&other) noexcept;
  ~AlignedBuffer();

  void *data() const { return memory; }
  size_t size() const { return bytes; }

private:
  using Free = void(void *memory, size_t bytes);
  AlignedBuffer(void *memory, size_t bytes, Free *free);
  /// On huge pages of its own from `least` bytes on.
  static Expected<AlignedBuffer> allocateMappedFrom(size_t least, size_t bytes);
  /// An error if `memory` is null.
  static Expected<AlignedBuffer> owned(void *memory, size_t bytes, Free *free);
  void release();

  void *memory = nullptr;
  size_t bytes = 0;
  Free *free = nullptr;
};

} // namespace lintel
