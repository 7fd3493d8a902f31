// #lintel.target prints every field in one order.
// RUN: lintel-opt %s --allow-unregistered-dialect | lintel-opt --allow-unregistered-dialect | FileCheck %s
// RUN: lintel-opt %s --allow-unregistered-dialect --emit-bytecode | lintel-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: "full"() {t = #lintel.target<isa = avx512, cpu = "znver4", l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2>}
"full"() {t = #lintel.target<cores = 2, l3 = 33554432, l2 = 1048576, l1 = 32768, cpu = "znver4", isa = avx512>} : () -> ()
// CHECK: "defaults"() {t = #lintel.target<isa = x86_64, cpu = "generic", l1 = 32768, l2 = 1048576, l3 = 16777216, cores = 1>}
"defaults"() {t = #lintel.target<isa = x86_64>} : () -> ()
// CHECK: "characters"() {t = #lintel.target<isa = avx2, cpu = "x86-64-v3", {{.*}}>}
"characters"() {t = #lintel.target<isa = avx2, cpu = "x86-64-v3">} : () -> ()
// CHECK: "extensions"() {t = #lintel.target<isa = avx512, {{.*}} cores = 1, extensions = "amx-bf16+amx-int8+amx-tile">}
"extensions"() {t = #lintel.target<extensions = "amx-tile+amx-int8+amx-bf16", isa = avx512>} : () -> ()
// CHECK: "word"() {t = #lintel.target<isa = avx512, {{.*}} cores = 1, extensions = "avx512bf16">}
"word"() {t = #lintel.target<extensions = avx512bf16, isa = avx512>} : () -> ()
