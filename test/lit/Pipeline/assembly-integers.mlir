// Kernels of int8: what multiplies on each target, that results are converted by
// vectors, and that nothing becomes a library call.
// DEFINE: %{type} =
// DEFINE: %{options} =
// DEFINE: %{cpu} =
// DEFINE: %{assembly} = lintel-opt %S/Inputs/layer-%{type}.mlir --lintel-kernel='%{options}' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -mtriple=x86_64-unknown-linux-gnu %{cpu}
// DEFINE: %{microkernel} = layer_microkernel_11
// DEFINE: %{loop} = sed -n '/^%{microkernel}:/,/^.Lfunc_end/{/Inner Loop Header/,/\tj/p}'

// Quads: two loads of w, and for each row a broadcast of x and two products.
// REDEFINE: %{type} = u8s8
// REDEFINE: %{options} = schedule=tile=12x32,group=4 target=isa=avx512,extensions=avx512vnni
// REDEFINE: %{cpu} = -mcpu=x86-64-v4 -mattr=+avx512vnni
// RUN: %{assembly} > %t.quads.s
// RUN: %{loop} < %t.quads.s | FileCheck %s --check-prefix=QUADS
// RUN: %{loop} < %t.quads.s | FileCheck %s --check-prefix=NOSPILL --implicit-check-not='(%rsp' --implicit-check-not='(%rbp'
// RUN: %{loop} < %t.quads.s | FileCheck %s --check-prefix=BROADCASTS --implicit-check-not=vpxor
// RUN: FileCheck %s --check-prefix=RESULTS < %t.quads.s
// REDEFINE: %{microkernel} = layer_microkernel_10
// RUN: %{loop} < %t.quads.s | FileCheck %s --check-prefix=NOSPILL --implicit-check-not='(%rsp' --implicit-check-not='(%rbp'
// REDEFINE: %{microkernel} = layer_microkernel_11
// RUN: not grep -E 'call.*(@PLT|__)' %t.quads.s
// QUADS-COUNT-22: vpdpbusd %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// QUADS-NOT: vpdpbusd
// BROADCASTS-COUNT-11: vpbroadcastd ({{.*}}), %zmm
// BROADCASTS-NOT: vpbroadcastd
// NOSPILL: {{^[[:space:]]}}j
// RESULTS: vrndscaleps
// RESULTS: vcvttps2dq
// RESULTS: vpmovdb %zmm{{[0-9]+}}, {{.*}} {%k{{[0-9]}}}

// Signed rows: the sign bits of a broadcast are flipped.
// REDEFINE: %{type} = s8s8
// RUN: %{assembly} > %t.signed.s
// RUN: %{loop} < %t.signed.s | FileCheck %s --check-prefix=SIGNED
// RUN: %{loop} < %t.signed.s | FileCheck %s --check-prefix=NOSPILL --implicit-check-not='(%rsp' --implicit-check-not='(%rbp'
// SIGNED: vpxor
// SIGNED: vpdpbusd

// Without the extension: pairs of 16 bits, of w as they are loaded.
// REDEFINE: %{options} = schedule=tile=4x32,group=2 target=isa=avx512
// REDEFINE: %{cpu} = -mcpu=x86-64-v4
// RUN: %{assembly} > %t.avx512.s
// RUN: FileCheck %s --check-prefix=PAIRS --implicit-check-not=vpdpbusd --implicit-check-not=maddubs < %t.avx512.s
// RUN: not grep -E 'call.*(@PLT|__)' %t.avx512.s
// PAIRS: vpmovsxbw ({{.*}}), %zmm
// PAIRS: vpmaddwd {{.*}}%zmm
// REDEFINE: %{options} = schedule=tile=6x16,group=2 target=isa=avx2
// REDEFINE: %{cpu} = -mcpu=x86-64-v3
// RUN: %{assembly} > %t.avx2.s
// RUN: FileCheck %s --check-prefix=AVX2 --implicit-check-not=maddubs < %t.avx2.s
// RUN: not grep -E 'call.*(@PLT|__)|zmm' %t.avx2.s
// AVX2: vpmovsxbw ({{.*}}), %ymm
// AVX2: vpmaddwd {{.*}}%ymm
// Pairs of bytes, where sums of them may be of 16 bits: w and x as they lie in memory,
// three instructions for the four products of a lane.
// REDEFINE: %{type} = u8s8-pairs
// REDEFINE: %{options} = schedule=tile=3x24,accumulate=s16,group=4 target=isa=avx2
// REDEFINE: %{microkernel} = layer_microkernel_3
// RUN: %{assembly} > %t.bytes.s
// RUN: %{loop} < %t.bytes.s | FileCheck %s --check-prefix=BYTES --implicit-check-not=vpand --implicit-check-not=vpsr --implicit-check-not='(%rsp'
// RUN: not grep -E 'call.*(@PLT|__)|zmm' %t.bytes.s
// RUN: %{loop} < %t.bytes.s | FileCheck %s --check-prefix=ONES
// RUN: %{loop} < %t.bytes.s | FileCheck %s --check-prefix=ADDITIONS
// BYTES-COUNT-9: vpmaddubsw {{.*}}, %ymm{{[0-9]+}}, %ymm
// BYTES-NOT: vpmaddubsw
// ONES-COUNT-9: vpmaddwd
// ONES-NOT: vpmaddwd
// ADDITIONS-COUNT-9: vpaddd
// ADDITIONS-NOT: vpaddd
// REDEFINE: %{options} = schedule=tile=6x64,accumulate=s16,group=4 target=isa=avx512
// REDEFINE: %{cpu} = -mcpu=x86-64-v4
// RUN: %{assembly} > %t.bytes512.s
// RUN: FileCheck %s --check-prefix=BYTES512 < %t.bytes512.s
// RUN: not grep -E 'call.*(@PLT|__)' %t.bytes512.s
// BYTES512: vpmaddubsw {{.*}}%zmm
// BYTES512: vpmaddwd {{.*}}%zmm
// REDEFINE: %{type} = s8s8
// REDEFINE: %{microkernel} = layer_microkernel_11

// Quads on half a vector, in VEX encoding.
// REDEFINE: %{options} = schedule=tile=5x16,group=4 target=isa=avx2,extensions=avxvnni
// REDEFINE: %{cpu} = -mcpu=x86-64-v3 -mattr=+avxvnni
// RUN: %{assembly} > %t.avxvnni.s
// RUN: FileCheck %s --check-prefix=AVXVNNI --implicit-check-not=pmaddwd < %t.avxvnni.s
// RUN: not grep -E 'call.*(@PLT|__)|zmm' %t.avxvnni.s
// AVXVNNI: vpxor
// AVXVNNI: {vex} vpdpbusd %ymm{{[0-9]+}}, %ymm{{[0-9]+}}, %ymm
// REDEFINE: %{type} = u8s8
// REDEFINE: %{options} = schedule=tile=2x4,group=2 target=isa=x86_64
// REDEFINE: %{cpu} = -mcpu=x86-64
// RUN: %{assembly} > %t.x86_64.s
// RUN: FileCheck %s --check-prefix=BASELINE < %t.x86_64.s
// RUN: not grep -E 'call.*(@PLT|__)|ymm' %t.x86_64.s
// BASELINE: pmaddwd {{.*}}%xmm
