// What lintel-lower-microkernel cannot lower.
// RUN: lintel-opt %s --allow-unregistered-dialect --lintel-lower-microkernel --split-input-file --verify-diagnostics

%args, %m, %i = "foo.values"() : () -> (!lintel.kernel_args, memref<f32>, index)
// expected-error @below {{'lintel.apply_epilogue' op must stand in a func.func to be lowered}}
lintel.apply_epilogue %args acc(%m[%i], %i) at(%i, %i) size(%i, %i)
    attributes {schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
^bb0(%acc: f32):
  lintel.yield %acc : f32
}

// -----

%args, %m, %i, %p = "foo.values"() : () -> (!lintel.kernel_args, memref<f32>, index, i1)
// expected-error @below {{'lintel.microkernel' op must stand in a func.func to be lowered}}
lintel.microkernel %args a(%m[%i], %i) b(%m[%i], %i) acc(%m[%i], %i) first(%p) last(%p) at(%i, %i) columns(%i)
    attributes {rows = 1, schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []}
    : memref<f32>, memref<f32>, memref<f32> {
^bb0(%acc: f32):
  lintel.yield %acc : f32
}

// -----

// A function around a module is not the function of what is in there.
func.func @around() {
  builtin.module {
    %args, %m, %i = "foo.values"() : () -> (!lintel.kernel_args, memref<f32>, index)
    // expected-error @below {{'lintel.apply_epilogue' op must stand in a func.func to be lowered}}
    lintel.apply_epilogue %args acc(%m[%i], %i) at(%i, %i) size(%i, %i)
        attributes {schedule = #lintel.schedule<tile = 8x16>, target = #lintel.target<isa = avx512>, broadcasts = []} : memref<f32> {
    ^bb0(%acc: f32):
      lintel.yield %acc : f32
    }
  }
  return
}
