// The passes, in the order of the line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LINTEL_PASSES_TD
#define LINTEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def LintelAssignSchedule : Pass<"lintel-assign-schedule", "::mlir::ModuleOp"> {
  let summary = "attach the schedule and the target to every lintel.linear";
  let description = [{
    Decides *how*: an op that carries a `#lintel.schedule` keeps it, else the option
    `schedule` pins one, else the analytic model's best for the target is attached.
    The target is the op's own, else the option `target`, else a generic AVX2 CPU:
    the pass never asks which machine it runs on, so its result is reproducible.
    A schedule that the problem or the target does not allow is refused, and so is an
    option that cannot be read, whether or not a layer takes it.

    ```mlir
    lintel.linear %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32> {...}
    // becomes
    lintel.linear %x, %w {schedule = #lintel.schedule<tile = 4x16, ...>,
                          target = #lintel.target<isa = avx512, ...>} : ...
    ```
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", "\"\"",
           "text of the schedule to pin, e.g. tile=8x48,kc=256">,
    Option<"target", "target", "std::string", "\"\"",
           "text of the target, e.g. isa=avx512,cpu=znver4,cores=2">,
    Option<"threads", "threads", "int64_t", "1", "threads that the schedule is made for">
  ];
  let dependentDialects = ["::lintel::ir::LintelDialect"];
}

