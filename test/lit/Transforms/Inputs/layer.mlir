// A layer without a schedule, for command lines that go wrong.
func.func @layer(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x96xf32>
}
