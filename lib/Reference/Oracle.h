// What a linear layer means: the oracle of the tests and of the tuner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Error.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lintel {

/// A read-only tensor as kernels see it: `stride` elements between rows
/// (between elements for a row operand; ignored for scalar and column
/// operands).
struct ConstTensorView {
  const void *data = nullptr;
  int64_t stride = 0;
};

/// The inputs of one call. The weight is unpacked, [N, K], row stride ldw.
struct LinearInputs {
  int64_t m = 0;
  ConstTensorView x;
  ConstTensorView w;
  std::vector<ConstTensorView> operands; ///< one per epilogue operand
};

/// The true value of one output element and how far a right kernel may be off.
struct ReferenceElement {
  double value = 0;
  double bound = 0;
};

/// Evaluates a problem in double precision; tensors hold elements of its types.
///
/// bound: let d = K * eps * sum_k |x w| (eps = 2^-23; 0 when `exactSums` says
/// that every partial sum is exact in f32), v the value, f the epilogue. Then
/// bound = max(|f(acc + d) - v|, |f(acc - d) - v|) + r + the smallest normal
/// f32; where f may come back to v in between, as periodic functions, steps and
/// comparisons do, no less than what d is carried on to by slopes. Products and
/// quotients of what depends on the sum are not among these: slopes do not see
/// that the factors move together, and would make 0.44 d of silu and 0.45 d of
/// gelu_erf at their minima, where d moves them by less than d^2. So what lies
/// in between may be missed of a function such as a^3 - a/4, whose ends come
/// back. r bounds the rounding errors of f itself: each arith operation adds
/// eps times its result, nothing if the result is exact, each math function 8
/// eps times its result, and math.fma eps times its product and its result,
/// unless they are exact; errors carry over to later operations by their slopes
/// (Number.h). Of some functions an error is not relative, or grows with
/// arguments; r then has
///   erfc(x):    (8 + x^2) eps times its result for positive x;
///   powf(x, y): (8 + 3 |y log x|) eps times its result, and |y| eps more where
///               y is whole and |y| at most 16;
///   cos(x):     8 eps, and from |x| = 2^15 on 8 eps |x| 2^-14;
///   sin(x):     the same, but 8 eps |x| below 1.
/// Of sines and cosines beyond 2^17 nothing is known. What is below the normal
/// numbers may be zero. Where errors make an operation overflow or leave its
/// domain, or not, the bound is infinite. So an epilogue that is exact on exact
/// sums must be met bit by bit, a narrow result in its rounding to nearest and
/// even, but for denormals of bf16, which may be zero. Where the value before
/// rounding is not certain, half a last place of the narrow type joins r.
///
/// Where sums of runs of R = kHalfRun elements may be of f16, u = 2^-11,
///   d = (R u / (1 - R u) + K * eps) * sum_k |x w| + K * 2^-24:
/// each product of a run is rounded R times at most, by u of its partial sum
/// or, below the normal numbers, by 2^-25. What reaches 65520 rounds to
/// infinity in f16: where sum_k |x w| + d does, a partial sum may, and nothing
/// is known of a right kernel.
///
/// Sums of integers are exact. An operation that cannot be fused with another
/// adds nothing on operands that are exact: so integers are quantised to the
/// bit as kernels do, unless a math function came before.
///
/// A value that the type cannot hold is an infinity, as it is in a kernel.
class Oracle {
public:
  /// Errors: an epilogue region that is not valid, or with an operation that
  /// the reference does not know.
  static Expected<std::unique_ptr<Oracle>> create(const Problem &problem);
  virtual ~Oracle();

  /// Elements [row, first..first + count) of every result:
  /// out[result * count + column - first].
  virtual void evaluateColumns(const LinearInputs &inputs, int64_t row,
                               int64_t first, int64_t count, bool exactSums,
                               std::vector<ReferenceElement> &out) const = 0;
  /// Elements [row, 0..N) of every result: out[result * N + column].
  virtual void evaluateRow(const LinearInputs &inputs, int64_t row,
                           bool exactSums,
                           std::vector<ReferenceElement> &out) const = 0;
  /// Element (row, column) of every result: out[result].
  void evaluateElement(const LinearInputs &inputs, int64_t row, int64_t column,
                       bool exactSums,
                       std::vector<ReferenceElement> &out) const {
    evaluateColumns(inputs, row, column, 1, exactSums, out);
  }
};

/// |actual - expected.value| / expected.bound; 0 if both are the same infinity
/// or both NaN, infinity if only one is NaN or the infinities differ. An
/// infinite bound lets anything pass. <= 1 is right.
double normalizedError(const ReferenceElement &expected, double actual);

} // namespace lintel
