// A regular file opened for reading, every range checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lintel::tool {

/// Move-only. Pipes, devices and directories are refused: the formats read here
/// state their own length, which is checked against the file's.
class InputFile {
public:
  static Expected<InputFile> open(const std::string &path);
  InputFile(InputFile &&other) noexcept;
  InputFile &operator=(InputFile &&other) noexcept;
  ~InputFile();

  const std::string &path() const { return filePath; }
  uint64_t size() const { return bytes; }
  /// Fills `destination` from `offset` on. A range that ends beyond the file is
  /// an error which says that `what` is cut short.
  Status read(uint64_t offset, std::span<std::byte> destination,
              std::string_view what) const;
  /// The whole file; refused above `limit` bytes, or with a byte order mark.
  Expected<std::string> readText(uint64_t limit) const;

private:
  InputFile(int descriptor, std::string path, uint64_t bytes);
  int descriptor = -1;
  std::string filePath;
  uint64_t bytes = 0;
};

} // namespace lintel::tool
