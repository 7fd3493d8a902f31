// lintel-to-llvm: where each field of KernelArgs stands, linkage and attributes, views.
// RUN: lintel-opt %s --lintel-to-llvm | FileCheck %s
// RUN: lintel-opt %s --lintel-to-llvm | FileCheck %s --check-prefix=ONLY
// ONLY-NOT: {{(lintel|func|arith|memref|scf|cf|vector|math|ub|builtin)\.[a-z_]+ |unrealized_conversion_cast}}
// ONLY: llvm.func @kernel(
// ONLY-NOT: {{(lintel|func|arith|memref|scf|cf|vector|math|ub|builtin)\.[a-z_]+ |unrealized_conversion_cast}}

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

// Nothing is said twice.
// CHECK-LABEL: llvm.func internal @private_unoptimized(
// CHECK-SAME: passthrough = ["stackrealign", "noinline", "optnone"]
func.func private @private_unoptimized() attributes {passthrough = ["noinline", "optnone"]} {
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

// What a pointer points to is read through it, without a memref descriptor.
// CHECK-LABEL: llvm.func @pointers(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr)
func.func @pointers(%args: !lintel.kernel_args) -> f32 {
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][8] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[X:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK-NOT: {{insertvalue|poison}}
  %x = lintel.kernel_arg %args x : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][24] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[W:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK-NOT: {{insertvalue|poison}}
  %w = lintel.kernel_arg %args w : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][112] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[WORKSPACE:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  // CHECK-NOT: {{insertvalue|poison}}
  %ws = lintel.kernel_arg %args workspace : memref<f32>
  // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[ARGS]][128] : (!llvm.ptr) -> !llvm.ptr, i8
  // CHECK-NEXT: %[[PARTIALS:.*]] = llvm.load %[[P]] : !llvm.ptr -> !llvm.ptr
  %ps = lintel.kernel_arg %args partials : memref<f32>
  // CHECK-NOT: {{insertvalue|poison}}
  // CHECK: llvm.load %[[X]] : !llvm.ptr -> f32
  %0 = memref.load %x[] : memref<f32>
  // CHECK-NEXT: llvm.load %[[W]] : !llvm.ptr -> f32
  %1 = memref.load %w[] : memref<f32>
  // CHECK-NEXT: llvm.load %[[WORKSPACE]] : !llvm.ptr -> f32
  %2 = memref.load %ws[] : memref<f32>
  // CHECK-NEXT: llvm.load %[[PARTIALS]] : !llvm.ptr -> f32
  %3 = memref.load %ps[] : memref<f32>
  %4 = arith.addf %0, %1 : f32
  %5 = arith.addf %4, %2 : f32
  %6 = arith.addf %5, %3 : f32
  return %6 : f32
}

// Whoever is given the pointer finds it where memref descriptors have the aligned one.
// CHECK-LABEL: llvm.func @returned_pointer(
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[DESCRIPTOR:.*]] = llvm.insertvalue %[[X]], %{{.*}}[1]
// CHECK: %[[WHOLE:.*]] = llvm.insertvalue %{{.*}}, %[[DESCRIPTOR]][2]
// CHECK: llvm.return %[[WHOLE]]
func.func @returned_pointer(%args: !lintel.kernel_args) -> memref<f32> {
  %x = lintel.kernel_arg %args x : memref<f32>
  return %x : memref<f32>
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

// A view begins where it is made, not in the loop that uses it. There an address is
// first what is not known of it, then what is, which an instruction adds for nothing.
// CHECK-LABEL: llvm.func @view(
// CHECK-SAME: %[[ARGS:[^:]*]]: !llvm.ptr, %[[I:[^:]*]]: i64, %{{[^:]*}}: i64)
// CHECK-NOT: {{insertvalue|poison}}
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[VIEW:.*]] = llvm.getelementptr %[[X]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.br
// CHECK-NEXT: {{^ *\^}}bb{{[0-9]+}}:
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[VIEW]][%[[K:.*]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.load %[[AT]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[VIEW]][%[[K]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[BEHIND:.*]] = llvm.getelementptr %[[AT]][16] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %{{.*}}, %[[BEHIND]] {alignment = 4 : i64}
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[VIEW]][%[[K]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[AHEAD:.*]] = llvm.getelementptr %[[AT]][64] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: "llvm.intr.prefetch"(%[[AHEAD]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[VIEW]][%[[K]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[AT]][3] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: %[[VALUE:.*]] = llvm.load %[[ELEMENT]] : !llvm.ptr -> f32
// CHECK-NEXT: %[[FIRST:.*]] = llvm.getelementptr %[[VIEW]][3] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.store %[[VALUE]], %[[FIRST]] : f32, !llvm.ptr
// CHECK-NOT: {{insertvalue|poison}}
// CHECK: ^{{.*}}(%[[K]]: i64):
// CHECK-NOT: {{insertvalue|poison}}
// CHECK: llvm.return
func.func @view(%args: !lintel.kernel_args, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [%i], sizes: [%n, %n], strides: [1, 1] : memref<f32> to memref<?x?xf32, strided<[1, 1], offset: ?>>
  scf.for %k = %c0 to %n step %c1 {
    %0 = vector.load %view[%k, %c0] : memref<?x?xf32, strided<[1, 1], offset: ?>>, vector<16xf32>
    vector.store %0, %view[%k, %c16] : memref<?x?xf32, strided<[1, 1], offset: ?>>, vector<16xf32>
    memref.prefetch %view[%k, %c64], read, locality<3>, data : memref<?x?xf32, strided<[1, 1], offset: ?>>
    %1 = memref.load %view[%k, %c3] : memref<?x?xf32, strided<[1, 1], offset: ?>>
    memref.store %1, %view[%c0, %c3] : memref<?x?xf32, strided<[1, 1], offset: ?>>
  }
  return
}

// Strides count as well: an index is known only with them.
// CHECK-LABEL: llvm.func @strides(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[I:[^:]*]]: i64, %[[STRIDE:[^:]*]]: i64)
// CHECK: %[[ROWS:.*]] = llvm.mul %[[I]], %[[STRIDE]] : i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[VIEW:.*]][%[[ROWS]]] :
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[AT]][5] :
// CHECK-NEXT: llvm.load %[[ELEMENT]]
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64) : i64
// CHECK-NEXT: %[[ROWS:.*]] = llvm.mul %[[STRIDE]], %[[TWO]] : i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[VIEW]][%[[ROWS]]] :
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[AT]][5] :
// CHECK-NEXT: llvm.load %[[ELEMENT]]
// Two rows of 32.
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[I]]] :
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[I]]] :
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[AT]][64] :
// CHECK-NEXT: llvm.load %[[ELEMENT]]
func.func @strides(%args: !lintel.kernel_args, %i: index, %stride: index) -> (f32, f32, f32) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [%i], sizes: [8, 32], strides: [%stride, 1] : memref<f32> to memref<8x32xf32, strided<[?, 1], offset: ?>>
  %0 = memref.load %view[%i, %c5] : memref<8x32xf32, strided<[?, 1], offset: ?>>
  %1 = memref.load %view[%c2, %c5] : memref<8x32xf32, strided<[?, 1], offset: ?>>
  %known = memref.reinterpret_cast %x to offset: [%i], sizes: [8, 32], strides: [32, 1] : memref<f32> to memref<8x32xf32, strided<[32, 1], offset: ?>>
  %2 = memref.load %known[%c2, %i] : memref<8x32xf32, strided<[32, 1], offset: ?>>
  return %0, %1, %2 : f32, f32, f32
}

