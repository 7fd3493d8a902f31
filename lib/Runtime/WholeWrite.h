// Writing all of some bytes, however few the system takes at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cerrno>
#include <cstddef>
#include <span>

#include <unistd.h>

namespace lintel {

/// Repeats a call that a signal interrupted; not for ever, so that a file
/// system which says EINTR each time is an error and not a hang.
template <class Call> auto uninterrupted(Call call) {
  constexpr int kMaxInterruptions = 100;
  auto result = call();
  for (int i = 0; result == -EINTR && i < kMaxInterruptions; ++i)
    result = call();
  return result;
}

/// Writes `bytes` by calls of `write(data, size)`, which return a count or
/// -errno, as this does.
template <class Write>
int writeWhole(std::span<const std::byte> bytes, Write write) {
  while (!bytes.empty()) {
    const ssize_t count =
        uninterrupted([&] { return write(bytes.data(), bytes.size()); });
    if (count < 0)
      return int(count);
    if (count == 0)
      return -EIO; // neither progress nor a reason
    bytes = bytes.subspan(size_t(count));
  }
  return 0;
}

/// Writes `bytes` to a descriptor; 0 or -errno.
inline int writeWhole(int descriptor, std::span<const std::byte> bytes) {
  return writeWhole(bytes, [&](const void *data, size_t size) -> ssize_t {
    const ssize_t count = ::write(descriptor, data, size);
    return count < 0 ? -errno : count;
  });
}

} // namespace lintel
