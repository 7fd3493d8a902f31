// One call of a kernel with every buffer between inaccessible pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "GuardedMatrix.h"
#include "JIT/Loader.h"
#include "Lintel/Schedule.h"
#include "Runtime/KernelCall.h"
#include "Workload.h"
#include "lintel/Executor.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lintel::integration {

/// The parts of a call, all run on the calling thread.
struct Team {
  enum class Order { ascending, descending };
  int32_t parts = 1; ///< not bounded by the number of chunks
  Order order = Order::ascending;

  std::string text() const;
};

/// A full operand that lies where an output goes.
struct Alias {
  size_t operand = 0, output = 0;
};

/// The memory of a call on the first `rows` rows of a workload: x, w, operands
/// and outputs laid out as told. Outputs are poisoned before each run.
class GuardedCall {
public:
  GuardedCall(const Workload &workload, int64_t rows, const Layout &layout,
              std::optional<Alias> alias = std::nullopt);

  const Workload &workload() const { return work; }
  int64_t rows() const { return rowCount; }
  /// "m=5 fill=exact seed=3 rows=dense offset=0 fit=end"
  std::string text() const;

  /// Runs the parts in poisoned workspaces of exactly the size that a schedule
  /// asks for on the target.
  Status run(const Kernel &kernel, const Schedule &schedule,
             const Target &target, const Team &team);
  /// Runs as an engine does.
  Status run(const Kernel &kernel, const Schedule &schedule,
             const Target &target, Executor &executor, int32_t threads);

  /// What is wrong with the last run; empty if nothing.
  std::string fault() const;
  /// All results, dense.
  std::vector<float> outputs() const;

private:
  struct Packed {
    GuardedBuffer buffer;
    const void *data;
  };
  Expected<const void *> packedWeight(const PanelShape &shape);
  KernelPlan planFor(const Kernel &kernel, const Schedule &schedule,
                     const Target &target, int32_t threads) const;
  Status runParts(const KernelPlan &plan, const void *packed, const Team &team);
  void prepareOutputs();
  bool isRightAt(int result, int64_t row, int64_t column) const;
  std::optional<int64_t> firstWrongColumn(int result, int64_t row) const;
  std::string describe(int result, int64_t row, int64_t column) const;

  const Workload &work;
  int64_t rowCount;
  Layout layout;
  std::optional<Alias> alias;
  GuardedMatrix x, w;
  std::vector<GuardedMatrix> operands, outputMatrices;
  std::vector<KernelTensor> operandTensors, outputTensors;
  std::map<PanelShape, Packed> packed;
};

} // namespace lintel::integration