// An operation that computes an address holds indices of 29 bits; others are values.
// CHECK-LABEL: llvm.func @far(
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[268435455] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.load %[[AT]]
// CHECK: %[[FAR:.*]] = llvm.mlir.constant(268435456 : i64) : i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[FAR]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.load %[[AT]]
func.func @far(%args: !lintel.kernel_args, %i: index) -> (f32, f32) {
  %near = arith.constant 268435455 : index
  %far = arith.constant 268435456 : index
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [%i], sizes: [%i, %i], strides: [1, 1] : memref<f32> to memref<?x?xf32, strided<[1, 1], offset: ?>>
  %0 = memref.load %view[%i, %near] : memref<?x?xf32, strided<[1, 1], offset: ?>>
  %1 = memref.load %view[%i, %far] : memref<?x?xf32, strided<[1, 1], offset: ?>>
  return %0, %1 : f32, f32
}

// Who is given a view may ask for the pointer that it is a view of: its descriptor is
// that of MLIR's own pattern.
// CHECK-LABEL: llvm.func @returned_view(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[I:[^:]*]]: i64, %[[STRIDE:[^:]*]]: i64)
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK-NOT: llvm.getelementptr
// CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : index) : i64
// CHECK-NEXT: llvm.insertvalue %[[EIGHT]], %{{.*}}[3, 0]
// CHECK-NEXT: llvm.insertvalue %[[STRIDE]], %{{.*}}[4, 0]
// CHECK-NEXT: llvm.insertvalue %[[I]], %{{.*}}[3, 1]
// CHECK-NEXT: %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT: %[[WHOLE:.*]] = llvm.insertvalue %[[ONE]], %{{.*}}[4, 1]
// CHECK-NEXT: llvm.return %[[WHOLE]]
func.func @returned_view(%args: !lintel.kernel_args, %i: index, %stride: index) -> memref<8x?xf32, strided<[?, 1], offset: ?>> {
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [%i], sizes: [8, %i], strides: [%stride, 1] : memref<f32> to memref<8x?xf32, strided<[?, 1], offset: ?>>
  return %view : memref<8x?xf32, strided<[?, 1], offset: ?>>
}

