// Inputs of a layer and what must come out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/Oracle.h"
#include "Reference/TestData.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lintel::integration {

/// Dense tensors of one call, free to edit before the oracle sees them, which
/// are then rounded to the types of the problem.
struct Inputs {
  std::vector<float> x, w;
  std::vector<std::vector<float>> operands;
  /// Every partial sum is exact in f32, in any order.
  bool exactSums = false;
};

/// Shape of an epilogue operand as a matrix.
struct OperandShape {
  int64_t rows, columns;
};
OperandShape operandShape(Broadcast broadcast, int64_t rows, int64_t columns);

/// `rows` rows of data and the true value of every element of every result. A
/// call may use fewer rows: each depends on its own inputs alone.
class Workload {
public:
  using Edit = std::function<void(Inputs &)>;
  Workload(const Problem &problem, int64_t rows, Fill fill, uint64_t seed,
           const Edit &edit = nullptr);

  const Problem &problem() const { return layer; }
  int64_t rows() const { return rowCount; }
  const Inputs &inputs() const { return data; }
  const ReferenceElement &expected(int result, int64_t row,
                                   int64_t column) const {
    return reference[size_t((row * results + result) * layer.n() + column)];
  }
  /// "fill=exact seed=3"
  const std::string &origin() const { return originText; }

private:
  void evaluate();

  Problem layer;
  int64_t rowCount;
  int results;
  Inputs data;
  std::vector<ReferenceElement> reference; ///< [row][result][column]
  std::string originText;
};

} // namespace lintel::integration
