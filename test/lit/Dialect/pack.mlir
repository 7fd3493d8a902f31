// lintel.pack and !lintel.packed parse, print and survive generic form and bytecode.
// RUN: lintel-opt %s | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --emit-bytecode | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @pack
func.func @pack(%w: tensor<3072x768xf32>, %v: memref<5x0xbf16>) {
  // CHECK: lintel.pack %{{.*}} : tensor<3072x768xf32> -> !lintel.packed<3072x768xf32, n = 48, k = 1>
  // GENERIC: "lintel.pack"(%{{.*}}) : (tensor<3072x768xf32>) -> !lintel.packed<3072x768xf32, n = 48, k = 1>
  %p = lintel.pack %w : tensor<3072x768xf32> -> !lintel.packed<3072x768xf32, n = 48, k = 1>
  // CHECK: lintel.pack %{{.*}} : memref<5x0xbf16> -> !lintel.packed<5x0xbf16, n = 32, k = 2>
  %q = lintel.pack %v : memref<5x0xbf16> -> !lintel.packed<5x0xbf16, n = 32, k = 2>
  return
}

// CHECK-LABEL: func.func private @types(!lintel.packed<0x0xi8, n = 1, k = 4>, !lintel.kernel_args)
func.func private @types(!lintel.packed<0x0xi8, n = 1, k = 4>, !lintel.kernel_args)
