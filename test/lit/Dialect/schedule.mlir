// #lintel.schedule prints every field in one order, whatever order it was written in.
// RUN: lintel-opt %s --allow-unregistered-dialect | lintel-opt --allow-unregistered-dialect | FileCheck %s
// RUN: lintel-opt %s --allow-unregistered-dialect --emit-bytecode | lintel-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: "full"() {s = #lintel.schedule<tile = 8x48, pack = block, epilogue = tile, mc = 128, nc = 384, kc = 768, blocks = nm, tiles = nm, grid = 1x2>}
"full"() {s = #lintel.schedule<tile = 8x48, pack = block, epilogue = tile, mc = 128, nc = 384, kc = 768, blocks = nm, tiles = nm, grid = 1x2>} : () -> ()
// CHECK: "reordered"() {s = #lintel.schedule<tile = 12x32, pack = none, epilogue = registers, mc = whole, nc = 64, kc = whole, blocks = mn, tiles = mn, grid = 3x4>}
"reordered"() {s = #lintel.schedule<grid = 3x4, nc = 64, mc = whole, tile = 12x32>} : () -> ()
// CHECK: "slices"() {s = #lintel.schedule<tile = 4x16, pack = none, epilogue = tile, mc = whole, nc = whole, kc = whole, blocks = mn, tiles = mn, grid = 1x2x8>}
"slices"() {s = #lintel.schedule<tile = 4x16, epilogue = tile, grid = 1x2x8>} : () -> ()
// CHECK: "one_slice"() {s = #lintel.schedule<{{.*}}, grid = 3x2>}
"one_slice"() {s = #lintel.schedule<tile = 4x16, grid = 3x2x1>} : () -> ()
// CHECK: "defaults"() {s = #lintel.schedule<tile = 1x16, pack = none, epilogue = registers, mc = whole, nc = whole, kc = whole, blocks = mn, tiles = mn, grid = 1x1>}
"defaults"() {s = #lintel.schedule<tile = 1x16>} : () -> ()
// CHECK: "strings"() {s = #lintel.schedule<tile = 8x48, {{.*}}, mc = 96,
"strings"() {s = #lintel.schedule<tile = "8x48", mc = "96">} : () -> ()
// CHECK: "whole_as_number"() {s = #lintel.schedule<{{.*}}mc = whole
"whole_as_number"() {s = #lintel.schedule<tile = 8x48, mc = 1099511627776>} : () -> ()
// CHECK: "streamed"() {s = #lintel.schedule<tile = 6x64, pack = none, epilogue = registers, store = stream, mc = whole,
"streamed"() {s = #lintel.schedule<store = stream, tile = 6x64>} : () -> ()
// CHECK: "cached"() {s = #lintel.schedule<tile = 6x64, pack = none, epilogue = registers, mc = whole,
"cached"() {s = #lintel.schedule<tile = 6x64, store = cached>} : () -> ()
// CHECK: "amx"() {s = #lintel.schedule<tile = 32x32, unit = amx, hint = a, group = 2, pack = whole, epilogue = tile, mc = whole,
"amx"() {s = #lintel.schedule<tile = 32x32, pack = whole, hint = a, unit = amx, group = 2, epilogue = tile>} : () -> ()
// CHECK: "embedded"() {s = #lintel.schedule<tile = 14x32, pack = block, embed = 9, epilogue = registers, mc = whole, nc = whole, kc = whole, blocks = mn, tiles = mn, grid = 1x1>}
"embedded"() {s = #lintel.schedule<embed = 9, tile = 14x32, pack = block>} : () -> ()
// CHECK: "widened"() {s = #lintel.schedule<tile = 14x32, pack = block, widen = panel, epilogue = registers, mc = whole, nc = whole, kc = whole, blocks = mn, tiles = nm, grid = 1x1>}
"widened"() {s = #lintel.schedule<widen = panel, tile = 14x32, pack = block, tiles = nm>} : () -> ()
// CHECK: "narrow"() {s = #lintel.schedule<tile = 14x32, pack = block, epilogue = registers,
"narrow"() {s = #lintel.schedule<widen = step, tile = 14x32, pack = block>} : () -> ()
// CHECK: "dealt"() {s = #lintel.schedule<{{.*}}, grid = 2x8, deal = dynamic>}
"dealt"() {s = #lintel.schedule<tile = 6x64, deal = dynamic, grid = 2x8>} : () -> ()
// CHECK: "static"() {s = #lintel.schedule<{{.*}}, grid = 2x8>}
"static"() {s = #lintel.schedule<tile = 6x64, deal = static, grid = 2x8>} : () -> ()
