// A layer of bf16 whose tiles are ragged: 61 rows, 130 columns, K odd.
func.func @layer(%x: tensor<61x65xbf16>, %w: tensor<130x65xbf16>, %b: tensor<130xbf16>) -> tensor<61x130xbf16> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<130xbf16>)
      : (tensor<61x65xbf16>, tensor<130x65xbf16>) -> tensor<61x130xbf16> {
  ^bb0(%acc: f32, %bias: bf16):
    %0 = arith.extf %bias : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    lintel.yield %2 : bf16
  }
  return %y : tensor<61x130xbf16>
}