// An offset that the type of a view names is added by whoever goes by the type: the
// pointer stays where it is, or the offset would count twice.
// CHECK-LABEL: llvm.func @offset_in_type(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[I:[^:]*]]: i64)
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK-NOT: {{insertvalue|poison|getelementptr}}
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[X]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[AT]][5] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.load %[[ELEMENT]] : !llvm.ptr -> f32
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[X]][8] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.load %[[ELEMENT]] : !llvm.ptr -> f32
func.func @offset_in_type(%args: !lintel.kernel_args, %i: index) -> (f32, f32) {
  %c3 = arith.constant 3 : index
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [5], sizes: [16], strides: [1] : memref<f32> to memref<16xf32, strided<[1], offset: 5>>
  %0 = memref.load %view[%i] : memref<16xf32, strided<[1], offset: 5>>
  %1 = memref.load %view[%c3] : memref<16xf32, strided<[1], offset: 5>>
  return %0, %1 : f32, f32
}

// So it is in a descriptor, beside the pointers that it is not a part of.
// CHECK-LABEL: llvm.func @returned_offset_in_type(
// CHECK: %[[POINTER:.*]] = llvm.extractvalue %{{.*}}[1] : !llvm.struct<(ptr, ptr, i64)>
// CHECK: llvm.insertvalue %[[POINTER]], %{{.*}}[1]
// CHECK-NEXT: %[[OFFSET:.*]] = llvm.mlir.constant(5 : index) : i64
// CHECK-NEXT: llvm.insertvalue %[[OFFSET]], %{{.*}}[2]
// CHECK: %[[VIEW:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[4, 0]
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[POINTER]][8] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: %[[VALUE:.*]] = llvm.load %[[ELEMENT]] : !llvm.ptr -> f32
// CHECK: %[[RESULT:.*]] = llvm.insertvalue %[[VALUE]], %{{.*}}[0]
// CHECK-NEXT: %[[RESULTS:.*]] = llvm.insertvalue %[[VIEW]], %[[RESULT]][1]
// CHECK-NEXT: llvm.return %[[RESULTS]]
func.func @returned_offset_in_type(%args: !lintel.kernel_args) -> (f32, memref<16xf32, strided<[1], offset: 5>>) {
  %c3 = arith.constant 3 : index
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [5], sizes: [16], strides: [1] : memref<f32> to memref<16xf32, strided<[1], offset: 5>>
  %0 = memref.load %view[%c3] : memref<16xf32, strided<[1], offset: 5>>
  return %0, %view : f32, memref<16xf32, strided<[1], offset: 5>>
}

