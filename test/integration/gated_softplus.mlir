// A layer whose epilogue no chain of named stages can express.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar, row and full operands, two results, comparisons, selections, functions.
// The kernel tests take its region and put it on layers of other sizes.
func.func @gated_softplus(%x: tensor<?x33xf32>, %w: tensor<50x33xf32>, %scale: tensor<f32>,
                          %shift: tensor<?x1xf32>, %gate: tensor<?x50xf32>)
    -> (tensor<?x50xf32>, tensor<?x50xf32>) {
  %y:2 = lintel.linear %x, %w epilogue(%scale, %shift, %gate : tensor<f32>, tensor<?x1xf32>, tensor<?x50xf32>)
      : (tensor<?x33xf32>, tensor<50x33xf32>) -> (tensor<?x50xf32>, tensor<?x50xf32>) {
  ^bb0(%acc: f32, %s: f32, %r: f32, %g: f32):
    %most = arith.constant 8.0 : f32
    %least = arith.constant -8.0 : f32
    %shifted = arith.addf %acc, %r : f32
    %capped = arith.minimumf %shifted, %most : f32
    %bounded = arith.maximumf %capped, %least : f32
    %exponential = math.exp %bounded : f32
    %softplus = math.log1p %exponential : f32
    %open = arith.cmpf ogt, %acc, %g : f32
    %scaled = arith.mulf %softplus, %s : f32
    %first = arith.select %open, %scaled, %g : f32
    %magnitude = math.absf %acc : f32
    %second = arith.subf %g, %magnitude : f32
    lintel.yield %first, %second : f32, f32
  }
  return %y#0, %y#1 : tensor<?x50xf32>, tensor<?x50xf32>
}
