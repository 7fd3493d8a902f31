// The smallest user of the C++ API: a layer compiled, run and checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lintel/Engine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int64_t kRows = 32, kDepth = 256, kColumns = 512;

int fail(const lintel::Error &error) {
  std::fprintf(stderr, "error: %s\n", error.message().c_str());
  return 1;
}

/// Numbers between -1 and 1 that look random.
std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i * 2654435761u % 2001) / 1000 - 1;
  return values;
}

} // namespace

int main() {
  // out = relu(x * transpose(w) + bias), for any number of rows.
  auto problem = lintel::Problem::parse("?x256:256x512 bias+relu");
  if (!problem)
    return fail(problem.error());
  auto engine = lintel::Engine::create();
  if (!engine)
    return fail(engine.error());

  // The first time this tunes; from then on the kernel comes from the cache.
  auto layer = (*engine)->compile(*problem);
  if (!layer)
    return fail(layer.error());

  const std::vector<float> x = numbers(kRows * kDepth);
  const std::vector<float> w = numbers(kColumns * kDepth);
  const std::vector<float> bias = numbers(kColumns);
  std::vector<float> out(kRows * kColumns);
  if (auto status = layer->setWeight(w.data(), kDepth); !status)
    return fail(status.error());
  if (auto status = layer->run({x.data(), kDepth}, kRows, {{bias.data(), 0}},
                               {{out.data(), kColumns}});
      !status)
    return fail(status.error());

  const int64_t row = 3, column = 17;
  double expected = bias[column];
  for (int64_t k = 0; k < kDepth; ++k)
    expected +=
        static_cast<double>(x[row * kDepth + k]) * w[column * kDepth + k];
  expected = std::max(expected, 0.0);
  const double actual = out[row * kColumns + column];
  std::printf("out[%ld, %ld] = %.5f, expected %.5f\n", long(row), long(column),
              actual, expected);
  // A layer of any number of rows has several kernels.
  for (const lintel::TuningReport &bucket : layer->report().buckets)
    if (bucket.rows.contains(kRows))
      std::printf("kernel %s (%s)\n", bucket.schedule.c_str(),
                  std::string(toString(bucket.source)).c_str());
  return std::abs(actual - expected) < 1e-3 ? 0 : 1;
}
