// The same as layer-f16.mlir, where sums of runs of K may be of f16.
func.func @layer(%x: tensor<61x65xf16>, %w: tensor<130x65xf16>, %b: tensor<130xf16>) -> tensor<61x130xf16> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<130xf16>) {accumulate = f16}
      : (tensor<61x65xf16>, tensor<130x65xf16>) -> tensor<61x130xf16> {
  ^bb0(%acc: f32, %bias: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to f16
    lintel.yield %2 : f16
  }
  return %y : tensor<61x130xf16>
}
