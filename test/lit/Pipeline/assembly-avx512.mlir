// The k loop of an 8x48 AVX-512 micro-kernel: three loads of B, eight broadcasts of
// A, 24 multiply-adds, and no spill.
// DEFINE: %{schedule} =
// DEFINE: %{loop} = lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=%{schedule} target=isa=avx512' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4 | sed -n '/^layer_microkernel_8:/,/^.Lfunc_end/p' | sed -n '/Inner Loop Header/,/\tj/p'

// REDEFINE: %{schedule} = tile=8x48
// RUN: %{loop} > %t.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.s
// RUN: FileCheck %s --check-prefix=FMAS < %t.s
// RUN: FileCheck %s --check-prefix=REST < %t.s
// A packed: the broadcasts find their elements side by side.
// REDEFINE: %{schedule} = tile=8x48,pack=block
// RUN: %{loop} > %t.packed.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.packed.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.packed.s
// RUN: FileCheck %s --check-prefix=FMAS < %t.packed.s
// RUN: FileCheck %s --check-prefix=REST < %t.packed.s
// RUN: FileCheck %s --check-prefix=PACKED < %t.packed.s
// K cut, epilogue by tile: the same loop.
// REDEFINE: %{schedule} = tile=8x48,kc=16,epilogue=tile
// RUN: %{loop} > %t.cut.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.cut.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.cut.s
// RUN: FileCheck %s --check-prefix=FMAS < %t.cut.s
// RUN: FileCheck %s --check-prefix=REST < %t.cut.s

// LOADS-COUNT-3: vmov{{[au]}}ps {{.*}}(%r{{.*}}), %zmm
// LOADS-NOT: vmov{{.*}}(

// BROADCASTS-COUNT-8: vbroadcastss {{.*}}(%r{{.*}}), %zmm
// BROADCASTS-NOT: vbroadcastss

// FMAS-COUNT-24: vfmadd231ps %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// FMAS-NOT: vfmadd

// No stack, no register copies, one way back.
// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST-NOT: vmov{{.*}} %zmm{{[0-9]+}}, %zmm
// REST: {{^}}.LBB
// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST-NOT: vmov{{.*}} %zmm{{[0-9]+}}, %zmm
// REST: {{^[[:space:]]}}j

// Constant distances from one pointer: no index, no address arithmetic.
// PACKED: {{^}}.LBB
// PACKED-NOT: (%r{{[a-z0-9]+}},%r
// PACKED-NOT: lea
// PACKED: {{^[[:space:]]}}j
