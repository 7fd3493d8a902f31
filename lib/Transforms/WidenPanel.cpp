// The function of a kernel that widens a panel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transforms/WidenPanel.h"

#include "Transforms/ProductStep.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace lintel::ir {

using mlir::Value;

void buildWidenPanel(KernelWriter &writer) {
  const KernelLayer &layer = writer.layer;
  IndexMath &math = writer.math;
  llvm::SmallVector<mlir::Type> inputs(4, writer.indexType);
  inputs.front() = writer.argsType;
  mlir::func::FuncOp function =
      writer.createPrivate(writer.widenName(), inputs);
  Value args = function.getArgument(0), from = function.getArgument(1);
  Value depth = function.getArgument(2), to = function.getArgument(3);

  const int64_t group = layer.schedule.group, nr = layer.schedule.nr;
  Value one = math.constant(1), width = math.constant(nr);
  Value inGroup = math.constant(nr * group);
  Value groups = math.ceilDivBy(depth, group);
  Value narrow = math.view(writer.pointer(args, KernelField::w, layer.weight),
                           from, {groups, inGroup}, {inGroup, one});
  Value wide = math.view(
      writer.pointer(args, KernelField::workspace, layer.panelType()), to,
      {math.mul(groups, math.constant(group)), width}, {width, one});
  // What a step of the k loop would do with what it loads.
  const std::unique_ptr<ProductStep> step =
      ProductStep::create(writer.builder, writer.loc, layer.weight,
                          layer.target, Accumulate::f32, /*left=*/Value());
  math.loop(groups, [&](Value g) {
    Value row = math.mul(g, math.constant(group));
    for (int64_t column = 0; column < nr; column += layer.target.lanes()) {
      const ProductStep::Parts parts = step->loadB(
          narrow, {g, math.constant(column * group)}, /*mask=*/Value());
      for (auto [part, vector] : llvm::enumerate(parts))
        mlir::vector::StoreOp::create(
            writer.builder, writer.loc, vector, wide,
            mlir::ValueRange{
                math.add(row, math.constant(static_cast<int64_t>(part))),
                math.constant(column)});
    }
  });
  writer.finish(function);
}

} // namespace lintel::ir
