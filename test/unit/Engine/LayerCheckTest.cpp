// Running a layer on test data; a directory to cache in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Engine/LayerCheck.h"

#include "Reference/Oracle.h"
#include "Reference/TestData.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <stdlib.h>

namespace lintel {

LayerData::LayerData(const Problem &problem, int64_t rows)
    : problem(problem), rows(rows) {
  const TestData data(problem, rows, Fill::gaussian, /*seed=*/7);
  x = data.x().floats();
  w = data.w().floats();
  for (const TypedTensor &operand : data.operands())
    operands.push_back(operand.floats());
  for (const ConstTensorView &view : data.inputs().operands)
    operandStrides.push_back(view.stride);
  out.resize(static_cast<size_t>(rows * problem.n()));
}

std::vector<ConstTensorRef> LayerData::operandRefs() const {
  std::vector<ConstTensorRef> refs;
  for (size_t i = 0; i < operands.size(); ++i)
    refs.push_back({operands[i].data(), operandStrides[i]});
  return refs;
}

void giveWeight(Linear &layer, const LayerData &data) {
  const Status set = layer.setWeight(data.w.data(), data.problem.k());
  ASSERT_TRUE(set) << set.error().message();
}

void expectRightRun(const Linear &layer, LayerData &data) {
  const Problem &problem = data.problem;
  data.out.assign(data.out.size(), std::numeric_limits<float>::quiet_NaN());
  const TensorRef output{data.out.data(), problem.n()};
  const Status status = layer.run({data.x.data(), problem.k()}, data.rows,
                                  data.operandRefs(), std::span(&output, 1));
  ASSERT_TRUE(status) << status.error().message();

  Expected<std::unique_ptr<Oracle>> oracle = Oracle::create(problem);
  ASSERT_TRUE(oracle) << oracle.error().message();
  LinearInputs inputs{data.rows,
                      {data.x.data(), problem.k()},
                      {data.w.data(), problem.k()},
                      {}};
  for (const ConstTensorRef &operand : data.operandRefs())
    inputs.operands.push_back({operand.data, operand.stride});
  std::vector<ReferenceElement> expected;
  for (int64_t row = 0; row < data.rows; ++row) {
    (*oracle)->evaluateRow(inputs, row, /*exactSums=*/false, expected);
    for (int64_t column = 0; column < problem.n(); ++column)
      ASSERT_LE(normalizedError(expected[column],
                                data.out[row * problem.n() + column]),
                1)
          << "at [" << row << ", " << column << "]";
  }
}

void expectRight(Linear &layer, int64_t rows) {
  LayerData data(layer.problem(), rows);
  giveWeight(layer, data);
  expectRightRun(layer, data);
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "lintel-engine-XXXXXX")
          .string();
  if (const char *made = mkdtemp(pattern.data()))
    directory = made;
  EXPECT_FALSE(directory.empty());
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

std::vector<std::string> TemporaryDirectory::files() const {
  std::vector<std::string> paths;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file())
      paths.push_back(entry.path().string());
  return paths;
}

// The check itself must be able to fail.
TEST(LayerCheck, FindsAWrongElement) {
  const Problem problem = *Problem::parse("2x3:3x2");
  Expected<std::unique_ptr<Oracle>> oracle = Oracle::create(problem);
  ASSERT_TRUE(oracle);
  LayerData data(problem, 2);
  LinearInputs inputs{2, {data.x.data(), 3}, {data.w.data(), 3}, {}};
  std::vector<ReferenceElement> expected;
  (*oracle)->evaluateRow(inputs, 1, false, expected);
  EXPECT_LE(normalizedError(expected[0], expected[0].value), 1);
  EXPECT_GT(normalizedError(expected[0], expected[0].value + 0.01), 1);
}

} // namespace lintel
