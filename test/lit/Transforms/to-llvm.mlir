// lintel-to-llvm: where each field of KernelArgs stands, linkage and attributes.
// RUN: lintel-opt %s --lintel-to-llvm | FileCheck %s
// RUN: lintel-opt %s --lintel-to-llvm | FileCheck %s --check-prefix=ONLY
// ONLY-NOT: {{(lintel|func|arith|memref|scf|cf|vector|math|ub|builtin)\.[a-z_]+ }}
// ONLY-NOT: unrealized_conversion_cast

// The kernel is visible, and realigns its stack.
// CHECK-LABEL: llvm.func @kernel(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i32, %{{[^:]*}}: i32) attributes {passthrough = ["stackrealign"]} {
// CHECK: llvm.call @tile
func.func @kernel(%args: !lintel.kernel_args, %tid: i32, %nthreads: i32) {
  %c0 = arith.constant 0 : index
  %t = arith.index_cast %tid : i32 to index
  %n = arith.index_cast %nthreads : i32 to index
  %m = lintel.kernel_arg %args m : index
  scf.for %i = %t to %m step %n {
    func.call @tile(%args, %i) : (!lintel.kernel_args, index) -> ()
  }
  return
}

// Private functions leave no symbol, and stay functions of their own.
// CHECK-LABEL: llvm.func internal @tile(
// CHECK-SAME: attributes {{{.*}}passthrough = ["stackrealign", "noinline"]
func.func private @tile(%args: !lintel.kernel_args, %i: index) {
  %y = lintel.kernel_arg %args output[0] : memref<f32>
  %view = memref.reinterpret_cast %y to offset: [%i], sizes: [16], strides: [1] : memref<f32> to memref<16xf32, strided<[1], offset: ?>>
  %c0 = arith.constant 0 : index
  %v = vector.load %view[%c0] : memref<16xf32, strided<[1], offset: ?>>, vector<16xf32>
  %s = math.sqrt %v : vector<16xf32>
  %f = vector.fma %s, %v, %v : vector<16xf32>
  vector.store %f, %view[%c0] : memref<16xf32, strided<[1], offset: ?>>, vector<16xf32>
  return
}

// What a function was given stays.
// CHECK-LABEL: llvm.func @unoptimized(
// CHECK-SAME: attributes {passthrough = ["stackrealign", "noinline", "optnone"]}
func.func @unoptimized() attributes {passthrough = ["noinline", "optnone"]} {
  return
}

// CHECK-LABEL: llvm.func internal @cold(
// CHECK-SAME: passthrough = ["stackrealign", "cold", "noinline"]
func.func private @cold() attributes {passthrough = ["cold"]} {
  return
}

// A declaration is what another module defines.
// CHECK-LABEL: llvm.func @declared(i32)
// CHECK-NOT: internal
// CHECK-LABEL: llvm.func @calls_declared(
func.func private @declared(i32)
func.func @calls_declared(%i: i32) {
  func.call @declared(%i) : (i32) -> ()
  return
}

