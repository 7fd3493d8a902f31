// The k loop of a 4x24 AVX2 micro-kernel, a turn of two steps: in each three loads of
// B, four broadcasts of A, twelve multiply-adds, and no spill although every register
// is taken.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=4x24 target=isa=avx2' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -disable-lsr -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | sed -n '/^layer_microkernel_4:/,/^.Lfunc_end/p' | sed -n '/Inner Loop Header/,/\tj/p' > %t.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.s
// RUN: FileCheck %s --check-prefix=FMAS < %t.s
// RUN: FileCheck %s --check-prefix=ADDRESSES --implicit-check-not='{{(lea|add|mul|shl)[lq] }}' < %t.s
// RUN: FileCheck %s --check-prefix=REST < %t.s

// LOADS-COUNT-6: vmov{{[au]}}ps {{.*}}(%r{{.*}}), %ymm
// LOADS-NOT: vmov{{.*}}(

// BROADCASTS-COUNT-8: vbroadcastss {{.*}}(%r{{.*}}), %ymm
// BROADCASTS-NOT: vbroadcastss

// FMAS-COUNT-24: vfmadd231ps %ymm{{[0-9]+}}, %ymm{{[0-9]+}}, %ymm
// FMAS-NOT: vfmadd

// The offset of B, and k: no other arithmetic.
// ADDRESSES: addq $48, %r
// ADDRESSES-NEXT: addq $2, %r
// ADDRESSES-NEXT: cmpq $64, %r
// ADDRESSES-NEXT: jl

// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST-NOT: vmov{{.*}} %ymm{{[0-9]+}}, %ymm
// REST: {{^}}[[LOOP:.LBB[0-9_]+]]:
// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST-NOT: vmov{{.*}} %ymm{{[0-9]+}}, %ymm
// REST-NOT: {{^[[:space:]]}}j
// REST: {{^[[:space:]]}}jl{{[[:space:]]+}}[[LOOP]]{{$}}
