// A layer of whole tiles: 64 rows, 96 columns.
func.func @layer(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>, %b: tensor<96xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w epilogue(%b : tensor<96xf32>)
      : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    %1 = math.tanh %0 : f32
    lintel.yield %1 : f32
  }
  return %y : tensor<64x96xf32>
}
