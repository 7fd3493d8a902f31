// All harnesses, and inputs from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/Harness.h"

namespace lintel::fuzz {

std::vector<const Harness *> allHarnesses() {
  return {&problemHarness(), &scheduleHarness(),    &entryHarness(),
          &recordHarness(),  &peaksHarness(),       &objectHarness(),
          &npyHarness(),     &safetensorsHarness(), &moduleHarness(),
          &regionHarness(),  &optionsHarness()};
}

const Harness *harnessNamed(std::string_view name) {
  for (const Harness *harness : allHarnesses())
    if (harness->name == name)
      return harness;
  return nullptr;
}

Bytes bytesOf(std::string_view text) {
  const auto *data = reinterpret_cast<const std::byte *>(text.data());
  return {data, data + text.size()};
}

std::vector<Bytes> bytesOf(std::span<const std::string_view> texts) {
  std::vector<Bytes> inputs;
  for (std::string_view text : texts)
    inputs.push_back(bytesOf(text));
  return inputs;
}

} // namespace lintel::fuzz
