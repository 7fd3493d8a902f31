// Descriptors, whole reads and whole writes over CacheFiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Cache/CacheFiles.h"
#include "Runtime/WholeWrite.h"
#include "lintel/Error.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lintel {

/// "what: No space left on device" as ErrorCode::io. `error` is an errno.
Error ioError(const std::string &what, int error);

/// Owns a descriptor.
class Descriptor {
public:
  Descriptor(CacheFiles &files, int number) : files(&files), number(number) {}
  Descriptor(Descriptor &&other) noexcept
      : files(other.files), number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&) = delete;
  ~Descriptor() { (void)close(); }

  int get() const { return number; }
  /// 0 or -errno. Interrupted is closed, on Linux.
  int close();

private:
  CacheFiles *files;
  int number;
};

/// Up to `size` bytes from the start; fewer when the file ends before.
Expected<std::vector<std::byte>> readWhole(CacheFiles &files, int file,
                                           size_t size);
/// 0 or -errno.
int writeWhole(CacheFiles &files, int file, std::span<const std::byte> bytes);

} // namespace lintel
