module {
  func.func @lowered(%arg0: memref<?xf32>, %arg1: index) -> vector<16xf32> {
    %0 = vector.load %arg0[%arg1] : memref<?xf32>, vector<16xf32>
    return %0 : vector<16xf32>
  }
}

