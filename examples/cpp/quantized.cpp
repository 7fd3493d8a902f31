// A layer of 8-bit integers: scales and zero points, rows that vary from call
// to call, every output checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Engine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int64_t kMostRows = 32, kDepth = 256, kColumns = 384;

int fail(const lintel::Error &error) {
  std::fprintf(stderr, "error: %s\n", error.message().c_str());
  return 1;
}

/// Integers from `least` to `most` that look random.
template <class T> std::vector<T> integers(size_t count, int least, int most) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(
        least + static_cast<int>(i * 2654435761u % (most - least + 1)));
  return values;
}

} // namespace

int main() {
  // x and out are of u8, w is of s8; each number is scale * (integer - zero).
  auto types = lintel::DataTypes::parse("u8s8:u8");
  if (!types)
    return fail(types.error());
  // A scale for each row of x; by default there is one zero point for x, a
  // scale for each column of out, and one scale and zero point for out.
  auto problem =
      lintel::Problem::parse("?x256:256x384 dequant(x=row)+bias", *types);
  if (!problem)
    return fail(problem.error());
  auto engine = lintel::Engine::create();
  if (!engine)
    return fail(engine.error());

  lintel::CompileOptions options;
  options.rows = {1, kMostRows}; // a kernel for 1 row, one for 2 and more
  auto layer = (*engine)->compile(*problem, options);
  if (!layer)
    return fail(layer.error());
  for (const lintel::TuningReport &bucket : layer->report().buckets)
    std::printf("M = %lld: %s\n", static_cast<long long>(bucket.rows.typical),
                bucket.schedule.c_str());

  const auto x = integers<uint8_t>(kMostRows * kDepth, 0, 255);
  const auto w = integers<int8_t>(kColumns * kDepth, -127, 127);
  const auto bias = integers<float>(kColumns, -10, 10);
  std::vector<float> xScale(kMostRows), wScale(kColumns);
  for (int64_t m = 0; m < kMostRows; ++m)
    xScale[m] = 0.02f + 0.001f * static_cast<float>(m);
  for (int64_t n = 0; n < kColumns; ++n)
    wScale[n] = 0.01f + 0.00001f * static_cast<float>(n);
  const int32_t xZero = 128, outZero = 120;
  const float outScale = 0.5f;
  if (auto status = layer->setWeight(w.data(), kDepth); !status)
    return fail(status.error());

  int wrong = 0;
  for (int64_t rows : {int64_t(1), int64_t(7), kMostRows}) {
    std::vector<uint8_t> out(rows * kColumns);
    // x's scale and zero point, w's scale, the stages' operands, out's scale
    // and zero point: the order of problem->epilogue().operands().
    if (auto status = layer->run({x.data(), kDepth}, rows,
                                 {{xScale.data(), 1},
                                  {&xZero},
                                  {wScale.data()},
                                  {bias.data()},
                                  {&outScale},
                                  {&outZero}},
                                 {{out.data(), kColumns}});
        !status)
      return fail(status.error());

    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < kColumns; ++n) {
        int32_t sum = 0;
        for (int64_t k = 0; k < kDepth; ++k)
          sum += (x[m * kDepth + k] - xZero) * w[n * kDepth + k];
        const float value =
            static_cast<float>(sum) * (xScale[m] * wScale[n]) + bias[n];
        const int expected = std::clamp(
            static_cast<int>(std::nearbyint(value / outScale)) + outZero, 0,
            255);
        // By one: compilers may fuse the multiplication and the addition.
        wrong += std::abs(out[m * kColumns + n] - expected) > 1;
      }
  }
  std::printf("%d outputs are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