def LintelApproximateMath : Pass<"lintel-approximate-math", "::mlir::ModuleOp"> {
  let summary = "replace math functions by inline polynomials";
  let description = [{
    Rewrites every `math` operation that has no instruction of its own into
    arithmetic, so that a kernel calls nothing: erf by one quotient of polynomials, exp
    and exp2 by a polynomial and a power of two, atan, atan2, sin and cos by polynomials, log, tanh and
    their relatives by MLIR's approximations, the hyperbolic functions and roundings by expansion, powers by products, a root, or
    exp of log with the sign, zeros, infinities and NaN that C has. On a target without FMA, `math.fma` becomes a product
    and a sum, and floor and its relatives become integer conversions. Conversions of
    16-bit floats that the target has no instructions for become integer arithmetic:
    rounding to bf16 without AVX512-BF16, f16 without F16C; integers become 16-bit floats by way of f32.
    Divisions that round up or down become such as cut off, and tests for infinities comparisons.
    Of fast-math flags in an epilogue's region `contract` of sums, differences and products alone is
    left: kernels make no other use of what flags permit. Of integers in such a region `overflow` and
    `exact` are removed, since they wrap and cut off. It runs on the scalar region of
    `lintel.linear` (one copy) as well as on vectors. The target is that of the function's
    `lintel.linear`, or of the ops that `lintel-tile` makes of it, else of the nearest module
    that has one, by `lintel.target` or by a layer, else a generic AVX2 CPU. Where such ops of one
    function name different targets, the region of each is for its own, and what stands beside them is
    not rewritten. An operation that
    cannot be made inline on it, or rounds otherwise than to nearest and even, is refused, and
    so is a module inside anything but a module. Tensors, which no kernel has, are left alone.

    ```mlir
    %0 = math.tanh %acc : f32
    // becomes: where it saturates the argument is cut off, next to 0 it is the result
    %cst_10 = arith.constant 4.000000e-04 : f32
    %cst_11 = arith.constant -7.99881172 : f32
    %cst_12 = arith.constant 7.99881172 : f32
    %0 = arith.cmpf ult, %acc, %cst_12 : f32
    %1 = arith.select %0, %acc, %cst_12 : f32
    %2 = arith.cmpf ugt, %1, %cst_11 : f32
    %3 = arith.select %2, %1, %cst_11 : f32
    %4 = math.absf %acc : f32
    %5 = arith.cmpf olt, %4, %cst_10 : f32
    %6 = arith.mulf %3, %3 : f32
    ...
    %17 = arith.divf %13, %16 : f32
    %18 = arith.select %5, %3, %17 : f32

    %0 = arith.truncf %acc : f32 to bf16
    // becomes: 32704 is a NaN
    %0 = arith.cmpf une, %acc, %acc : f32
    %1 = arith.bitcast %acc : f32 to i32
    %2 = arith.shrui %1, %c16_i32 : i32
    %3 = arith.andi %2, %c1_i32 : i32
    %4 = arith.addi %3, %c32767_i32 : i32
    %5 = arith.addi %1, %4 : i32
    %6 = arith.shrui %5, %c16_i32 : i32
    %7 = arith.trunci %6 : i32 to i16
    %8 = arith.select %0, %c32704_i16, %7 : i16
    %9 = arith.bitcast %8 : i16 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def LintelTile : Pass<"lintel-tile", "::mlir::ModuleOp"> {
  let summary = "turn each function that holds one layer or packing into an SPMD kernel";
  let description = [{
    The function `f` becomes a driver, a block function and tile functions. The driver,
    `f(%args: !lintel.kernel_args, %tid: i32, %nthreads: i32)`, deals the output out to
    threads and loops over cache blocks; it is marked so that LLVM leaves it
    unoptimized, and so are, where K takes many steps, other functions whose loops already
    carry what their addresses need, and what packs whole lines or transposes rows. Other micro-kernels, but for dot products
    and runs of f16, and `f_epilogue` have the attribute `lintel-keeps-loops`: their loops are not to be reduced in strength. All
    micro-kernels have the attribute `lintel-microkernel`: of their loops the register allocator's remarks are counted. `f_block` computes one block: loop over K blocks, packing of A, loops
    over strips and panels. For each register tile it calls `f_microkernel_H`, which
    holds one `lintel.microkernel` for strips of H rows; with `epilogue = tile`, or in
    ragged panels of a target without mask registers, a call to `f_epilogue` with
    `lintel.apply_epilogue` follows; with `epilogue = next` after the last tile of a block and ragged ones alone, and
    the micro-kernel of the next tile does the others, but for rows that it has no steps for. With `pack = block`, or `whole`, `f_pack` copies one
    strip of x, four rows and eight 32-bit lanes at a time, which it transposes in registers, or, with `block`, widened to f32 or i16 where products would do that: once for the blocks of columns that follow each other, and not at all in a chunk
    of which `same_rows` says that the one before has left its rows packed. With `widen = panel`, `f_widen` writes a panel of w as f32 to the
    workspace before the first strip of a block passes it, and micro-kernels are those of f32 with rows in place; with `unit = amx` as two bf16 for each f16,
    as `f_pack` does x, and micro-kernels are those of bf16 with `widen = panel`. Rows packed for all of K
    (`whole`) stand block of K by block of K. Where threads share K (`grid = TMxTNxTK`), the driver has two phases: in the first
    it deals out slices of K too, whose micro-kernels store their sums to `partials`; in
    the second it deals out tiles, for each of which `f_reduce` adds up the slices and
    `f_epilogue` follows. Where outputs and operands of all rows exceed L1, a call to `f_prefetch` comes
    before the last products of a tile; with `unit = amx` there is none, and the micro-kernel asks. With a `share`, or a `prefetch` on tiles, micro-kernels
    are told what part of the next panel is theirs to ask for, so that the strips of a block ask for all of it, or for as much as the schedule says. docs/architecture.md draws the loops.

    ```mlir
    func.func @f(%x: tensor<128x768xf32>, %w: tensor<3072x768xf32>) -> tensor<128x3072xf32> {
      %y = lintel.linear %x, %w {schedule = #s, target = #t} : ...
      return %y : tensor<128x3072xf32>
    }
    // becomes
    func.func private @f_microkernel_8(%args: !lintel.kernel_args, ...)
        attributes {passthrough = ["lintel-microkernel", "noinline", "optnone"]} {
      lintel.microkernel %args a(...) b(...) acc(...) ... {...}
      return
    }
    func.func private @f_reduce(%args: !lintel.kernel_args, %sums: index, %rows: index,
                                %sliceStride: index) {  // grid = TMxTNxTK
      ...
      %sum = scf.for %slice = %c1 to %slices step %c1 iter_args(%before = %first) {
        %s = vector.load %partials[%slice, %row, %column] ...
      ...
      return
    }
    func.func private @f_prefetch(%args: !lintel.kernel_args, %row: index, %column: index, %rows: index)
        attributes {passthrough = ["noinline", "optnone"]} {
      %y = memref.reinterpret_cast %output to offset: [...], sizes: [8, 48], strides: [%stride, 1] : ...
      scf.for %r = %c0 to %rows step %c1 {
        memref.prefetch %y[%r, %c0], read, locality<3>, data : ...
        ...
      }
      return
    }
    func.func private @f_block(%args: !lintel.kernel_args, %firstStrip: index, ...)
        attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
      ...
      scf.while (%outer = ..., %inner = ...) : ... {  // strips and panels, in either order
        ...
        func.call @f_prefetch(%args, %row, %column, %rows)
        func.call @f_microkernel_8(%args, ...)
        ...
      }
      return
    }
    func.func @f(%args: !lintel.kernel_args, %tid: i32, %nthreads: i32)
        attributes {passthrough = ["noinline", "optnone", "lintel-fast-allocation"]} {
      ...
      scf.for %chunk = ... { ... func.call @f_block(%args, ...) ... }
      return
    }
    ```

    A function that holds one `lintel.pack` becomes an SPMD kernel too: it reads the
    weight through `x` and `ldx` and writes output 0, panels dealt out to threads, and
    of integers the sums of its columns, i32, at the cache line behind the panels.

    With `store = stream` the driver ends with a fence, since streamed stores are
    weakly ordered:

    ```mlir
      llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
      return
    ```

    With `unit = amx` the driver configures the tile registers and releases them, and
    the functions it calls say what they expect of them:

    ```mlir
    func.func private @f_microkernel_32(...) attributes {tmm.configured = #tmm.config<[16x64, ...]>} {...}
    func.func private @f_epilogue(...) attributes {tmm.untouched} {...}
    func.func @f(...) {
      tmm.config #tmm.config<[16x64, ...]>
      scf.for %chunk = ... { ... }
      tmm.release
      return
    }
    ```

    What an epilogue touches, the micro-kernel's k loop is to ask for: rows of the outputs, unless these
    are streamed, and of the full operands. As long as more of K follows, they are all the first one:

    ```mlir
    func.func private @f_microkernel_32(%args: !lintel.kernel_args, ..., %finishes: i1) ... {
      ...
      %apart = arith.select %finishes, %stride, %c0 : index
      %y = memref.reinterpret_cast %output to offset: [...], sizes: [32, 32], strides: [%apart, 1] : ...
      lintel.microkernel %args ... touches(%y : memref<32x32xf32, strided<[?, 1], offset: ?>>) ...
    ```

    x, w, operands and outputs are pointed to in their types; sums are f32. An offset
    counts elements of what it goes into:

    ```mlir
    func.func private @f_microkernel_8(%args: !lintel.kernel_args, ...) {  // bf16
      %sums = lintel.kernel_arg %args workspace : memref<f32>
      %a = lintel.kernel_arg %args x : memref<bf16>
      %b = lintel.kernel_arg %args w : memref<bf16>
      lintel.microkernel %args a(%a[...], ...) b(%b[...], ...) acc(%sums[...], ...) ...
    ```

    Of integers sums are i32. Where the target multiplies unsigned integers by signed
    ones alone (`avx512vnni`, `avxvnni`), or `accumulate = s16` does, and x is signed, products
    are of x + 128, as packed rows hold it, and the region of the kernel's ops takes the excess
    away:

    ```mlir
      lintel.microkernel ... broadcasts = ["column_sums", "scalar"] : memref<i8>, memref<i8>, memref<i32> {
      ^bb0(%acc: i32, %column: i32, %scale: f32):
        %c128 = arith.constant 128 : i32
        %excess = arith.muli %column, %c128 : i32
        %sum = arith.subi %acc, %excess : i32
        ...
    ```

    The module around a layer keeps its target as the attribute `lintel.target`.

    The driver has the visibility and the attributes of the function.

    Refused: layers for different targets in one module, a function that does anything else,
    that something calls or names, or whose arguments or results have attributes, attributes of
    it that are LLVM's, `tmm`'s or of no dialect, operands that are not its arguments, memrefs
    in another memory space than the default one, element types that no layer has (of x and w
    f32, bf16 or f16, or x of i8 or ui8 and w of i8; of results those, and of operands f32,
    bf16, f16 and i32), a schedule that is none for one of the outputs, a weight packed for
    another tile, ops without a schedule, and kernels with a function whose name is taken.
  }];
  let dependentDialects = ["::lintel::ir::LintelDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::lintel::tmm::TmmDialect"];
}

def LintelLowerMicrokernel : Pass<"lintel-lower-microkernel", "::mlir::ModuleOp"> {
  let summary = "lower the tile ops to a k loop over vectors";
  let description = [{
    `lintel.microkernel` becomes one `scf.for` over k that carries the register tile
    as `rows * nr / lanes` separate one-dimensional vectors, with another for what turns or streams of
    the first leave, followed by the epilogue
    region on those vectors. `lintel.apply_epilogue` becomes loops over the vectors and
    rows of the tile: vector by vector, so that what rows share is read once, and on
    avx512 two vectors side by side where one is no whole cache line of an output or a
    full operand; row by row where stores stream. The vector length is the target's,
    which the module keeps as the attribute `lintel.target`.

    Refused, before anything is lowered: an op outside of functions, or for another target than its
    module's; an operand that is a constant out of its range; where a target without masks applies the
    epilogue, known `columns` other than `nr`; with `unit = amx` and `pack = none` a depth that is known and
    ends within a cache line; and an operand that is no constant where the lowering needs one: `ldacc` with
    `unit = amx`, `first` and `ldacc` of dot products and, of other types than f32, without masks their
    depth, the depth of streams on vectors, and `lda` of rows in place with `embed`.

    The loop carries its addresses, too. Of B, of packed A and of the part of the next panel that a `share`
    asks for (`memref.prefetch %B[%next, %c0], read, locality<2>, data`, or of `next_in`) that is one offset each; rows of A in
    place, and widened ones, are walked in groups, each of as many rows as there are views of A: eight rows are two groups of
    four, the first at `k` and the other at an offset of its own. A constant distance between rows makes them one group and one view. What is known of an address is the last index.

    ```mlir
    %acc:26 = scf.for %k = %c0 to %depth step %c1
        iter_args(%c00 = %i00, ..., %group1 = %fourRows, %b = %c0) {
      %b0 = vector.load %B[%b, %c0] : memref<?x?xf32, strided<[1, 1], offset: ?>>, vector<16xf32>
      %b1 = vector.load %B[%b, %c16] : ...
      %a0 = memref.load %A0[%k, %c0] : memref<?x?xf32, strided<[1, 1], offset: ?>>
      %s0 = vector.broadcast %a0 : f32 to vector<16xf32>
      %n00 = vector.fma %s0, %b0, %c00 : vector<16xf32>
      ...
      %a4 = memref.load %A0[%group1, %c0] : memref<?x?xf32, strided<[1, 1], offset: ?>>
      ...
      %nextGroup1 = arith.addi %group1, %c1 : index
      %nextB = arith.addi %b, %c48 : index
      scf.yield %n00, ..., %nextGroup1, %nextB : ...
    }
    ```

    With isa=avx2, of panels of f32, a turn of the loop takes two steps where one has eight
    products or more, of two vectors or more; the second finds its rows one element and its columns `nr` elements behind
    those of the first, only the first asks for a `share`, and another loop takes a step that is left:

    ```mlir
    %turns:13 = scf.for %k = %c0 to %even step %c2 iter_args(...) { ... }   // 4x24
    %acc:13 = scf.for %k = %even to %depth step %c1 iter_args(... = %turns#0, ...) { ... }
    ```

    A step of the loop takes the elements of K that stand side by side in a 32-bit lane.
    Of bf16 these are two: where the target has the extension `avx512bf16`, one
    instruction multiplies both and adds them to the sum,

    ```mlir
    scf.for %k = %c0 to %whole step %c2 iter_args(%c00 = %i00, ..., %b = %c0) {
      %b0 = vector.load %B[%b, %c0] : memref<?x?xbf16, ...>, vector<32xbf16>
      %pair = vector.load %A0[%k, %c0] : memref<?x?xbf16, ...>, vector<2xbf16>
      %bits = vector.bitcast %pair : vector<2xbf16> to vector<1xi32>
      %lane = vector.extract %bits[0] : i32 from vector<1xi32>
      %lanes = vector.broadcast %lane : i32 to vector<16xi32>
      %a0 = vector.bitcast %lanes : vector<16xi32> to vector<32xbf16>
      %n00 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%c00, %b0, %a0) : ...
      ...
    ```

    and elsewhere both are widened in registers, the first by a shift, the second by a
    mask, and take a `vector.fma` each; a tile of one row or one vector has a sum for each of
    the two. The last element of an odd K is taken behind the
    loop; nothing beyond it is read. f16 is widened one element a step.

    With the group of a vector (16 of f32, 32 of bf16, 64 of i8 on avx512 with VNNI, 32 without) vectors run along K: each of
    `rows * nr` vectors holds partial sums of one output, a mask cuts what is left of K (of other types than f32 on avx512 alone), and a tree of
    shuffles adds up the lanes:

    ```mlir
    %s = scf.for %k = %c0 to %whole step %c32 iter_args(%c00 = %zeros) -> (vector<16xf32>) {
      %b0 = vector.load %B[%k] : memref<?xbf16, ...>, vector<32xbf16>
      %a0 = vector.load %A[%c0, %k] : memref<1x?xbf16, ...>, vector<32xbf16>
      %n00 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%c00, %b0, %a0) : ...
      scf.yield %n00 : vector<16xf32>
    }
    %rest = vector.maskedload %B[%whole], %mask, %padding : ... into vector<32xbf16>
    ...
    %even = vector.shuffle %sums, %sums [0, 2, 4, ...] : vector<16xf32>, vector<16xf32>
    %odd = vector.shuffle %sums, %sums [1, 3, 5, ...] : vector<16xf32>, vector<16xf32>
    %half = arith.addf %even, %odd : vector<16xf32>
    ...
    ```

    With `streams = 2`, of a K of 101, the k loop takes a step of each half in turn, and another loop what they leave:

    ```mlir
    %sums = scf.for %k = %c0 to %c50 step %c1 iter_args(%s = %zeros, %b = %c0) -> (vector<16xf32>, index) {
      %b0 = vector.load %B[%b, %c0] : memref<1616x1616xf32, ...>, vector<16xf32>
      ...
      %s0 = vector.fma %a0, %b0, %s : vector<16xf32>
      %b1 = vector.load %B[%b, %c800] : memref<1616x1616xf32, ...>, vector<16xf32>  // 50 groups of 16 further
      ...
      %s1 = vector.fma %a1, %b1, %s0 : vector<16xf32>
      %next = arith.addi %b, %c16 : index
      scf.yield %s1, %next : vector<16xf32>, index
    }
    %all = scf.for %k = %c100 to %c101 step %c1 iter_args(%s = %sums, %b = %c1600) -> (vector<16xf32>, index) { ... }
    ```

    With `embed = 1`, of two rows, multiply-adds of the first broadcast A themselves in LLVM, since
    each has a load of its own; the second row has one load for both. The loop carries a pointer for each vector of B, a cache line behind
    each other, so that no two loads are one and no address has an index. It takes f32 and avx512, with rows packed or a constant `lda`:

    ```mlir
    %sums:4 = scf.for %k = %c0 to %depth step %c1 iter_args(..., %p0 = %a, %p1 = %a_line, %b = %c0) -> (...) {
      %e0 = llvm.load %p0 : !llvm.ptr -> f32
      %a0 = vector.broadcast %e0 : f32 to vector<16xf32>
      %n0 = vector.fma %a0, %b0, %s0 : vector<16xf32>
      %same = llvm.getelementptr %p1[-16] : (!llvm.ptr) -> !llvm.ptr, f32
      %e1 = llvm.load %same : !llvm.ptr -> f32
      %a1 = vector.broadcast %e1 : f32 to vector<16xf32>
      %n1 = vector.fma %a1, %b1, %s1 : vector<16xf32>
      ... // row 1: one load at %p0[1]
      %q0 = llvm.getelementptr %p0[2] : (!llvm.ptr) -> !llvm.ptr, f32
      %q1 = llvm.getelementptr %p1[2] : (!llvm.ptr) -> !llvm.ptr, f32
      scf.yield %n0, %n1, %n2, %n3, %q0, %q1, %next : ...
    }
    ```

    With `accumulate = f16`, on a target with the extension `avx512fp16`, sums of f16 stand in
    registers for a run of 64 elements of K, and are then added to those of f32, in memory:

    ```mlir
    vector.store %zeros, %acc[%c0] : memref<32xf32, ...>, vector<16xf32>   // if first
    ...
    scf.for %run = %c0 to %depth step %c64 {
      %full = arith.addi %run, %c64 : index
      %end = arith.minui %full, %depth : index
      %h = scf.for %k = %run to %end step %c1 iter_args(%s = %halfZeros, %b = %atRun) -> (vector<32xf16>, index) {
        %b0 = vector.load %B[%b, %c0] : memref<?x?xf16, ...>, vector<32xf16>
        %a0 = memref.load %A[%k, %c0] : memref<?x?xf16, ...>
        %s0 = vector.broadcast %a0 : f16 to vector<32xf16>
        %n0 = vector.fma %s0, %b0, %s : vector<32xf16>
        %next = arith.addi %b, %c32 : index
        scf.yield %n0, %next : vector<32xf16>, index
      }
      %low = vector.shuffle %h, %h [0, ..., 15] : vector<32xf16>, vector<32xf16>
      %wide = arith.extf %low : vector<16xf16> to vector<16xf32>
      %before = vector.load %acc[%c0] : memref<32xf32, ...>, vector<16xf32>
      %after = arith.addf %before, %wide : vector<16xf32>
      vector.store %after, %acc[%c0] : memref<32xf32, ...>, vector<16xf32>
      ...
    }
    ```

    Of integers they are four: with the extension `avx512vnni`, or `avxvnni` on the level avx2, one instruction, which takes a signed
    A with its sign bits flipped,

    ```mlir
      %a0 = vector.bitcast %lanes : vector<16xi32> to vector<64xi8>
      %u0 = arith.xori %a0, %signs : vector<64xi8>    // of i8, not of ui8
      %n00 = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%c00, %u0, %b0) : ...
    ```

    and elsewhere a step takes pairs (`group = 2`), which are widened to 16 bits as they are loaded, of x unless it was packed so:

    ```mlir
      %b0 = arith.extsi %w0 : vector<16xi8> to vector<16xi16>
      %p00 = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%a0, %b0) : ... -> vector<8xi32>
      %n00 = arith.addi %c00, %p00 : vector<8xi32>
    ```

    With `accumulate = s16` bytes are multiplied as they are,
    sums of two products saturate, and the two of a lane are added by ones:

    ```mlir
      %p00 = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"(%a0, %b0) : ... -> vector<16xi16>
      %q00 = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%p00, %ones) : ... -> vector<8xi32>
      %n00 = arith.addi %c00, %q00 : vector<8xi32>
    ```

    The up to three elements that are left of K are taken behind the loop.

    With `unit = amx` sums stand in tile registers, zeroed or loaded before the loop and
    stored after it, register by register; a step takes a cache line of each row of x. With
    `widen = panel`, where every f16 was split into a high and a low bf16, a step passes all sums four
    times: high by high, high by low, low by low and low by high of a and b. Tiles of B
    follow each other through one register (here `rows = 32` and `nr = 32`):

    ```mlir
    tmm.zero 0
    ...
    scf.for %k = %c0 to %depth step %c32 {
      tmm.load 4, %a[%i0], %c32 : memref<bf16>
      tmm.load 6, %b[%j0], %c64 hint(streamed) : memref<bf16>
      tmm.dpbf16 0, 4, 6
      tmm.load 5, %a[%i1], %c32 : memref<bf16>
      tmm.dpbf16 2, 5, 6
      tmm.load 6, %b[%j1], %c64 hint(streamed) : memref<bf16>
      tmm.dpbf16 1, 4, 6
      tmm.dpbf16 3, 5, 6
    }
    tmm.store 0, %acc[%s0], %c16 : memref<f32>
    ...
    ```

    With `next_acc` or `touches` there are two such loops. The first takes as many steps as a register is
    high, and after each product it asks for a line of the next tile's sums, into L1, and for its share of
    the next rows of what the epilogue touches, into L2: as many as the tile has rows of registers, or some
    times as many where K has fewer steps than a register has rows. The second has the steps that are left:

    ```mlir
    %asking = arith.minui %depth, %c512 : index
    scf.for %k = %c0 to %asking step %c32 {
      ...
      tmm.dpbf16 0, 4, 6
      memref.prefetch %nextSums[%s], read, locality<3>, data : memref<1024xf32, ...>
      memref.prefetch %y[%row, %c0], read, locality<2>, data : memref<32x32xf32, ...>
      ...
    }
    scf.for %k = %asking to %depth step %c32 { ... }
    ```

    With `epilogue = next` a loop before these applies the epilogue to the `pending` tile, a vector with each product, and asks as
    they do. Rows that are left of that tile are the caller's:

    ```mlir
    scf.for %k = %c0 to %finishing step %c32 {
      ...
      tmm.dpbf16 0, 4, 6
      %sum = vector.load %pendingSums[%step, %c0] : memref<64x16xf32, ...>, vector<16xf32>
      %result = arith.addf %sum, %bias : vector<16xf32>
      vector.store %result, %y[%c0] : memref<?xf32, ...>, vector<16xf32>
      ...
    }
    ```

    With `store = stream` the results of whole tiles go past the caches where every
    row of every output begins with a cache line, which only a call can tell:

    ```mlir
    %bits = arith.ori %address, %strideBytes : index
    %inLine = arith.andi %bits, %c63 : index
    %aligned = arith.cmpi eq, %inLine, %c0 : index
    %whole = arith.cmpi eq, %columns, %c48 : index
    %streams = arith.andi %aligned, %whole : i1
    ...
    scf.if %streams {
      vector.store %y00, %out[%c0] {alignment = 64 : i64, nontemporal = true} : memref<?xf32>, vector<16xf32>
      ...
    } else {
      vector.store %y00, %out[%c0] : memref<?xf32>, vector<16xf32>
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::lintel::tmm::TmmDialect"];
}

def LintelVerifyKernel : Pass<"lintel-verify-kernel", "::mlir::ModuleOp"> {
  let summary = "check that a lowered kernel is what the code generator expects";
  let description = [{
    Fails on a vector that is longer than the target's, of a length that is not known, or has more
    than one dimension, one that comes into a block included; on an allocation; on `memref.copy`,
    `memref.dealloc` and `vector.print`, which would become library calls; on a `func.call` or
    `func.constant` of a function that has no body there; on a `math` or `arith`
    operation, a `vector.fma`, a `vector.reduction`, a `memref.atomic_rmw` or a
    `memref.generic_atomic_rmw` that has no inline lowering
    on the target of the nearest module that has one (an FMA, or floor and its relatives, on x86_64; on
    any, what works on f128, divides or converts integers of more than 64 bits, reduces bf16 or f16, or
    exchanges anything but integers of 8, 16, 32 or 64 bits and, in `memref.atomic_rmw`, f32 and f64);
    and on any operation that an earlier stage should have
    removed. What may be left is `lintel.kernel_arg` and the dialects arith, builtin, cf, func, llvm,
    math, memref, scf, tmm, ub and vector; of these but arith and math, an operation that has no
    lowering is left to `lintel-to-llvm` to refuse, and those of llvm are taken on trust.
    Changes nothing.
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", "0",
           "longest vector allowed, in bytes, 65536 at most; 0: the module's target's, or 64 without one">
  ];
}

include "TmmPasses.td"

def LintelToLLVM : Pass<"lintel-to-llvm", "::mlir::ModuleOp"> {
  let summary = "convert what is left to the LLVM dialect";
  let description = [{
    One full conversion made of MLIR's own patterns for arith, math, vector, memref, scf, cf and
    func, and of ours: scalar integers are converted first, `minui` and `maxui` to comparisons;
    `lintel.kernel_arg` becomes a load from the argument struct; the test of `scf.for` stands behind
    its body, so that a turn takes one branch, the one back, which keeps what attributes of LLVM's
    dialect say of the loop (`loop_annotation`), and vectors are loaded and
    stored as aligned as their elements, those of 16-bit floats as integers: of bf16, LLVM tears
    loads apart on CPUs that cannot compute with it. In a module whose target does not round to
    bf16, it is the integer of its bits everywhere, and widening it is a shift: LLVM takes a bf16
    from block to block by way of f32, and back by a call. A view of a pointer begins where its
    offset says, worked out where the view is made; what goes through it adds what is not known
    of its indices and, apart from that, what is. What nobody reads then, descriptors of views
    above all, is erased, and blocks that nothing branches to are, before. Private functions become internal, but for declarations and
    those with an `llvm.linkage`, and are not inlined; every function realigns its stack, so that a spilled 64-byte vector never straddles
    cache lines. A function's own `passthrough` attributes stay. `lintel.target` goes.

    Refused: what has no pattern; of what works on such a bf16 all that `lintel-verify-kernel` refuses,
    which is more than to move it and to widen it to f32; a function that takes or returns tensors, which held no layer
    when `lintel-tile` came by; a vector of more than 65536 bytes; a vector in memory of elements that are not of 8 bits or a larger
    power of two, since memory does not hold them side by side; and an operation that was of the
    LLVM dialect before and works on what has become another type, such as such a bf16.

    ```mlir
    %m = lintel.kernel_arg %args m : index
    // becomes
    %p = llvm.getelementptr inbounds %args[32] : (!llvm.ptr) -> !llvm.ptr, i8
    %m = llvm.load %p : !llvm.ptr -> i64

    %view = memref.reinterpret_cast %x to offset: [%at], sizes: [...], strides: [1, 1] : memref<bf16> to ...
    %v = vector.load %view[%i, %c16] : memref<?x?xbf16, strided<[1, 1], offset: ?>>, vector<32xbf16>
    // becomes
    %begin = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
    %p = llvm.getelementptr %begin[%i] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
    %q = llvm.getelementptr %p[16] : (!llvm.ptr) -> !llvm.ptr, bf16
    %bits = llvm.load %q {alignment = 2 : i64} : !llvm.ptr -> vector<32xi16>
    %v = llvm.bitcast %bits : vector<32xi16> to vector<32xbf16>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

#endif // LINTEL_PASSES_TD
