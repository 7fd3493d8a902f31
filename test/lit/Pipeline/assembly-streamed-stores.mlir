// With store = stream every vector of a tile has a non-temporal store, never split
// or scalarized, and a normal one beside it; the driver ends with a fence.
// DEFINE: %{options} =
// DEFINE: %{cpu} =
// DEFINE: %{assembly} = lintel-opt %S/Inputs/layer.mlir --lintel-kernel='%{options}' | mlir-translate --mlir-to-llvmir | opt -passes=early-cse | llc -O1 -mtriple=x86_64-unknown-linux-gnu -mcpu=%{cpu}

// REDEFINE: %{options} = schedule=tile=8x48,store=stream target=isa=avx512
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{assembly} | grep -E 'movnt|sfence|^layer.*:' | FileCheck %s --check-prefix=AVX512
// AVX512: {{^}}layer_microkernel_8:
// AVX512-COUNT-24: vmovntps %zmm
// AVX512-NOT: movnt
// AVX512: {{^}}layer:
// AVX512-NEXT: sfence

// REDEFINE: %{options} = schedule=tile=6x16,store=stream target=isa=avx2
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %{assembly} | grep -E 'movnt|sfence|^layer.*:' | FileCheck %s --check-prefix=AVX2
// AVX2: {{^}}layer_microkernel_6:
// AVX2-COUNT-12: vmovntps %ymm
// AVX2-NOT: movnt
// AVX2: {{^}}layer:
// AVX2-NEXT: sfence

// REDEFINE: %{options} = schedule=tile=2x16,epilogue=tile,store=stream target=isa=x86_64
// REDEFINE: %{cpu} = x86-64
// RUN: %{assembly} | grep -E 'movnt|sfence|^layer.*:' | FileCheck %s --check-prefix=SSE
// SSE: {{^}}layer_epilogue:
// SSE-NEXT: movntps %xmm
// SSE-NOT: movnt
// SSE: {{^}}layer:
// SSE-NEXT: sfence

// REDEFINE: %{options} = schedule=tile=8x48 target=isa=avx512
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{assembly} | FileCheck %s --check-prefix=CACHED
// CACHED-NOT: {{movnt|sfence}}
// CACHED: {{^}}layer_microkernel_8:
// CACHED-NOT: {{movnt|sfence}}
// CACHED: {{^}}layer:
// CACHED-NOT: {{movnt|sfence}}
