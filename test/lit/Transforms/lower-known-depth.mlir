// lintel-lower-microkernel: where it is known that sums begin at zero and end in
// this K block, neither is decided at run time.
// RUN: lintel-opt %s --split-input-file --lintel-lower-microkernel | FileCheck %s

// CHECK-LABEL: func.func @whole(
// CHECK-NOT: scf.if
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-NOT: vector.load
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %c0{{[_0-9]*}}) -> (vector<16xf32>, index) {
// CHECK: }
// CHECK-NOT: scf.if
// CHECK-NOT: vector.store
// CHECK: vector.maskedstore
// CHECK-NEXT: return
func.func @whole(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// A constant that is not true decides nothing here.
// CHECK-LABEL: func.func @never(
// CHECK-COUNT-2: scf.if
func.func @never(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index) {
  %false = arith.constant false
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%false) last(%false) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// 256 bytes ahead is four rows of 16 columns: one cache line each.
// CHECK-LABEL: func.func @ahead(
// CHECK: scf.for {{.*}}, %[[AT:[a-z0-9_]*]] = %c0{{[_0-9]*}}) ->
// CHECK: memref.prefetch %[[B:.*]][%[[AT]], %c64], read, locality<3>, data
// CHECK: vector.load %[[B]][%[[AT]], %c0{{[_0-9]*}}]
// CHECK-NOT: memref.prefetch
// CHECK: scf.yield
func.func @ahead(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, prefetch = 256>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Two streams of 50 steps of K, one of each in turn, and the last step. Those of the
// second are 50 elements of A behind those of the first, and 50 * 16 of B.
// CHECK-LABEL: func.func @streams(
// CHECK: %[[TURNS:.*]]:2 = scf.for %[[K:[a-z0-9_]*]] = %{{.*}} to %[[DEPTH:c50]] step %{{.*}} iter_args({{.*}}, %[[AT:[a-z0-9_]*]] = %c0{{[_0-9]*}}) ->
// CHECK: vector.load %[[B:[a-z0-9_]*]][%[[AT]], %c0{{[_0-9]*}}]
// CHECK: memref.load %[[A:[a-z0-9_]*]][%[[K]], %c0{{[_0-9]*}}]
// CHECK: %[[SUM:.*]] = vector.fma
// CHECK: vector.load %[[B]][%[[AT]], %c800]
// CHECK: memref.load %[[A]][%[[K]], %[[DEPTH]]]
// CHECK: %[[BOTH:.*]] = vector.fma {{.*}}, %[[SUM]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %c16 : index
// CHECK: scf.yield %[[BOTH]], %[[NEXT]] :
// CHECK: scf.for {{.*}} = %c100 to %c101 step %{{.*}} iter_args(%{{.*}} = %[[TURNS]]#0, %{{.*}} = %c1600)
func.func @streams(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %depth = arith.constant 101 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, streams = 2>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Parts of 512 would meet in the sets of L1: x 2 KiB apart, w 32 KiB. Here x is
// read in place, and below it is packed, five rows a step.
// CHECK-LABEL: func.func @streams_apart(
// CHECK: scf.for {{.*}} to %c504{{.*}} step
// CHECK: scf.for {{.*}} = %c4032{{.*}} to %c4096{{.*}}, %{{.*}} = %c64512)
func.func @streams_apart(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %depth = arith.constant 4096 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, streams = 8>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func.func @packed_streams_apart(
// CHECK: scf.for {{.*}} to %c510{{.*}} step
// CHECK: scf.for {{.*}} = %c4080{{.*}} to %c4096{{.*}}, %{{.*}} = %c20400, %{{.*}} = %c65280)
func.func @packed_streams_apart(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %depth = arith.constant 4096 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 5, schedule = #lintel.schedule<tile = 5x16, streams = 8, pack = block>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Nothing is left of K.
// CHECK-LABEL: func.func @whole_streams(
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @whole_streams(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %depth = arith.constant 100 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, streams = 2>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Into L2.
// CHECK-LABEL: func.func @ahead_into_l2(
// CHECK: scf.for {{.*}}, %[[AT:[a-z0-9_]*]] = %c0{{[_0-9]*}}) ->
// CHECK: memref.prefetch %[[B:.*]][%[[AT]], %c64], read, locality<2>, data
// CHECK: vector.load %[[B]][%[[AT]], %c0{{[_0-9]*}}]
// CHECK-NOT: memref.prefetch
// CHECK: scf.yield
func.func @ahead_into_l2(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x16, ahead = 256>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Two lines of the next panel a step, counted from where b begins, and as far
// apart from step to step as the caller says.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[BEGIN:[a-z0-9_]*]]: index, %[[STEP:[a-z0-9_]*]]: index)
// CHECK: %[[FIRST:.*]] = arith.subi %[[BEGIN]], %{{.*}}
// CHECK: scf.for {{.*}}, %[[AT:[a-z0-9_]*]] = %c0{{[_0-9]*}}, %[[NEXT:[a-z0-9_]*]] = %[[FIRST]]) ->
// CHECK: memref.prefetch %[[B:.*]][%[[NEXT]], %c0{{[_0-9]*}}], read, locality<2>, data
// CHECK: memref.prefetch %[[B]][%[[NEXT]], %c16{{[_0-9]*}}], read, locality<2>, data
// CHECK: vector.load %[[B]][%[[AT]], %c0{{[_0-9]*}}]
// CHECK-NOT: memref.prefetch
// CHECK: %[[FOLLOWING:.*]] = arith.addi %[[NEXT]], %[[STEP]]
// CHECK: scf.yield {{.*}}, %[[FOLLOWING]] :
func.func @shared(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index, %next: index, %step: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      next(%next) next_step(%step)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, share = 2>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// Where panels are widened the next one is in other memory, from its place on.
// CHECK-LABEL: func.func @shared_widened(
// CHECK-SAME: %[[W:[a-z0-9_]*]]: memref<f16>, {{.*}} %[[BEGIN:[a-z0-9_]*]]: index, %[[STEP:[a-z0-9_]*]]: index)
// CHECK: %[[NARROW:.*]] = memref.reinterpret_cast %[[W]] to offset: [%[[BEGIN]]]
// CHECK: scf.for {{.*}}, %[[AT:[a-z0-9_]*]] = %c0{{[_0-9]*}}, %[[NEXT:[a-z0-9_]*]] = %c0{{[_0-9]*}}) ->
// CHECK: memref.prefetch %[[NARROW]][%[[NEXT]], %c0{{[_0-9]*}}], read, locality<2>, data
// CHECK: memref.prefetch %[[NARROW]][%[[NEXT]], %c32{{[_0-9]*}}], read, locality<2>, data
// CHECK-NOT: memref.prefetch
// CHECK: arith.addi %[[NEXT]], %[[STEP]]
func.func @shared_widened(%args: !lintel.kernel_args, %m: memref<f32>, %w: memref<f16>, %i: index, %depth: index, %next: index, %step: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      next(%next) next_step(%step) next_in(%w : memref<f16>)
      attributes {rows = 1, schedule = #lintel.schedule<tile = 1x32, share = 2>, target = #lintel.target<isa = avx512>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// -----

// On avx2 a turn of f32 takes two steps where one has eight products or more: the
// second finds its row one element and its columns 16 behind those of the first, which
// alone asks for the next panel. What is left is one step, which asks for nothing.
// CHECK-LABEL: func.func @two_steps(
// CHECK-SAME: %[[DEPTH:[^:, ]*]]: index, %{{[^:, ]*}}: index, %[[STEP:[^:, ]*]]: index)
// CHECK: %[[TURNS:.*]] = arith.divui %[[DEPTH]], %c2
// CHECK: %[[WHOLE:.*]] = arith.muli %[[TURNS]], %c2
// CHECK: %[[PAIRS:.*]]:10 = scf.for %[[K:.*]] = %c0{{[_0-9]*}} to %[[WHOLE]] step %c2{{[_0-9]*}} iter_args({{.*}}, %[[B:[^ ]*]] = %{{[^ ]*}}, %[[NEXT:[^ ]*]] = %{{[^ ]*}})
// CHECK-NEXT: memref.prefetch %{{.*}}[%[[NEXT]], %c0{{[_0-9]*}}], read, locality<2>
// CHECK-NEXT: vector.load %{{.*}}[%[[B]], %c0{{[_0-9]*}}]
// CHECK-NEXT: vector.load %{{.*}}[%[[B]], %c8{{[_0-9]*}}]
// CHECK-COUNT-8: vector.fma
// CHECK-NEXT: vector.load %{{.*}}[%[[B]], %c16{{[_0-9]*}}]
// CHECK-NEXT: vector.load %{{.*}}[%[[B]], %c24{{[_0-9]*}}]
// CHECK-NEXT: memref.load %{{.*}}[%[[K]], %c1{{[_0-9]*}}]
// CHECK-NOT: memref.prefetch
// CHECK-COUNT-8: vector.fma
// CHECK: arith.addi %[[B]], %c32
// CHECK-NEXT: arith.addi %[[NEXT]], %[[STEP]]
// CHECK: scf.for %[[K:.*]] = %[[WHOLE]] to %[[DEPTH]] step %c1{{[_0-9]*}} iter_args(%{{.*}} = %[[PAIRS]]#0,
// CHECK-NOT: memref.prefetch
// CHECK-COUNT-8: vector.fma
// CHECK-NOT: vector.fma
func.func @two_steps(%args: !lintel.kernel_args, %m: memref<f32>, %i: index, %depth: index, %next: index, %step: index) {
  %true = arith.constant true
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %depth) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      next(%next) next_step(%step)
      attributes {rows = 4, schedule = #lintel.schedule<tile = 4x16, share = 1>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}

// An even K leaves nothing; steps of fewer products stay alone.
// CHECK-LABEL: func.func @even(
// CHECK: scf.for {{.*}} to %c64{{[_0-9]*}} step %c2
// CHECK-COUNT-16: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.for {{.*}} step %c1{{[_0-9]*}} iter_args
// CHECK-COUNT-6: vector.fma
// CHECK-NOT: vector.fma
func.func @even(%args: !lintel.kernel_args, %m: memref<f32>, %i: index) {
  %true = arith.constant true
  %c64 = arith.constant 64 : index
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %c64) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 4, schedule = #lintel.schedule<tile = 4x16>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %c64) acc(%m[%i], %i) first(%true) last(%true) at(%i, %i) columns(%i)
      attributes {rows = 3, schedule = #lintel.schedule<tile = 3x16>, target = #lintel.target<isa = avx2>, broadcasts = []}
      : memref<f32>, memref<f32>, memref<f32> {
  ^bb0(%sum: f32):
    lintel.yield %sum : f32
  }
  return
}
