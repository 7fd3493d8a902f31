// One format of input: what is fed to its reader, and where to begin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A harness hands bytes to the code that reads them and checks what is true of
// any input: the process lives, what is taken is written in a form that reads
// back equal, and what is refused is refused with a sentence.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lintel::fuzz {

using Input = std::span<const std::byte>;
using Bytes = std::vector<std::byte>;

struct Harness {
  std::string_view name; ///< an identifier, as in fuzz-NAME
  /// Throws BrokenProperty (Properties.h).
  void (*run)(Input input);
  /// What the reader takes; mutations begin here. Made when asked for, as some
  /// cost a compilation.
  std::vector<Bytes> (*taken)();
  /// What it refuses: inputs that once did harm, or that mutations hardly find.
  std::vector<Bytes> (*refused)();
  /// Words of the format.
  std::vector<std::string_view> dictionary;
  int mutations; ///< that a test tries: some seconds of them at most
};

/// Of the text forms of a layer, of how and where it is computed.
const Harness &problemHarness();
const Harness &scheduleHarness();
/// Of what the cache keeps.
const Harness &entryHarness();
const Harness &recordHarness();
const Harness &peaksHarness();
const Harness &objectHarness();
/// Of files of tensors.
const Harness &npyHarness();
const Harness &safetensorsHarness();
/// Of MLIR: a file, and the epilogue alone.
const Harness &moduleHarness();
const Harness &regionHarness();
/// Of the environment and of values on command lines.
const Harness &optionsHarness();

std::vector<const Harness *> allHarnesses();
/// Null if there is none of that name.
const Harness *harnessNamed(std::string_view name);

Bytes bytesOf(std::string_view text);
std::vector<Bytes> bytesOf(std::span<const std::string_view> texts);
inline std::string_view textOf(Input input) {
  return {reinterpret_cast<const char *>(input.data()), input.size()};
}

} // namespace lintel::fuzz
