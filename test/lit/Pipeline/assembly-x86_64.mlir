// The k loop of a 6x8 micro-kernel without FMA: two loads of B, six broadcasts of A,
// twelve products and twelve sums, and no spill.
// RUN: lintel-opt %S/Inputs/layer.mlir --lintel-kernel='schedule=tile=6x8 target=isa=x86_64' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64 > %t.all.s
// 64 rows are strips of 6 and 5.
// RUN: sed -n '/^layer_microkernel_6:/,/^.Lfunc_end/p' %t.all.s | sed -n '/Inner Loop Header/,/\tj/p' > %t.s
// RUN: FileCheck %s --check-prefix=LOADS < %t.s
// RUN: FileCheck %s --check-prefix=BROADCASTS < %t.s
// RUN: FileCheck %s --check-prefix=PRODUCTS < %t.s
// RUN: FileCheck %s --check-prefix=SUMS < %t.s
// RUN: FileCheck %s --check-prefix=REST < %t.s
// Nothing beyond the level anywhere in the file.
// RUN: FileCheck %s --check-prefix=LEVEL < %t.all.s

// LOADS-COUNT-2: mov{{[au]}}ps {{.*}}(%r{{.*}}), %xmm
// LOADS-NOT: mov{{[au]}}ps {{.*}}(

// BROADCASTS-COUNT-6: movss {{.*}}(%r{{.*}}), %xmm
// BROADCASTS-NOT: movss

// PRODUCTS-COUNT-12: mulps %xmm{{[0-9]+}}, %xmm
// PRODUCTS-NOT: mulps

// SUMS-COUNT-12: addps %xmm{{[0-9]+}}, %xmm
// SUMS-NOT: addps

// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST: {{^}}.LBB
// REST-NOT: (%rsp
// REST-NOT: (%rbp
// REST: {{^[[:space:]]}}j

// LEVEL-NOT: {{[yz]}}mm
// LEVEL: layer_microkernel_6:
// LEVEL-NOT: {{[yz]}}mm
// LEVEL-NOT: {{(roundss|roundps|pmulld|blendvps|vfmadd)}}
// LEVEL: layer:
// LEVEL-NOT: {{[yz]}}mm
// LEVEL-NOT: {{(roundss|roundps|pmulld|blendvps|vfmadd)}}
