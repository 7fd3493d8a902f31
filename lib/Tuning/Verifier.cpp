// Decides whether a kernel is right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tuning/Verifier.h"

#include "Problem/ProblemTitle.h"
#include "Reference/Element.h"
#include "TileEmulation/TileEmulation.h"
#include "Tuning/WorkerThreads.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/core.h>
#include <new>

namespace lintel {

static constexpr uint64_t kSeed = 42;

static double magnitude(double value) {
  return std::isfinite(value) ? std::abs(value) : 0;
}

Verifier::Verifier(const Problem &problem, int64_t rows, TestData data,
                   PoisonedOutputs outputs, std::unique_ptr<Oracle> oracle,
                   OracleSample sample, AlignedBuffer reference)
    : rowCount(rows), columns(problem.n()), dtype(problem.types().result),
      results(problem.epilogue().numResults()), inputs(std::move(data)),
      poisoned(std::move(outputs)), oracle(std::move(oracle)),
      sample(std::move(sample)), reference(std::move(reference)) {}

Expected<std::unique_ptr<Verifier>>
Verifier::create(const Problem &problem, const VerifierOptions &options) {
  Expected<std::unique_ptr<Oracle>> oracle = Oracle::create(problem);
  if (!oracle)
    return oracle.error();
  const int64_t rows = options.rows;
  const DType result = problem.types().result;
  Expected<PoisonedOutputs> outputs = PoisonedOutputs::allocate(
      {problem.epilogue().numResults(), rows, problem.n(), result},
      strideOfSlice(problem.n(), options.wholeColumns, result));
  if (!outputs)
    return outputs.error();
  Expected<AlignedBuffer> reference = AlignedBuffer::allocate(
      static_cast<size_t>(problem.epilogue().numResults() * rows * problem.n() *
                          bytesOf(result)));
  if (!reference)
    return reference.error().in("what outputs are compared with");
  try {
    TestData data(problem, rows, options.fill, kSeed, options.wholeColumns,
                  [&](size_t parts, const std::function<void(size_t)> &work) {
                    runOnWorkers(options.workers, parts,
                                 [&](size_t, size_t part) { work(part); });
                  });
    OracleSample sample =
        OracleSample::evaluate(**oracle, data, problem, rows, options.workers);
    return std::unique_ptr<Verifier>(new Verifier(
        problem, rows, std::move(data), std::move(*outputs), std::move(*oracle),
        std::move(sample), std::move(*reference)));
  } catch (const std::bad_alloc &) {
    return Error(ErrorCode::io, "out of memory: the test data of " +
                                    problemTitle(problem.text()) + " at " +
                                    std::to_string(rows) + " rows");
  }
}

Verdict Verifier::verify(const Run &run, int64_t firstColumn) {
  Verdict verdict = verifyFirstRows(rowCount, run, firstColumn);
  if (verdict.right() && !hasReference) {
    keepAsReference(firstColumn);
    referenceError = verdict.maxError;
    if (!isFloat(dtype) && !sample.complete())
      verdict = verifyAgain(run, firstColumn);
  }
  return verdict;
}

/// Of integers that lie between those of the sample nobody can tell whether
/// they were written; but they are the same twice.
Verdict Verifier::verifyAgain(const Run &run, int64_t firstColumn) {
  Verdict verdict = verifyFirstRows(rowCount, run, firstColumn);
  // Two runs of one kernel, of which the first was wrong.
  if (verdict.refutesReference)
    verdict = {verdict.maxError, "a second run is right where the first was "
                                 "wrong"};
  if (!verdict.right())
    forgetReference();
  return verdict;
}

Verdict Verifier::verifyFirstRows(int64_t rows, const Run &run,
                                  int64_t firstColumn) {
  poisoned.poison();
  // Of the process: what another thread's kernel does at the same time counts,
  // too. But no kernel is to trap, and emulation is for tests.
  const uint64_t trapsBefore = tileFaults();
  Status ran = run(rows, poisoned.tensors());
  if (!ran)
    return {0, ran.error().message(), ran.error().code()};
  if (const uint64_t traps = tileFaults() - trapsBefore; traps > 0)
    return {0, fmt::format("on a CPU with AMX it would trap (emulated, {} "
                           "times): a tile register is not configured for what "
                           "is done with it",
                           traps)};
  const Part part{rows, firstColumn};
  Verdict verdict = compareWithSample(part);
  if (verdict.right())
    verdict.fault = poisoned.damage(rows, firstColumn);
  // A tile may lie between those of the sample, and where the oracle knows
  // nothing anything is right.
  if (verdict.right())
    verdict.fault = poisoned.gap(rows, firstColumn);
  if (verdict.right() && hasReference && !sample.complete())
    compareWithReference(part, verdict);
  return verdict;
}

Verdict Verifier::compareWithSample(Part part) const {
  Verdict verdict;
  for (const SampledSegment &segment : sample.segments()) {
    if (segment.first.row >= part.rows)
      continue;
    const int64_t skipped =
        std::max<int64_t>(0, part.firstColumn - segment.first.column);
    if (equalsReference(segment, skipped))
      verdict.maxError = std::max(verdict.maxError, referenceError);
    else
      compareWithOracle(segment, skipped, verdict);
  }
  return verdict;
}

/// The same bits as in the first accepted run, which the oracle has seen there.
/// Most runs are; comparing numbers one by one takes some 8 ns each.
bool Verifier::equalsReference(const SampledSegment &segment,
                               int64_t skipped) const {
  const int64_t first = segment.first.column + skipped;
  if (!hasReference || first < firstReferenceColumn)
    return false;
  const auto elementBytes = bytesOf(dtype);
  const int64_t bytes =
      std::max<int64_t>(0, segment.columns - skipped) * elementBytes;
  for (int result = 0; result < results; ++result) {
    const int64_t row = segment.first.row;
    if (std::memcmp(referenceRow(result, row) + first * elementBytes,
                    poisoned.rowOf(result, row) + first * elementBytes,
                    static_cast<size_t>(bytes)) != 0)
      return false;
  }
  return true;
}

void Verifier::compareWithOracle(const SampledSegment &segment, int64_t skipped,
                                 Verdict &verdict) const {
  for (int result = 0; result < results; ++result)
    for (int64_t i = skipped; i < segment.columns; ++i) {
      const ElementPosition at{segment.first.row, segment.first.column + i};
      const ReferenceElement &expected =
          segment.expected[static_cast<size_t>(result * segment.columns + i)];
      const double error =
          normalizedError(expected, poisoned.at(result, at.row, at.column));
      if (!(error <= 1) && verdict.right())
        verdict.fault = describe(result, at, expected);
      verdict.maxError = std::max(verdict.maxError, error);
    }
}

const std::byte *Verifier::referenceRow(int result, int64_t row) const {
  return static_cast<const std::byte *>(reference.data()) +
         (result * rowCount + row) * columns * bytesOf(dtype);
}

/// Most rows are equal bit by bit.
void Verifier::compareWithReference(Part part, Verdict &verdict) const {
  const int64_t first = std::max(part.firstColumn, firstReferenceColumn);
  const size_t firstByte = static_cast<size_t>(first) * byteSize(dtype);
  const size_t bytes = static_cast<size_t>(columns - first) * byteSize(dtype);
  for (int result = 0; result < results; ++result)
    for (int64_t row = 0; row < part.rows; ++row) {
      const std::byte *known = referenceRow(result, row);
      const std::byte *found = poisoned.rowOf(result, row);
      if (std::memcmp(known + firstByte, found + firstByte, bytes) == 0)
        continue;
      for (int64_t column = first; column < columns && verdict.right();
           ++column)
        if (!agree(elementAt(dtype, known, column),
                   elementAt(dtype, found, column)))
          settleDifference(result, {row, column}, verdict);
      if (!verdict.right())
        return;
    }
}

/// Asks the oracle who is right where a run differs from the reference.
void Verifier::settleDifference(int result, ElementPosition at,
                                Verdict &verdict) const {
  const ReferenceElement expected = oracleAt(result, at);
  const double error =
      normalizedError(expected, poisoned.at(result, at.row, at.column));
  verdict.maxError = std::max(verdict.maxError, error);
  if (!(error <= 1))
    verdict.fault = describe(result, at, expected);
  else if (!(normalizedError(expected,
                             elementAt(dtype, referenceRow(result, at.row),
                                       at.column)) <= 1))
    verdict.refutesReference = true;
}

/// Two right results differ by at most twice a bound. That of this element is
/// not known; it grows with the values, so the largest of what is no larger in
/// the sample serves, scaled up where the values are larger than in the sample.
/// Where that is too small the oracle is asked in vain, which of a sample so
/// large happens to few.
bool Verifier::agree(double a, double b) const {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return true;
  const double larger = std::max(magnitude(a), magnitude(b));
  const double scale = std::max(
      1.0, larger / std::max(sample.largestValue(), sample.largestBound()));
  // The true value may lie beyond the next power of two.
  return std::abs(a - b) <= 2 * sample.largestBoundUpTo(2 * larger) * scale;
}

ReferenceElement Verifier::oracleAt(int result, ElementPosition at) const {
  std::vector<ReferenceElement> expected;
  oracle->evaluateElement(inputs.inputs(), at.row, at.column,
                          inputs.exactSums(), expected);
  return expected[result];
}

std::string Verifier::describe(int result, ElementPosition at,
                               const ReferenceElement &expected) const {
  const std::string found =
      poisoned.written(result, at.row, at.column)
          ? fmt::format("is {:.9g}", poisoned.at(result, at.row, at.column))
          : "was not written";
  return fmt::format("output {}, row {}, column {} {}; right is {:.9g} with an "
                     "error of at most {:.3g}",
                     result, at.row, at.column, found, expected.value,
                     expected.bound);
}

void Verifier::keepAsReference(int64_t firstColumn) {
  firstReferenceColumn = firstColumn;
  hasReference = true;
  const auto rowBytes = columns * bytesOf(dtype);
  auto *copy = static_cast<std::byte *>(reference.data());
  for (int result = 0; result < results; ++result)
    for (int64_t row = 0; row < rowCount; ++row, copy += rowBytes)
      std::copy_n(poisoned.rowOf(result, row), rowBytes, copy);
}

} // namespace lintel
