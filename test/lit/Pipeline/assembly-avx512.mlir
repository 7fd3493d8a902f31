// The k loop of an 8x48 AVX-512 micro-kernel: three loads of B, eight broadcasts of
// A, 24 multiply-adds, and no spill.
// DEFINE: %{schedule} =
// DEFINE: %{loop} = lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=%{schedule} target=isa=avx512' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4 | sed -n '/^layer_microkernel_8:/,/^.Lfunc_end/p' | sed -n '/in Loop: Header/,/\tjl/p'

// REDEFINE: %{schedule} = tile=8x48
// RUN: %{loop} > %t.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.s
// RUN: FileCheck %s --check-prefix=FMAS < %t.s
// RUN: FileCheck %s --check-prefix=REST < %t.s
// RUN: FileCheck %s --check-prefix=PLACE --implicit-check-not='{{(lea|add|mul|shl)[lq] }}' < %t.s
// A packed: the broadcasts find their elements side by side.
// REDEFINE: %{schedule} = tile=8x48,pack=block
// RUN: %{loop} > %t.packed.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.packed.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.packed.s
// RUN: FileCheck %s --check-prefix=FMAS < %t.packed.s
// RUN: FileCheck %s --check-prefix=REST < %t.packed.s
// RUN: FileCheck %s --check-prefix=PACKED --implicit-check-not='{{(lea|add|mul|shl)[lq] }}' < %t.packed.s
// K cut, epilogue by tile: the same loop.
// REDEFINE: %{schedule} = tile=8x48,kc=16,epilogue=tile
// RUN: %{loop} > %t.cut.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.cut.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.cut.s
// RUN: FileCheck %s --check-prefix=FMAS < %t.cut.s
// RUN: FileCheck %s --check-prefix=REST < %t.cut.s
// RUN: FileCheck %s --check-prefix=PLACE --implicit-check-not='{{(lea|add|mul|shl)[lq] }}' < %t.cut.s
// Half of the rows broadcast by each of their multiply-adds: without an index.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=8x48,pack=block,embed=4 target=isa=avx512' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -disable-lsr -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4 | sed -n '/^layer_microkernel_8:/,/^.Lfunc_end/p' | sed -n '/Inner Loop Header/,/\tj/p' > %t.embedded.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.embedded.s
// RUN: FileCheck %s --check-prefix=SHARED < %t.embedded.s
// RUN: FileCheck %s --check-prefix=EMBEDDED --implicit-check-not='{{(lea|mul|shl)[lq] }}' --implicit-check-not='(%rsp' < %t.embedded.s

// SHARED-COUNT-4: vbroadcastss {{[-0-9]*}}(%r{{[a-z0-9]+}}), %zmm
// SHARED-NOT: vbroadcastss

// EMBEDDED-COUNT-12: vfmadd231ps {{[-0-9]*}}(%r{{[a-z0-9]+}}){1to16}, %zmm{{[0-9]+}}, %zmm
// EMBEDDED-NOT: 1to16

// LOADS-COUNT-3: vmov{{[au]}}ps {{.*}}(%r{{.*}}), %zmm
// LOADS-NOT: vmov{{.*}}(

// BROADCASTS-COUNT-8: vbroadcastss {{.*}}(%r{{.*}}), %zmm
// BROADCASTS-NOT: vbroadcastss

// FMAS-COUNT-24: vfmadd231ps %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// FMAS-NOT: vfmadd

// No stack, no register copies, and one branch, back.
// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST-NOT: vmov{{.*}} %zmm{{[0-9]+}}, %zmm
// REST: {{^}}[[LOOP:.LBB[0-9_]+]]:
// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST-NOT: vmov{{.*}} %zmm{{[0-9]+}}, %zmm
// REST-NOT: {{^[[:space:]]}}j
// REST: {{^[[:space:]]}}jl{{[[:space:]]+}}[[LOOP]]{{$}}

// Four pointers, at k and at the offset of the second group of rows: no address
// arithmetic but for that offset, the one of B, and k.
// PLACE: vbroadcastss ([[X0:%r[a-z0-9]+]],[[K:%r[a-z0-9]+]],4), %zmm
// PLACE: vbroadcastss ([[X1:%r[a-z0-9]+]],[[K]],4), %zmm
// PLACE: vbroadcastss ([[X2:%r[a-z0-9]+]],[[K]],4), %zmm
// PLACE: vbroadcastss ([[X3:%r[a-z0-9]+]],[[K]],4), %zmm
// PLACE: vbroadcastss ([[X0]],[[GROUP:%r[a-z0-9]+]],4), %zmm
// PLACE: vbroadcastss ([[X1]],[[GROUP]],4), %zmm
// PLACE: vbroadcastss ([[X2]],[[GROUP]],4), %zmm
// PLACE: vbroadcastss ([[X3]],[[GROUP]],4), %zmm
// PLACE: addq $1, [[GROUP]]
// PLACE-NEXT: addq $48, %r
// PLACE-NEXT: addq $1, [[K]]
// PLACE-NEXT: {{^}}.LBB
// PLACE-NEXT: cmpq
// PLACE-NEXT: jl

// Constant distances from one pointer at one offset.
// PACKED: vbroadcastss ([[X:%r[a-z0-9]+,%r[a-z0-9]+]],4), %zmm
// PACKED: vbroadcastss 4([[X]],4), %zmm
// PACKED: vbroadcastss 8([[X]],4), %zmm
// PACKED: vbroadcastss 12([[X]],4), %zmm
// PACKED: vbroadcastss 16([[X]],4), %zmm
// PACKED: vbroadcastss 20([[X]],4), %zmm
// PACKED: vbroadcastss 24([[X]],4), %zmm
// PACKED: vbroadcastss 28([[X]],4), %zmm
// PACKED: addq $8, %r
// PACKED-NEXT: addq $48, %r
// PACKED-NEXT: addq $1, %r
// PACKED-NEXT: {{^}}.LBB
// PACKED-NEXT: cmpq
// PACKED-NEXT: jl