// And where the type names none.
// CHECK-LABEL: llvm.func @returned_known_offset(
// CHECK: %[[POINTER:.*]] = llvm.extractvalue %{{.*}}[1] : !llvm.struct<(ptr, ptr, i64)>
// CHECK: llvm.insertvalue %[[POINTER]], %{{.*}}[1]
// CHECK-NEXT: %[[OFFSET:.*]] = llvm.mlir.constant(5 : index) : i64
// CHECK-NEXT: llvm.insertvalue %[[OFFSET]], %{{.*}}[2]
// CHECK: %[[ELEMENT:.*]] = llvm.getelementptr %[[POINTER]][8] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT: llvm.load %[[ELEMENT]] : !llvm.ptr -> f32
func.func @returned_known_offset(%args: !lintel.kernel_args) -> (f32, memref<16xf32, strided<[1], offset: ?>>) {
  %c3 = arith.constant 3 : index
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [5], sizes: [16], strides: [1] : memref<f32> to memref<16xf32, strided<[1], offset: ?>>
  %0 = memref.load %view[%c3] : memref<16xf32, strided<[1], offset: ?>>
  return %0, %view : f32, memref<16xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: llvm.func internal @given_view(
// CHECK-SAME: %[[ALLOCATED:[^:]*]]: !llvm.ptr, %[[ALIGNED:[^:]*]]: !llvm.ptr, %[[OFFSET:[^:]*]]: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[STRIDE:[^:]*]]: i64, %{{[^:]*}}: i64, %[[I:[^:]*]]: i64)
// CHECK-DAG: llvm.insertvalue %[[ALIGNED]], %{{.*}}[1]
// CHECK-DAG: llvm.insertvalue %[[OFFSET]], %{{.*}}[2]
// CHECK-DAG: llvm.insertvalue %[[STRIDE]], %{{.*}}[4, 0]
// CHECK-DAG: %[[FROM:.*]] = llvm.extractvalue %[[VIEW:.*]][2]
// CHECK-DAG: %[[APART:.*]] = llvm.extractvalue %[[VIEW]][4, 0]
// CHECK-DAG: %[[ROWS:.*]] = llvm.mul %[[I]], %[[APART]] : i64
// CHECK-DAG: %[[SUM:.*]] = llvm.add %[[FROM]], %[[ROWS]] : i64
// CHECK-DAG: %[[POINTER:.*]] = llvm.extractvalue %[[VIEW]][1]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[POINTER]][%[[SUM]]] :
// CHECK-NEXT: %[[ELEMENT:.*]] = llvm.getelementptr %[[AT]][3] :
// CHECK-NEXT: llvm.load %[[ELEMENT]]
func.func private @given_view(%view: memref<8x?xf32, strided<[?, 1], offset: ?>>, %i: index) -> f32 {
  %c3 = arith.constant 3 : index
  %0 = memref.load %view[%i, %c3] : memref<8x?xf32, strided<[?, 1], offset: ?>>
  return %0 : f32
}

// CHECK-LABEL: llvm.func @passes_view_on(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %[[I:[^:]*]]: i64, %[[STRIDE:[^:]*]]: i64)
// CHECK: llvm.insertvalue %[[I]], %{{.*}}[2]
// CHECK: llvm.insertvalue %[[STRIDE]], %{{.*}}[4, 0]
// CHECK: %[[VIEW:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[4, 1]
// CHECK: %[[ALIGNED:.*]] = llvm.extractvalue %[[VIEW]][1]
// CHECK: %[[OFFSET:.*]] = llvm.extractvalue %[[VIEW]][2]
// CHECK: %[[APART:.*]] = llvm.extractvalue %[[VIEW]][4, 0]
// CHECK: llvm.call @given_view(%{{[^,]*}}, %[[ALIGNED]], %[[OFFSET]], %{{[^,]*}}, %{{[^,]*}}, %[[APART]], %{{[^,]*}}, %[[I]])
func.func @passes_view_on(%args: !lintel.kernel_args, %i: index, %stride: index) -> f32 {
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [%i], sizes: [8, %i], strides: [%stride, 1] : memref<f32> to memref<8x?xf32, strided<[?, 1], offset: ?>>
  %0 = func.call @given_view(%view, %i) : (memref<8x?xf32, strided<[?, 1], offset: ?>>, index) -> f32
  return %0 : f32
}

// A view of a view begins where the pointer of both does.
// CHECK-LABEL: llvm.func @view_of_view(
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK-NOT: llvm.getelementptr
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
func.func @view_of_view(%args: !lintel.kernel_args, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %x = lintel.kernel_arg %args x : memref<f32>
  %view = memref.reinterpret_cast %x to offset: [%i], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1], offset: ?>>
  %whole = memref.reinterpret_cast %view to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  %0 = memref.load %whole[%c0] : memref<4xf32>
  return %0 : f32
}

// CHECK-LABEL: llvm.func @aligned(
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> f32
// CHECK: llvm.store %{{.*}} {alignment = 2 : i64} : f32, !llvm.ptr
func.func @aligned(%args: !lintel.kernel_args) {
  %x = lintel.kernel_arg %args x : memref<f32>
  %0 = memref.load %x[] {alignment = 2 : i64} : memref<f32>
  memref.store %0, %x[] {alignment = 2 : i64} : memref<f32>
  return
}

// By a comparison, which instruction selection takes as it is written; vectors have instructions.
// CHECK-LABEL: llvm.func @extremes(
// CHECK: %[[LESS:.*]] = llvm.icmp "ult" %[[A:.*]], %[[B:.*]] : i64
// CHECK-NEXT: llvm.select %[[LESS]], %[[A]], %[[B]] : i1, i64
// CHECK: %[[MORE:.*]] = llvm.icmp "ugt" %[[C:.*]], %[[D:.*]] : i32
// CHECK-NEXT: llvm.select %[[MORE]], %[[C]], %[[D]] : i1, i32
// CHECK: llvm.intr.umin({{.*}}) : (vector<16xi32>, vector<16xi32>)
func.func @extremes(%a: index, %b: index, %c: i32, %d: i32, %v: vector<16xi32>) -> (index, i32, vector<16xi32>) {
  %0 = arith.minui %a, %b : index
  %1 = arith.maxui %c, %d : i32
  %2 = arith.minui %v, %v : vector<16xi32>
  return %0, %1, %2 : index, i32, vector<16xi32>
}

// What is known of a sum or a quotient stays known; vectors take MLIR's way.
// CHECK-LABEL: llvm.func @integers(
// CHECK: llvm.add %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK: llvm.sub %{{.*}}, %{{.*}} : i64
// CHECK: llvm.mul %{{.*}}, %{{.*}} overflow<nuw> : i64
// CHECK: llvm.udiv exact %{{.*}}, %{{.*}} : i32
// CHECK: llvm.add %{{.*}}, %{{.*}} : vector<16xi32>
func.func @integers(%a: index, %b: i32, %v: vector<16xi32>) -> (index, i32, vector<16xi32>) {
  %0 = arith.addi %a, %a overflow<nsw> : index
  %1 = arith.subi %0, %a : index
  %2 = arith.muli %1, %a overflow<nuw> : index
  %3 = arith.divui %b, %b exact : i32
  %4 = arith.addi %v, %v : vector<16xi32>
  return %2, %3, %4 : index, i32, vector<16xi32>
}

// What nothing branches to is no part of the result.
// CHECK-LABEL: llvm.func @unreachable
// CHECK-NEXT: llvm.return %{{.*}} : f32
// CHECK-NEXT: }
func.func @unreachable(%a: f32) -> f32 {
  return %a : f32
^bb1:
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}

// A loop is entered by its test, which stands behind the body: a turn takes one
// branch. What is carried goes through the test's arguments.
// CHECK-LABEL: llvm.func @rotated(
// CHECK-SAME: %[[N:[^:]*]]: i64, %[[X:[^:]*]]: f32)
// CHECK: llvm.br ^[[TEST:bb[0-9]+]](%{{.*}}, %[[X]] : i64, f32)
// CHECK-NEXT: ^[[BODY:bb[0-9]+]]:
// CHECK: %[[SUM:.*]] = llvm.fadd %[[CARRIED:.*]], %[[X]]
// CHECK: %[[NEXT:.*]] = llvm.add %[[K:.*]], %{{.*}} : i64
// CHECK: llvm.br ^[[TEST]](%[[NEXT]], %[[SUM]] : i64, f32)
// CHECK-NEXT: ^[[TEST]](%[[K]]: i64, %[[CARRIED]]: f32):
// CHECK-NEXT: %[[INSIDE:.*]] = llvm.icmp "slt" %[[K]], %[[N]] : i64
// CHECK-NEXT: llvm.cond_br %[[INSIDE]], ^[[BODY]], ^[[AFTER:bb[0-9]+]]
// CHECK-NEXT: ^[[AFTER]]:
// CHECK-NEXT: llvm.return %[[CARRIED]] : f32
func.func @rotated(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    %next = arith.addf %s, %x : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

// So is a loop in a loop, and bounds that count without a sign stay so.
// CHECK-LABEL: llvm.func @nested(
// CHECK: llvm.br ^[[OUTER:bb[0-9]+]](
// CHECK: ^[[FIRST:bb[0-9]+]]:
// CHECK: llvm.br ^[[INNER:bb[0-9]+]](
// CHECK: ^[[BODY:bb[0-9]+]]:
// CHECK: llvm.store
// CHECK: ^[[INNER]](
// CHECK: llvm.icmp "ult"
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY]], ^[[LAST:bb[0-9]+]]
// CHECK: ^[[LAST]]:
// CHECK: llvm.br ^[[OUTER]](
// CHECK: ^[[OUTER]](
// CHECK: llvm.icmp "slt"
// CHECK: llvm.cond_br %{{.*}}, ^[[FIRST]], ^
func.func @nested(%n: index, %x: f32, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for unsigned %k = %c0 to %i step %c1 {
      llvm.store %x, %p : f32, !llvm.ptr
    }
  }
  return
}

// What was converted before fits what is converted now.
// RUN: lintel-opt %s --convert-arith-to-llvm --lintel-to-llvm | FileCheck %s --check-prefix=STEPS
// STEPS-LABEL: llvm.func @in_two_steps(
// STEPS: llvm.add
// STEPS-NOT: unrealized_conversion_cast
// STEPS: llvm.return
func.func @in_two_steps(%i: index, %m: memref<4xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %next = arith.addi %i, %c1 : index
  %value = memref.load %m[%next] : memref<4xf32>
  return %value : f32
}

// CHECK-LABEL: llvm.func weak @linked()
func.func private @linked() attributes {llvm.linkage = #llvm.linkage<weak>} {
  return
}
