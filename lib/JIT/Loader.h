// From object bytes to a callable kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/KernelABI.h"
#include "lintel/Error.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace lintel {

/// A loaded kernel. The code lives as long as any copy of the pointer.
class Kernel {
public:
  virtual ~Kernel();
  /// Callable by any number of threads at once.
  KernelFunction function() const { return entry; }

protected:
  KernelFunction entry = nullptr;
};

/// Checks that `object` is a relocatable x86-64 ELF file that defines the
/// function `symbol` and refers to nothing outside itself but the emulation of
/// AMX (lib/TileEmulation).
Status validateObject(std::span<const std::byte> object,
                      std::string_view symbol);

/// Links objects into this process with LLVM ORC. Thread-safe.
class Loader {
public:
  static Expected<std::shared_ptr<Loader>> create();
  virtual ~Loader();
  /// Validates, links and looks up `symbol`.
  virtual Expected<std::shared_ptr<const Kernel>>
  load(std::span<const std::byte> object, std::string_view symbol) = 0;
};

} // namespace lintel
