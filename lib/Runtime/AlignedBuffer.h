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
  AlignedBuffer(AlignedBuffer &&other) noexcept;
  AlignedBuffer &operator=(AlignedBuffer &&other) noexcept;
  ~AlignedBuffer();

  void *data() const { return memory; }
  size_t size() const { return bytes; }

private:
  void *memory = nullptr;
  size_t bytes = 0;
};

} // namespace lintel
