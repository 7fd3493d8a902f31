// lintel-kernel: every stage; the result translates to LLVM IR, for any machine.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=8x48 target=isa=avx512' | FileCheck %s
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=8x48 target=isa=avx512' | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVMIR
// Nothing outside is called: not with math in the epilogue, nor for any level.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='target=isa=avx512' | mlir-translate --mlir-to-llvmir | grep '^declare' | not grep -v '@llvm\.'
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='target=isa=x86_64' | mlir-translate --mlir-to-llvmir | grep '^declare' | not grep -v '@llvm\.'
// Whatever the host: each level in its own vectors, from one input.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='target=isa=avx512 threads=2' | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=AVX512
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='target=isa=avx2 threads=2' | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=AVX2
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='target=isa=x86_64 threads=2' | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=SSE
// Without options too.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=AVX2

// CHECK-NOT: {{(lintel|func|arith|memref|scf|cf|vector|math)\.[a-z_]+ }}
// CHECK: llvm.func internal @layer_microkernel_8(
// CHECK: llvm.func @layer(%{{.*}}: !llvm.ptr, %{{.*}}: i32, %{{.*}}: i32)
// CHECK-NOT: {{(lintel|func|arith|memref|scf|cf|vector|math)\.[a-z_]+ }}

// LLVMIR: define internal void @layer_microkernel_8(ptr
// LLVMIR: call <16 x float> @llvm.fma.v16f32(
// LLVMIR: define void @layer(ptr %{{[^,]*}}, i32 %{{[^,]*}}, i32 %{{[^,]*}})

// AVX512: @llvm.fma.v16f32(
// AVX512-NOT: <{{(4|8)}} x float>

// AVX2: @llvm.fma.v8f32(
// AVX2-NOT: <{{(4|16)}} x float>

// SSE: fmul <4 x float>
// SSE-NOT: @llvm.fma
// SSE-NOT: <{{(8|16)}} x float>
