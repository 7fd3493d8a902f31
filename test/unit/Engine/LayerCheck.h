// Running a layer on test data; a directory to cache in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lintel/Engine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lintel {

/// Data of one call of a layer with named epilogues, and its outputs.
struct LayerData {
  LayerData(const Problem &problem, int64_t rows);
  std::vector<ConstTensorRef> operandRefs() const;

  Problem problem;
  int64_t rows;
  std::vector<float> x, w, out;
  std::vector<std::vector<float>> operands;
  std::vector<int64_t> operandStrides;
};

/// Sets the weight.
void giveWeight(Linear &layer, const LayerData &data);
/// Poisons the outputs, runs and compares each with the oracle.
void expectRightRun(const Linear &layer, LayerData &data);
/// Both, on fresh data.
void expectRight(Linear &layer, int64_t rows);

/// A private directory that is removed, with its content, at the end.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  const std::string &path() const { return directory; }
  /// Paths of the regular files in it.
  std::vector<std::string> files() const;

private:
  std::string directory;
};

} // namespace lintel
