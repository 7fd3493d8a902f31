// A file that readers can open, and that no disk has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuzz/Harness.h"

#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace lintel::fuzz {

/// Holds `contents` as long as it lives, and leaves nothing where the process
/// dies of them.
class MemoryFile {
public:
  explicit MemoryFile(Input contents)
      : descriptor(::memfd_create("input", MFD_CLOEXEC)) {
    if (descriptor < 0 || ::write(descriptor, contents.data(),
                                  contents.size()) != ssize_t(contents.size()))
      ::_exit(1);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() { ::close(descriptor); }

  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor);
  }

private:
  int descriptor;
};

} // namespace lintel::fuzz
