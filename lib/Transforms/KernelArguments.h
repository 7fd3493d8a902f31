// Reading what a call gives its kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Lintel/LintelDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>

namespace lintel::ir {

/// Builds lintel.kernel_arg. `position` is that of a field's tensor, where a
/// kernel has several.
class KernelArguments {
public:
  KernelArguments(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value args)
      : builder(builder), loc(loc), args(args) {}

  mlir::Value number(KernelField field, int64_t position = 0) const {
    return KernelArgOp::create(builder, loc, builder.getIndexType(), args,
                               field, position);
  }
  /// Of the first element, of that type.
  mlir::Value pointer(KernelField field, mlir::Type element,
                      int64_t position = 0) const {
    return KernelArgOp::create(builder, loc, mlir::MemRefType::get({}, element),
                               args, field, position);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value args;
};

} // namespace lintel::ir
