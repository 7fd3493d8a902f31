// libFuzzer's way into one harness.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It needs no corpus: what is too short to be of the format is replaced by one
// of the harness's own inputs, which mutations then begin from.
#include "fuzz/Harness.h"
#include "fuzz/Mutator.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace lintel::fuzz;

#define LINTEL_QUOTE(name) #name
#define LINTEL_NAME_OF(name) LINTEL_QUOTE(name)

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t mostSize);

static const Harness &harness() {
  static const Harness *const found =
      harnessNamed(LINTEL_NAME_OF(LINTEL_FUZZ_HARNESS));
  if (!found)
    std::abort();
  return *found;
}

static const std::vector<Bytes> &seeds() {
  static const std::vector<Bytes> all = [] {
    std::vector<Bytes> inputs = harness().taken();
    for (Bytes &refused : harness().refused())
      inputs.push_back(std::move(refused));
    return inputs;
  }();
  return all;
}

static size_t store(const Bytes &input, uint8_t *data, size_t mostSize) {
  const size_t size = std::min(input.size(), mostSize);
  std::transform(input.begin(), input.begin() + ptrdiff_t(size), data,
                 [](std::byte byte) { return std::to_integer<uint8_t>(byte); });
  return size;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t mostSize, unsigned seed) {
  Sequence sequence(seed);
  if (size < 2 || sequence.below(32) == 0)
    return store(seeds()[sequence.below(seeds().size())], data, mostSize);
  if (sequence.below(2) == 0)
    return LLVMFuzzerMutate(data, size, mostSize);
  const Input input = std::as_bytes(std::span(data, size));
  return store(mutated({input.begin(), input.end()}, seeds(),
                       harness().dictionary, sequence, mostSize),
               data, mostSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    harness().run(std::as_bytes(std::span(data, size)));
  } catch (const std::exception &broken) {
    std::fprintf(stderr, "%s\n", broken.what());
    std::abort();
  }
  return 0;
}
