// What #lintel.schedule refuses; the message stands at the field.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

// missing_tile
// expected-error @below {{'tile' is missing}}
module attributes {test.schedule = #lintel.schedule<pack = none>} {}

// -----

// unknown_field
// expected-error @below {{a schedule has no field 'tiel'; its fields are tile, unit, accumulate, hint, group, prefetch, ahead, share, streams, pack, embed, widen, epilogue, store, mc, nc, kc, blocks, tiles, grid and deal}}
module attributes {test.schedule = #lintel.schedule<tiel = 8x48>} {}

// -----

// twice
// expected-error @below {{'tile' is given twice}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, tile = 8x48>} {}

// -----

// tile_form
// expected-error @below {{tile takes ROWSxCOLUMNS, e.g. 8x48, not '8'}}
module attributes {test.schedule = #lintel.schedule<tile = 8>} {}

// -----

// tile_word
// expected-error @below {{tile takes ROWSxCOLUMNS, e.g. 8x48, not 'none'}}
module attributes {test.schedule = #lintel.schedule<tile = none>} {}

// -----

// tile_hexadecimal: a number to MLIR's lexer
// expected-error @below {{tile takes a number from 1 to 1048576, not '0'}}
module attributes {test.schedule = #lintel.schedule<tile = 0x48>} {}

// -----

// tile_zero
// expected-error @below {{tile takes a number from 1 to 1048576, not '0'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x0>} {}

// -----

// tile_large
// expected-error @below {{tile takes a number from 1 to 1048576, not '1048577'}}
module attributes {test.schedule = #lintel.schedule<tile = 1048577x16>} {}

// -----

// embed_many
// expected-error @below {{embed takes a number from 0 to 32, not '33'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, embed = 33>} {}

// -----

// widen_word
// expected-error @below {{widen takes 'step' or 'panel', not 'all'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, widen = all>} {}

// -----

// pack_word
// expected-error @below {{pack takes 'none', 'block' or 'whole', not 'some'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, pack = some>} {}

// -----

// epilogue_word
// expected-error @below {{epilogue takes 'registers', 'tile' or 'next', not '3'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, epilogue = 3>} {}

// -----

// block_zero
// expected-error @below {{mc takes a number from 1 to 1099511627776, not '0'; 'whole' is the whole dimension}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, mc = 0>} {}

// -----

// block_negative
// expected-error @below {{nc takes a number from 1 to 1099511627776, not '-1'; 'whole' is the whole dimension}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, nc = -1>} {}

// -----

// block_huge
// expected-error @below {{kc takes a number from 1 to 1099511627776, not '99999999999999999999'; 'whole' is the whole dimension}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, kc = 99999999999999999999>} {}

// -----

// blocks_word
// expected-error @below {{blocks takes 'mn' or 'nm', not 'mk'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, blocks = mk>} {}

// -----

// tiles_word
// expected-error @below {{tiles takes 'mn' or 'nm', not 'kn'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, tiles = kn>} {}

// -----

// grid_form
// expected-error @below {{grid takes CHUNKSxCHUNKS or CHUNKSxCHUNKSxSLICES, e.g. 1x2 or 1x1x4, not '2'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, grid = 2>} {}

// -----

// grid_tail
// expected-error @below {{grid takes a number from 1 to 65536, not '2x3'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, grid = 1x2x3x4>} {}

// -----

// grid_slices
// expected-error @below {{grid takes a number from 1 to 65536, not '0'}}
module attributes {test.schedule = #lintel.schedule<tile = 8x48, grid = 1x2x0>} {}

// -----

// no_value
// expected-error @below {{expected a word, a number, two numbers joined by 'x', or a string}}
module attributes {test.schedule = #lintel.schedule<tile = ()>} {}

// -----

// no_equals
// expected-error @below {{expected '='}}
module attributes {test.schedule = #lintel.schedule<tile 8x48>} {}
