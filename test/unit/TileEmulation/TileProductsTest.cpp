// Products of emulated tiles against plain sums, and their rounding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/TileEmulation/Instructions.h"

#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <immintrin.h>
#include <limits>
#include <random>

using namespace lintel;

namespace {

/// Bits of a value that bf16 holds exactly.
uint16_t bf16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  EXPECT_EQ(bits & 0xffff, 0u) << value << " is no bf16";
  return uint16_t(bits >> 16);
}
float fromBf16(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

/// Bits of a value that f16 holds exactly.
uint16_t fp16(float value) {
  const auto half = static_cast<_Float16>(value);
  EXPECT_EQ(float(half), value) << value << " is no f16";
  return std::bit_cast<uint16_t>(half);
}
float fromFp16(uint16_t bits) { return float(std::bit_cast<_Float16>(bits)); }

/// M x N outputs over `groups` groups of 4 bytes of K.
struct Size {
  int m, n, groups;
};
constexpr Size kSizes[] = {{16, 16, 16}, {1, 1, 1},   {13, 16, 16},
                           {16, 5, 16},  {16, 16, 3}, {7, 11, 9}};

/// acc += a * b for row-major tiles: a[m][groups], b[groups][n], 4-byte groups.
template <class Sum, class Element>
std::vector<Sum>
multiplied(const std::string &name, Size size, const std::vector<Element> &a,
           const std::vector<Element> &b, std::vector<Sum> acc) {
  configure({{size.m, 4 * size.n},
             {size.m, 4 * size.groups},
             {size.groups, 4 * size.n}});
  load(0, acc.data(), 4 * size.n);
  load(1, a.data(), 4 * size.groups);
  load(2, b.data(), 4 * size.n);
  const uint64_t faults = tileFaults();
  multiply(name, 0, 1, 2);
  EXPECT_EQ(tileFaults(), faults);
  store(0, acc.data(), 4 * size.n);
  return acc;
}

/// The k-th element of K in row m of a and in column n of b, `group` elements
/// of which make 4 bytes.
struct Indexing {
  Size size;
  int group;
  int depth() const { return size.groups * group; }
  size_t a(int m, int k) const { return m * depth() + k; }
  size_t b(int n, int k) const {
    return (k / group * size.n + n) * group + k % group;
  }
};

using HalfValue = float (*)(uint16_t);

/// One output in double, and the sum of magnitudes.
struct Reference {
  double sum, magnitude;
};
Reference reference(const Indexing &index, int m, int n, HalfValue value,
                    const std::vector<uint16_t> &a,
                    const std::vector<uint16_t> &b, float acc) {
  Reference result = {acc, std::fabs(acc)};
  for (int k = 0; k < index.depth(); ++k) {
    const double product =
        double(value(a[index.a(m, k)])) * double(value(b[index.b(n, k)]));
    result.sum += product;
    result.magnitude += std::fabs(product);
  }
  return result;
}

void expectNearDouble(const std::string &name, HalfValue value,
                      std::vector<uint16_t> (*random)(size_t, unsigned)) {
  for (Size size : kSizes) {
    const Indexing index = {size, 2};
    const auto a = random(size.m * index.depth(), 1);
    const auto b = random(size.n * index.depth(), 2);
    std::vector<float> acc(size.m * size.n);
    std::mt19937 generator(3);
    for (float &element : acc)
      element = std::normal_distribution<float>()(generator);
    const std::vector<float> sums = multiplied(name, size, a, b, acc);
    for (int m = 0; m < size.m; ++m)
      for (int n = 0; n < size.n; ++n) {
        const Reference expected =
            reference(index, m, n, value, a, b, acc[m * size.n + n]);
        // One rounding for each product, two for the last sums.
        const double bound = (size.groups + 2) * 0x1p-24 * expected.magnitude;
        ASSERT_NEAR(sums[m * size.n + n], expected.sum, bound)
            << name << " " << m << ", " << n;
      }
  }
}

TEST(TileProducts, BF16IsNearDouble) {
  expectNearDouble("dpbf16", fromBf16, [](size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<uint16_t> values(count);
    for (uint16_t &value : values)
      value = uint16_t(std::bit_cast<uint32_t>(
                           std::normal_distribution<float>()(generator)) >>
                       16);
    return values;
  });
}

TEST(TileProducts, FP16IsNearDouble) {
  expectNearDouble("dpfp16", fromFp16, [](size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<uint16_t> values(count);
    for (uint16_t &value : values)
      value = std::bit_cast<uint16_t>(
          static_cast<_Float16>(std::normal_distribution<float>()(generator)));
    return values;
  });
}

template <class A, class B> void expectWrappedSums(const std::string &name) {
  std::mt19937 generator(7);
  for (Size size : kSizes) {
    const Indexing index = {size, 4};
    std::vector<uint8_t> a(size.m * index.depth()), b(size.n * index.depth());
    std::vector<int32_t> acc(size.m * size.n);
    for (uint8_t &byte : a)
      byte = uint8_t(generator());
    for (uint8_t &byte : b)
      byte = uint8_t(generator());
    for (int32_t &element : acc) // half of them within reach of the ends
      element = generator() % 2 ? std::numeric_limits<int32_t>::max()
                                : std::numeric_limits<int32_t>::min();
    const std::vector<int32_t> sums = multiplied(name, size, a, b, acc);
    for (int m = 0; m < size.m; ++m)
      for (int n = 0; n < size.n; ++n) {
        int64_t sum = acc[m * size.n + n];
        for (int k = 0; k < index.depth(); ++k)
          sum += int64_t(A(a[index.a(m, k)])) * int64_t(B(b[index.b(n, k)]));
        ASSERT_EQ(sums[m * size.n + n], int32_t(uint64_t(sum)))
            << name << " " << m << ", " << n;
      }
  }
}

TEST(TileProducts, BytesWrapAround) {
  expectWrappedSums<int8_t, int8_t>("dpbssd");
  expectWrappedSums<int8_t, uint8_t>("dpbsud");
  expectWrappedSums<uint8_t, int8_t>("dpbusd");
  expectWrappedSums<uint8_t, uint8_t>("dpbuud");
}

using HalfBits = uint16_t (*)(float);

/// acc + products of a[k] * b[k] for one output.
float oneSum(const std::string &name, HalfBits bits, float acc,
             const std::vector<std::pair<float, float>> &factors) {
  std::vector<uint16_t> a, b;
  for (auto [x, y] : factors) {
    a.push_back(bits(x));
    b.push_back(bits(y));
  }
  return multiplied<float>(name, {1, 1, int(factors.size()) / 2}, a, b, {acc})
      .front();
}
float oneBf16(float acc, const std::vector<std::pair<float, float>> &factors) {
  return oneSum("dpbf16", bf16, acc, factors);
}
float oneFp16(float acc, const std::vector<std::pair<float, float>> &factors) {
  return oneSum("dpfp16", fp16, acc, factors);
}

TEST(TileProducts, EvenAndOddProductsAreSummedApart) {
  // Even: 2^24 + 1 + 1 rounds to 2^24 twice. Odd: -2^24. In order of k it would
  // be 2, in one exact sum too.
  EXPECT_EQ(
      oneBf16(0, {{4096, 4096}, {-4096, 4096}, {1, 1}, {0, 0}, {1, 1}, {0, 0}}),
      0);
}

TEST(TileProducts, TheSumIsAddedToAccAtTheEnd) {
  // 2^24 + 1 would round to 2^24, twice.
  EXPECT_EQ(oneBf16(0x1p24f, {{1, 1}, {1, 1}}), 0x1p24f + 2);
  EXPECT_EQ(oneFp16(0x1p24f, {{1, 1}, {1, 1}}), 0x1p24f + 2);
}

TEST(TileProducts, ProductsAreNotRounded) {
  // (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14, which bf16 would not hold.
  EXPECT_EQ(oneBf16(0, {{1 + 0x1p-7f, 1 + 0x1p-7f}, {0, 0}}),
            1 + 0x1p-6f + 0x1p-14f);
  EXPECT_EQ(oneFp16(0, {{1 + 0x1p-10f, 1 + 0x1p-10f}, {0, 0}}),
            1 + 0x1p-9f + 0x1p-20f);
}

TEST(TileProducts, DenormalsOfBF16CountAsZero) {
  const float denormal = 0x1p-130f;
  EXPECT_EQ(oneBf16(1, {{denormal, 0x1p127f}, {0, 0}}), 1);
  EXPECT_EQ(oneBf16(1, {{0, 0}, {0x1p127f, -denormal}}), 1);
}

TEST(TileProducts, DenormalsOfFP16KeepTheirValue) {
  EXPECT_EQ(oneFp16(0, {{0x1p-24f, 1024}, {-0x3p-24f, 1024}}), -0x1p-13f);
}

TEST(TileProducts, ADenormalAccCountsAsZero) {
  const float denormal = std::numeric_limits<float>::denorm_min() * 5;
  EXPECT_EQ(oneBf16(denormal, {{0, 0}, {0, 0}}), 0);
  EXPECT_EQ(oneBf16(-denormal, {{1, 1}, {0, 0}}), 1);
  EXPECT_EQ(oneFp16(denormal, {{0, 0}, {0, 0}}), 0);
  // Beside a small normal sum it would count.
  EXPECT_EQ(oneBf16(0x1p-127f, {{0x1p-63f, 0x1p-63f}, {0, 0}}), 0x1p-126f);
}

TEST(TileProducts, DenormalResultsBecomeZero) {
  constexpr float kSmallest = std::numeric_limits<float>::min(); // 2^-126
  EXPECT_EQ(oneBf16(0, {{0x1p-70f, 0x1p-70f}, {0, 0}}), 0);
  EXPECT_EQ(oneBf16(1.5f * kSmallest, {{-kSmallest, 1}, {0, 0}}), 0);
  EXPECT_EQ(oneBf16(0, {{0x1p-63f, 0x1p-63f}, {0, 0}}), kSmallest);
  // 2^-126 - 2^-150 has 24 bits and a small exponent: zero, though rounding to
  // the denormals would give 2^-126.
  EXPECT_EQ(
      oneBf16(0, {{0x1p-63f, 0x1p-63f}, {0, 0}, {-0x1p-75f, 0x1p-75f}, {0, 0}}),
      0);
  // 2^-126 - 2^-152 rounds to 2^-126.
  EXPECT_EQ(
      oneBf16(0, {{0x1p-63f, 0x1p-63f}, {0, 0}, {-0x1p-76f, 0x1p-76f}, {0, 0}}),
      kSmallest);
}

TEST(TileProducts, InfinitiesAndNaNs) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(oneBf16(0, {{0x1p127f, 2}, {0, 0}}), kInfinity);
  EXPECT_EQ(oneBf16(0, {{kInfinity, -1}, {0, 0}}), -kInfinity);
  EXPECT_TRUE(std::isnan(oneBf16(0, {{kInfinity, 0}, {0, 0}})));
  EXPECT_TRUE(std::isnan(oneBf16(0, {{kInfinity, 1}, {-kInfinity, 1}})));
  EXPECT_TRUE(std::isnan(oneBf16(NAN, {{0, 0}, {0, 0}})));
  EXPECT_EQ(oneFp16(0, {{kInfinity, 1}, {0, 0}}), kInfinity);
  EXPECT_TRUE(std::isnan(oneFp16(0, {{kInfinity, 0}, {0, 0}})));
}