// The offsets are those of KernelArgs in KernelABI.h
// (test/unit/Codegen/KernelArgumentsTest.cpp holds the two together).
// CHECK-LABEL: llvm.func @indices(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr)
func.func @indices(%args: !lintel.kernel_args)
    -> (index, index, index, index, index, index, index, index, index, index, index, index) {
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][16] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> i64
  %0 = lintel.kernel_arg %args ldx : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][32] : (!llvm.ptr) -> !llvm.ptr, i8
  %1 = lintel.kernel_arg %args m : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][40] : (!llvm.ptr) -> !llvm.ptr, i8
  %2 = lintel.kernel_arg %args mc : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][48] : (!llvm.ptr) -> !llvm.ptr, i8
  %3 = lintel.kernel_arg %args nc : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][56] : (!llvm.ptr) -> !llvm.ptr, i8
  %4 = lintel.kernel_arg %args kc : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][64] : (!llvm.ptr) -> !llvm.ptr, i8
  %5 = lintel.kernel_arg %args grid_m : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][72] : (!llvm.ptr) -> !llvm.ptr, i8
  %6 = lintel.kernel_arg %args grid_n : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][80] : (!llvm.ptr) -> !llvm.ptr, i8
  %7 = lintel.kernel_arg %args grid_k : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][88] : (!llvm.ptr) -> !llvm.ptr, i8
  %8 = lintel.kernel_arg %args phase : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][96] : (!llvm.ptr) -> !llvm.ptr, i8
  %9 = lintel.kernel_arg %args block_order : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][104] : (!llvm.ptr) -> !llvm.ptr, i8
  %10 = lintel.kernel_arg %args tile_order : index
  // CHECK: llvm.getelementptr inbounds %[[ARGS]][120] : (!llvm.ptr) -> !llvm.ptr, i8
  %11 = lintel.kernel_arg %args workspace_stride : index
  // CHECK-NOT: llvm.getelementptr
  // CHECK: llvm.return
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11
      : index, index, index, index, index, index, index, index, index, index, index, index
}

// A pointer becomes the aligned pointer of a memref descriptor.
// CHECK-LABEL: llvm.func @pointers(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr)
func.func @pointers(%args: !lintel.kernel_args) -> f32 {
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][8] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[X:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.insertvalue %[[X]], %{{.*}}[1]
  %x = lintel.kernel_arg %args x : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][24] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[W:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.insertvalue %[[W]], %{{.*}}[1]
  %w = lintel.kernel_arg %args w : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][112] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[WORKSPACE:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.insertvalue %[[WORKSPACE]], %{{.*}}[1]
  %ws = lintel.kernel_arg %args workspace : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][128] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[PARTIALS:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK: llvm.insertvalue %[[PARTIALS]], %{{.*}}[1]
  %ps = lintel.kernel_arg %args partials : memref<f32>
  %0 = memref.load %x[] : memref<f32>
  %1 = memref.load %w[] : memref<f32>
  %2 = memref.load %ws[] : memref<f32>
  %3 = memref.load %ps[] : memref<f32>
  %4 = arith.addf %0, %1 : f32
  %5 = arith.addf %4, %2 : f32
  %6 = arith.addf %5, %3 : f32
  return %6 : f32
}

// Sums of integers stand behind the rest.
// CHECK-LABEL: llvm.func @sums(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr)
func.func @sums(%args: !lintel.kernel_args) -> i32 {
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][152] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  %c = lintel.kernel_arg %args column_sums : memref<i32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][160] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  %r = lintel.kernel_arg %args row_sums : memref<i32>
  %0 = memref.load %c[] : memref<i32>
  %1 = memref.load %r[] : memref<i32>
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}

// Tables: the pointer first, then 16 bytes an entry: data, stride.
// CHECK-LABEL: llvm.func @tables(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr)
func.func @tables(%args: !lintel.kernel_args) -> (f32, f32, index, index) {
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][136] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[TABLE:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK-NEXT: %[[P:.*]] = llvm.getelementptr inbounds %[[TABLE]][16] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  %o = lintel.kernel_arg %args output[1] : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][144] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[TABLE:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK-NEXT: %[[P:.*]] = llvm.getelementptr inbounds %[[TABLE]][0] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  %p = lintel.kernel_arg %args operand[0] : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][136] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[TABLE:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK-NEXT: %[[P:.*]] = llvm.getelementptr inbounds %[[TABLE]][8] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> i64
  %os = lintel.kernel_arg %args output_stride[0] : index
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][144] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[TABLE:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK-NEXT: %[[P:.*]] = llvm.getelementptr inbounds %[[TABLE]][40] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> i64
  %ps = lintel.kernel_arg %args operand_stride[2] : index
  %0 = memref.load %o[] : memref<f32>
  %1 = memref.load %p[] : memref<f32>
  return %0, %1, %os, %ps : f32, f32, index, index
}
