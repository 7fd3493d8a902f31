// A compiled layer: checks its arguments and calls the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engine/CallArguments.h"
#include "Engine/LinearImpl.h"

#include "Schedule/Workspace.h"

#include <utility>

namespace lintel {

namespace {

KernelPlan planOf(const CompiledKernel &kernel, const Target &target,
                  int threads) {
  // The workspace grows with the rows up to one block's, so that of the most
  // rows serves any call; checkSchedule bounds it.
  const int64_t mostRows = kernel.problem.rows().most;
  return makePlan(kernel.kernel->function(), kernel.schedule, kernel.problem,
                  threads,
                  workspaceBytesPerThread(kernel.schedule, kernel.problem,
                                          target, mostRows));
}

} // namespace

Linear::Impl::Impl(const Problem &problem, TuningReport report,
                   std::shared_ptr<const CompiledLayer> layer,
                   const Target &target, std::shared_ptr<Executor> executor,
                   int threads)
    : problem(problem), report(std::move(report)), layer(std::move(layer)),
      executor(std::move(executor)), threads(threads) {
  for (const CompiledKernel &kernel : this->layer->kernels) {
    mostRows.push_back(kernel.problem.rows().most);
    plans.push_back(planOf(kernel, target, threads));
  }
}

Linear::Impl::Impl(const Problem &problem, TuningReport report)
    : problem(problem), report(std::move(report)) {}

Linear::Linear(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Linear::Linear(Linear &&) noexcept = default;
Linear &Linear::operator=(Linear &&) noexcept = default;
Linear::~Linear() = default;

const Problem &Linear::problem() const { return impl->problem; }
const TuningReport &Linear::report() const { return impl->report; }

Status Linear::setWeight(const void *w, int64_t ldw) {
  if (!impl->layer)
    return {};
  const Problem &problem = impl->problem;
  if (Status valid = checkWeight(problem, w, ldw); !valid)
    return valid;
  const PackedLayout layout =
      PackedLayout::of(problem, impl->layer->kernels.front().schedule.panel());
  Expected<PackedWeight> packed =
      PackedWeight::pack(layout, w, ldw, *impl->executor, impl->threads);
  if (!packed)
    return packed.error().in("packing the weight");
  impl->weight = std::move(*packed);
  return {};
}

Status Linear::run(ConstTensorRef x, int64_t rows,
                   std::span<const ConstTensorRef> operands,
                   std::span<const TensorRef> outputs) const {
  const Problem &problem = impl->problem;
  if (Status valid =
          checkTensorCounts(problem, operands.size(), outputs.size());
      !valid)
    return valid;
  if (Status valid = checkRows(problem, rows); !valid)
    return valid;
  if (rows == 0 || !impl->layer)
    return {};
  if (!impl->weight)
    return Error(ErrorCode::invalidArgument,
                 "no weight is set; set it before the first run");
  if (Status valid = checkInput(problem, rows, x); !valid)
    return valid;
  CallTensors<KernelTensor> kernelOperands(operands.size());
  CallTensors<KernelTensor> kernelOutputs(outputs.size());
  if (Status valid = gatherOperands(problem, rows, operands, kernelOperands);
      !valid)
    return valid;
  if (Status valid = gatherOutputs(problem, rows, outputs, kernelOutputs);
      !valid)
    return valid;
  if (Status valid = checkOutputsApart(problem, rows, x, operands, outputs);
      !valid)
    return valid;

  return runPlan(impl->planFor(rows), *impl->executor, x.data, x.stride, rows,
                 impl->weight->data(), kernelOutputs.data(),
                 kernelOperands.data());
}

} // namespace lintel
