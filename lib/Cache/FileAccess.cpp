// Descriptors, whole reads and whole writes over CacheFiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/FileAccess.h"

#include <system_error>

namespace lintel {

Error ioError(const std::string &what, int error) {
  // Unlike strerror, safe among threads.
  return Error(ErrorCode::io,
               what + ": " + std::generic_category().message(error));
}

int Descriptor::close() {
  if (number < 0)
    return 0;
  int result = files->close(std::exchange(number, -1));
  return result == -EINTR ? 0 : result;
}

Expected<std::vector<std::byte>> readWhole(CacheFiles &files, int file,
                                           size_t size) {
  std::vector<std::byte> bytes(size);
  size_t filled = 0;
  while (filled < size) {
    ssize_t count = uninterrupted(
        [&] { return files.read(file, bytes.data() + filled, size - filled); });
    if (count < 0)
      return ioError("cannot read", int(-count));
    if (count == 0)
      break;
    filled += size_t(count);
  }
  bytes.resize(filled);
  return bytes;
}

int writeWhole(CacheFiles &files, int file, std::span<const std::byte> bytes) {
  return writeWhole(bytes, [&](const void *data, size_t size) {
    return files.write(file, data, size);
  });
}

} // namespace lintel
