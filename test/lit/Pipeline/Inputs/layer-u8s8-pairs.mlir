// As layer-u8s8.mlir, with sums of pairs that may be of i16.
func.func @layer(%x: tensor<61x66xui8>, %w: tensor<130x66xi8>, %z: tensor<i32>, %s: tensor<130xf32>) -> tensor<61x130xui8> {
  %y = lintel.linear %x, %w epilogue(%z, %s : tensor<i32>, tensor<130xf32>) {accumulate = i16, column_sums}
      : (tensor<61x66xui8>, tensor<130x66xi8>) -> tensor<61x130xui8> {
  ^bb0(%acc: i32, %column: i32, %zero: i32, %scale: f32):
    %least = arith.constant 0.0 : f32
    %most = arith.constant 255.0 : f32
    %0 = arith.muli %zero, %column : i32
    %1 = arith.subi %acc, %0 : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.cmpf ogt, %4, %least : f32
    %6 = arith.select %5, %4, %least : f32
    %7 = arith.cmpf olt, %6, %most : f32
    %8 = arith.select %7, %6, %most : f32
    %9 = arith.fptosi %8 : f32 to i32
    %10 = arith.trunci %9 : i32 to i8
    lintel.yield %10 : i8
  }
  return %y : tensor<61x130xui8>
}
