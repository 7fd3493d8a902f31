// Kernels of bf16 and f16: what multiplies and what converts on each target, and
// that nothing becomes a library call or a loop over elements.
// DEFINE: %{type} =
// DEFINE: %{options} =
// DEFINE: %{cpu} =
// DEFINE: %{assembly} = lintel-opt %S/Inputs/layer-%{type}.mlir --lintel-kernel='%{options}' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -mtriple=x86_64-unknown-linux-gnu %{cpu}
// DEFINE: %{loop} = sed -n '/^layer_microkernel_8:/,/^.Lfunc_end/{/Inner Loop Header/,/\tj/p}'

// Products of pairs: the loop of f32 with another instruction.
// REDEFINE: %{type} = bf16
// REDEFINE: %{options} = schedule=tile=8x48,group=2 target=isa=avx512,extensions=avx512bf16
// REDEFINE: %{cpu} = -mcpu=x86-64-v4 -mattr=+avx512bf16
// RUN: %{assembly} > %t.pairs.s
// RUN: %{loop} < %t.pairs.s | FileCheck %s --check-prefix=PAIRS
// RUN: %{loop} < %t.pairs.s | FileCheck %s --check-prefix=NOSPILL --implicit-check-not='(%rsp' --implicit-check-not='(%rbp'
// RUN: FileCheck %s --check-prefix=MASKED < %t.pairs.s
// RUN: not grep -E 'call.*(@PLT|__)' %t.pairs.s
// PAIRS-COUNT-24: vdpbf16ps %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// PAIRS-NOT: vdpbf16ps
// NOSPILL: {{^[[:space:]]}}j
// MASKED: vcvtneps2bf16 %zmm
// MASKED: vmovdqu16 %ymm{{[0-9]+}}, {{.*}} {%k{{[0-9]}}}

// Without the extension: widened in registers, rounded by integers.
// REDEFINE: %{options} = schedule=tile=5x64,group=2 target=isa=avx512
// REDEFINE: %{cpu} = -mcpu=x86-64-v4
// RUN: %{assembly} > %t.avx512.s
// RUN: FileCheck %s --check-prefix=WIDENED --implicit-check-not=vdpbf16ps --implicit-check-not=vcvtneps2bf16 < %t.avx512.s
// RUN: not grep -E 'call.*(@PLT|__)|pinsrw|pextrw' %t.avx512.s
// WIDENED: vpslld $16
// WIDENED: vfmadd231ps
// WIDENED: vpmovdw

// REDEFINE: %{options} = schedule=tile=4x16,group=2 target=isa=avx2
// REDEFINE: %{cpu} = -mcpu=x86-64-v3
// RUN: %{assembly} > %t.avx2.s
// RUN: not grep -E 'call.*(@PLT|__)|pinsrw|vdpbf16ps|zmm' %t.avx2.s
// REDEFINE: %{options} = schedule=tile=3x8,group=2 target=isa=x86_64
// REDEFINE: %{cpu} = -mcpu=x86-64
// RUN: %{assembly} > %t.x86_64.s
// RUN: not grep -E 'call.*(@PLT|__)|ymm' %t.x86_64.s

// f16 is converted where it is loaded and stored.
// REDEFINE: %{type} = f16
// REDEFINE: %{options} = schedule=tile=8x48 target=isa=avx512
// REDEFINE: %{cpu} = -mcpu=x86-64-v4
// RUN: %{assembly} > %t.f16.avx512.s
// RUN: FileCheck %s --check-prefix=HALF < %t.f16.avx512.s
// RUN: not grep -E 'call.*(@PLT|__)|pinsrw|pextrw' %t.f16.avx512.s
// HALF: vcvtph2ps (%r
// HALF: vfmadd231ps
// HALF: vcvtps2ph
// REDEFINE: %{options} = schedule=tile=4x16 target=isa=avx2
// REDEFINE: %{cpu} = -mcpu=x86-64-v3
// RUN: %{assembly} > %t.f16.avx2.s
// RUN: not grep -E 'call.*(@PLT|__)' %t.f16.avx2.s
// REDEFINE: %{options} = schedule=tile=2x8 target=isa=x86_64
// REDEFINE: %{cpu} = -mcpu=x86-64
// RUN: %{assembly} > %t.f16.x86_64.s
// RUN: not grep -E 'call.*(@PLT|__)|vcvt' %t.f16.x86_64.s

// Arithmetic in f16: the loop of f32 on twice as many columns, or, one vector wide,
// with broadcasts that are part of the multiply-adds.
// REDEFINE: %{type} = f16-sums
// REDEFINE: %{options} = schedule=tile=8x96,accumulate=f16,epilogue=tile target=isa=avx512,extensions=avx512fp16
// REDEFINE: %{cpu} = -mcpu=sapphirerapids
// RUN: %{assembly} > %t.sums.s
// RUN: %{loop} < %t.sums.s | FileCheck %s --check-prefix=SUMS
// RUN: %{loop} < %t.sums.s | FileCheck %s --check-prefix=NOSPILL --implicit-check-not='(%rsp' --implicit-check-not='(%rbp'
// RUN: FileCheck %s --check-prefix=RUNS < %t.sums.s
// RUN: not grep -E 'call.*(@PLT|__)|pinsrw|pextrw' %t.sums.s
// SUMS-COUNT-24: vfmadd231ph %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm
// SUMS-NOT: vfmadd
// RUNS: vcvtph2psx %ymm{{[0-9]+}}, %zmm
// RUNS: vaddps ({{.*}}), %zmm
// REDEFINE: %{options} = schedule=tile=8x32,accumulate=f16,epilogue=tile target=isa=avx512,extensions=avx512fp16
// RUN: %{assembly} > %t.narrow-sums.s
// RUN: %{loop} < %t.narrow-sums.s | FileCheck %s --check-prefix=FOLDED
// FOLDED-COUNT-8: vfmadd231ph ({{.*}}){1to32}, %zmm
// FOLDED-NOT: vpbroadcastw
// The permission alone changes nothing.
// REDEFINE: %{options} = schedule=tile=8x48 target=isa=avx512,extensions=avx512fp16
// RUN: %{assembly} > %t.permitted.s
// RUN: %{loop} < %t.permitted.s | FileCheck %s --check-prefix=PERMITTED
// PERMITTED-COUNT-24: vfmadd231ps
// PERMITTED-NOT: {{vfmadd.*ph}}
