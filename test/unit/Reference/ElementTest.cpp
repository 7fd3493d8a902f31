// Narrow elements against their definitions, every one of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/Element.h"
#include "Reference/TypedTensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace lintel;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// A format of 16 bits.
struct Layout {
  int mantissaBits;
  int bias;
};
constexpr Layout kBFloat16 = {7, 127}, kFloat16 = {10, 15};

/// What the bits mean, by the definition of such formats.
double meaningOf(uint32_t bits, Layout layout) {
  const double sign = bits >> 15 ? -1 : 1;
  const int scale = 1 << layout.mantissaBits;
  const int mantissa = int(bits) & (scale - 1);
  const int exponent = int(bits & 0x7fff) >> layout.mantissaBits;
  if (exponent == 2 * layout.bias + 1)
    return mantissa == 0 ? sign * kInf : NAN;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - layout.bias - layout.mantissaBits);
  return sign * std::ldexp(scale + mantissa,
                           exponent - layout.bias - layout.mantissaBits);
}

template <class Element> Element elementOf(uint32_t bits) {
  return {uint16_t(bits)};
}

template <class Element> void checkEveryElement(Layout layout) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto element = elementOf<Element>(bits);
    const double meaning = meaningOf(bits, layout);
    if (std::isnan(meaning)) {
      EXPECT_TRUE(std::isnan(widen(element))) << bits;
      EXPECT_TRUE(std::isnan(widen(narrowTo<Element>(widen(element))))) << bits;
      continue;
    }
    ASSERT_EQ(widen(element), meaning) << bits;
    ASSERT_EQ(std::signbit(widen(element)), std::signbit(meaning)) << bits;
    ASSERT_EQ(narrowTo<Element>(widen(element)).bits, bits);
  }
}

TEST(ElementTest, EveryElementWidensAndComesBack) {
  checkEveryElement<BFloat16>(kBFloat16);
  checkEveryElement<Float16>(kFloat16);
}

/// Halfway between neighbours the even one wins; a little to either side the
/// nearer one.
template <class Element> void checkEveryTie(Layout layout, uint32_t largest) {
  for (uint32_t bits = 0; bits < largest; ++bits) {
    const double low = meaningOf(bits, layout);
    const double high = meaningOf(bits + 1, layout);
    const auto half = float((low + high) / 2);
    ASSERT_EQ(half, (low + high) / 2) << "f32 has one more bit";
    ASSERT_EQ(narrowTo<Element>(half).bits, bits + bits % 2);
    ASSERT_EQ(narrowTo<Element>(std::nextafter(half, 0.0f)).bits, bits);
    ASSERT_EQ(narrowTo<Element>(std::nextafter(half, kInf)).bits, bits + 1);
    ASSERT_EQ(narrowTo<Element>(-half).bits, 0x8000 + bits + bits % 2);
  }
}

TEST(ElementTest, NarrowingRoundsToNearestAndEven) {
  checkEveryTie<BFloat16>(kBFloat16, 0x7f7f);
  checkEveryTie<Float16>(kFloat16, 0x7bff);
}

TEST(ElementTest, OverflowBecomesInfinity) {
  const float beyond = 0x1.ffp127f; // halfway to what would come next
  EXPECT_EQ(widen(narrowTo<BFloat16>(beyond)), kInf);
  EXPECT_EQ(widen(narrowTo<BFloat16>(-beyond)), -kInf);
  EXPECT_EQ(widen(narrowTo<BFloat16>(std::nextafter(beyond, 0.0f))),
            0x1.fep127f);
  EXPECT_EQ(widen(narrowTo<Float16>(65520)), kInf);
  EXPECT_EQ(widen(narrowTo<Float16>(-65520)), -kInf);
  EXPECT_EQ(widen(narrowTo<Float16>(std::nextafter(65520.0f, 0.0f))), 65504);
  EXPECT_EQ(widen(narrowTo<Float16>(1e30f)), kInf);
}

TEST(ElementTest, NaNStaysNaN) {
  // Its payload would round to infinity.
  const auto payload = std::bit_cast<float>(0x7f80ffffu);
  EXPECT_TRUE(std::isnan(widen(narrowTo<BFloat16>(payload))));
  EXPECT_TRUE(std::isnan(widen(narrowTo<Float16>(payload))));
  EXPECT_TRUE(std::isnan(widen(narrowTo<Float16>(-NAN))));
}

TEST(TypedTensorTest, BeginsWithACacheLine) {
  for (size_t count : {1, 33, 1000, 100000, 3 << 20}) {
    const TypedTensor tensor(DType::f32, count);
    const TypedTensor copy = tensor;
    for (const void *data : {tensor.data(), copy.data()})
      EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u) << count;
  }
}

TEST(TypedTensorTest, HoldsElementsOfItsType) {
  for (DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    TypedTensor tensor(dtype, 5);
    EXPECT_EQ(tensor.dtype(), dtype);
    EXPECT_EQ(tensor.size(), 5u);
    EXPECT_FALSE(tensor.empty());
    EXPECT_EQ(tensor[4], 0);
    withElement(dtype, [&](auto element) {
      using Element = decltype(element);
      EXPECT_EQ(sizeof(Element), byteSize(dtype));
      tensor.as<Element>()[3] = narrowTo<Element>(-1.5f);
    });
    EXPECT_EQ(tensor[3], -1.5f);
    EXPECT_EQ(tensor.floats(), (std::vector<float>{0, 0, 0, -1.5f, 0}));
    EXPECT_EQ(elementAt(dtype, tensor.from(3), 0), -1.5f);
    EXPECT_EQ(elementAt(dtype, tensor.data(), 3), -1.5f);
    EXPECT_NE(tensor, TypedTensor(dtype, 5));
  }
  EXPECT_TRUE(TypedTensor(DType::bf16, 0).empty());
  // Large enough for huge pages.
  const TypedTensor many(DType::f16, size_t(5) << 20);
  EXPECT_EQ(many[many.size() - 1], 0);
}

TEST(ElementTest, IntegersRoundToEvenAndSaturate) {
  EXPECT_EQ(narrowTo<int8_t>(2.5f), 2);
  EXPECT_EQ(narrowTo<int8_t>(-3.5f), -4);
  EXPECT_EQ(narrowTo<int8_t>(1e9f), 127);
  EXPECT_EQ(narrowTo<int8_t>(-kInf), -128);
  EXPECT_EQ(narrowTo<int8_t>(NAN), -128);
  EXPECT_EQ(narrowTo<uint8_t>(254.5f), 254);
  EXPECT_EQ(narrowTo<uint8_t>(kInf), 255);
  EXPECT_EQ(narrowTo<uint8_t>(-1.0f), 0);
  EXPECT_EQ(narrowTo<uint8_t>(NAN), 0);
  EXPECT_EQ(narrowTo<int32_t>(-7.0f), -7);
  EXPECT_EQ(narrowTo<int32_t>(kInf), std::numeric_limits<int32_t>::max());
}

TEST(ElementTest, IntegersAreReadExactly) {
  const int32_t words[] = {16777217, -2147483647};
  EXPECT_EQ(elementAt(DType::s32, words, 0), 16777217.0);
  EXPECT_EQ(elementAt(DType::s32, words, 1), -2147483647.0);
  const uint8_t bytes[] = {0x7f, 0x80, 0xff};
  EXPECT_EQ(elementAt(DType::u8, bytes, 2), 255);
  EXPECT_EQ(elementAt(DType::s8, bytes, 2), -1);
  EXPECT_EQ(elementAt(DType::s8, bytes, 1), -128);
}

} // namespace
