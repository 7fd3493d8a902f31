// The kernel of lintel.pack and the runtime's packing lay a weight out alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoweredKernel.h"

#include "Codegen/Compiler.h"
#include "JIT/Loader.h"
#include "Runtime/PackedWeight.h"

#include <gmock/gmock.h>
#include <random>

namespace lintel::integration {

namespace {

std::string nameOf(const testing::TestParamInfo<PackedLayout> &instance) {
  const PackedLayout &layout = instance.param;
  return std::string(toString(layout.dtype)) + "_" + std::to_string(layout.n) +
         "x" + std::to_string(layout.k) + "_n" + std::to_string(layout.panel) +
         "_k" + std::to_string(layout.group);
}

/// One lintel.pack, whose types say the layout.
std::string packingModule(const PackedLayout &layout) {
  const std::string element =
      isFloat(layout.dtype) ? std::string(toString(layout.dtype)) : "i8";
  const std::string shape =
      std::to_string(layout.n) + "x" + std::to_string(layout.k) + "x" + element;
  const std::string packed = "!lintel.packed<" + shape +
                             ", n = " + std::to_string(layout.panel) +
                             ", k = " + std::to_string(layout.group) + ">";
  const std::string tensor = "tensor<" + shape + ">";
  return "func.func @lintel_kernel(%w: " + tensor + ") -> " + packed +
         " {\n  %p = lintel.pack %w : " + tensor + " -> " + packed +
         "\n  return %p : " + packed + "\n}\n";
}

/// What the kernel of `layout` writes, as three threads, where there was
/// `before`.
std::vector<uint8_t> packedByKernel(const PackedLayout &layout, const void *w,
                                    int64_t ldw, uint8_t before) {
  auto loader = std::move(*Loader::create());
  auto kernel = loader->load(
      LoweredKernel(packingModule(layout), Tiles::instructions, Target())
          .object(),
      kKernelSymbol);
  if (!kernel) {
    ADD_FAILURE() << kernel.error().message();
    return {};
  }
  std::vector<uint8_t> packed(static_cast<size_t>(layout.bytes()), before);
  KernelTensor output = {packed.data(), 0};
  KernelArgs args = {};
  args.x = w;
  args.ldx = ldw;
  args.outputs = &output;
  constexpr int32_t kThreads = 3;
  for (int32_t thread = 0; thread < kThreads; ++thread)
    (*kernel)->function()(&args, thread, kThreads);
  return packed;
}

class PackingKernel : public testing::TestWithParam<PackedLayout> {};

TEST_P(PackingKernel, LaysOutAsTheRuntimeDoes) {
  const PackedLayout &layout = GetParam();
  const int64_t ldw = layout.k + 3;
  std::vector<uint8_t> w(static_cast<size_t>(layout.n * ldw) *
                         byteSize(layout.dtype));
  std::mt19937 generator(7);
  for (uint8_t &byte : w)
    byte = uint8_t(generator());

  auto runtime = PackedWeight::pack(layout, w.data(), ldw);
  ASSERT_TRUE(runtime) << runtime.error().message();
  const auto *expected = static_cast<const uint8_t *>(runtime->data());
  constexpr uint8_t kUntouched = 0xa5;
  const std::vector<uint8_t> packed =
      packedByKernel(layout, w.data(), ldw, kUntouched);
  ASSERT_EQ(packed.size(), static_cast<size_t>(layout.bytes()));

  // Between panels and sums nothing is said.
  const int64_t panelBytes =
      layout.elements() * static_cast<int64_t>(byteSize(layout.dtype));
  for (int64_t i = 0; i < layout.bytes(); ++i) {
    if (i < panelBytes || i >= layout.columnSumsOffset())
      ASSERT_EQ(packed[size_t(i)], expected[i]) << "byte " << i;
    else
      ASSERT_EQ(packed[size_t(i)], kUntouched) << "byte " << i;
  }
}

// The groups of each type; whole panels and tails of N, whole lines and tails
// of K.
INSTANTIATE_TEST_SUITE_P(
    Layouts, PackingKernel,
    testing::Values(PackedLayout{96, 40, 48, DType::f32, 1},
                    PackedLayout{100, 33, 48, DType::f32, 1},
                    PackedLayout{5, 40, 4, DType::f32, 16},
                    PackedLayout{64, 64, 32, DType::bf16, 2},
                    PackedLayout{100, 33, 48, DType::bf16, 2},
                    PackedLayout{9, 70, 4, DType::bf16, 32},
                    PackedLayout{64, 64, 64, DType::f16, 1},
                    PackedLayout{50, 35, 32, DType::f16, 1},
                    PackedLayout{50, 35, 32, DType::f16, 2},
                    PackedLayout{64, 128, 16, DType::s8, 4},
                    PackedLayout{100, 67, 48, DType::s8, 4},
                    PackedLayout{33, 67, 16, DType::s8, 2},
                    PackedLayout{7, 70, 4, DType::s8, 64}),
    nameOf);

} // namespace
} // namespace lintel::integration
