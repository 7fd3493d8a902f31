// A layer with a schedule and a target of its own, which need no options.
func.func @layer(%x: tensor<64x64xf32>, %w: tensor<96x64xf32>) -> tensor<64x96xf32> {
  %y = lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16>, target = #lintel.target<isa = avx2>}
      : (tensor<64x64xf32>, tensor<96x64xf32>) -> tensor<64x96xf32> {
  ^bb0(%acc: f32):
    lintel.yield %acc : f32
  }
  return %y : tensor<64x96xf32>
}