TEST(TileProducts, MxcsrIsNeitherReadNorWritten) {
  const std::vector<std::pair<float, float>> factors = {
      {1, 1}, {0x1p-30f, 1}, {0x1p-70f, 0x1p-70f}, {0, 0}};
  const float expected = oneBf16(1, factors);
  const unsigned found = _mm_getcsr();
  // Rounding up, traps on inexact results and underflow, no flag raised.
  const unsigned strange =
      (found & ~unsigned(_MM_MASK_INEXACT | _MM_MASK_UNDERFLOW |
                         _MM_ROUND_MASK | _MM_EXCEPT_MASK)) |
      _MM_ROUND_UP;
  configure({{1, 4}, {1, 8}, {2, 4}});
  std::vector<uint16_t> a, b;
  for (auto [x, y] : factors) {
    a.push_back(bf16(x));
    b.push_back(bf16(y));
  }
  float sum = 1;
  load(0, &sum, 4);
  load(1, a.data(), 8);
  load(2, b.data(), 4);
  auto *product =
      emulated<void(int32_t, int32_t, int32_t)>("lintel_tmm_dpbf16");
  _mm_setcsr(strange);
  product(0, 1, 2);
  const unsigned left = _mm_getcsr();
  _mm_setcsr(found);
  store(0, &sum, 4);
  EXPECT_EQ(left, strange);
  EXPECT_EQ(sum, expected);
}

} // namespace
