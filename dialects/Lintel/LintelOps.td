// The operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LINTEL_OPS_TD
#define LINTEL_OPS_TD

include "LintelDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

class Lintel_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Lintel_Dialect, opMnemonic, traits>;

def Lintel_Matrix : AnyTypeOf<[2DTensorOf<[AnyFloat, AnyInteger]>,
                               MemRefRankOf<[AnyFloat, AnyInteger], [2]>]>;
def Lintel_Weight : AnyTypeOf<[Lintel_Matrix, Lintel_PackedType]>;
def Lintel_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

//===----------------------------------------------------------------------===//
// What
//===----------------------------------------------------------------------===//

def Lintel_LinearOp : Lintel_Op<"linear", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    SingleBlockImplicitTerminator<"YieldOp">, IsolatedFromAbove]> {
  let summary = "matrix product with a transposed weight, then an elementwise function";
  let description = [{
    `out[m, n] = epilogue(sum_k x[m, k] * w[n, k], operands...)`.

    The region takes the accumulator and one scalar for each operand, and yields
    one scalar for each result; its body is scalar `arith` and `math` operations.
    The type of the first block argument is the accumulator's. The rank of an
    operand says how it broadcasts: rank 0 is one scalar, `[n]` one element a
    column, `[m, 1]` one a row, `[m, n]` full. On tensors the op has results; on
    memrefs it writes to `outs`, which are neither x nor w, nor one memref twice; a full operand
    may be one of them, and is read before.

    x holds f32, bf16, f16, i8 or ui8, w the same but ui8, operands f32, bf16, f16 or i32, and
    outputs what x may. Tensors have no encoding and memrefs no memory space; the elements of a
    row lie side by side, and rows that are written do not overlap.

    The body computes in f32 and integers of 1 to 32 bits. Narrower floats are bf16 and f16;
    it widens them by `arith.extf` to f32 and rounds to them by `arith.truncf`, to nearest and
    even, and has constants, selects and bitcasts of them; integers become some by way of f32.
    It does nothing else with them. A CPU may round to 0 what is denormal in bf16. Integers are
    divided by constants, other than 0 and, signed ones, -1. A float that an integer type does
    not hold becomes any number, not even one of that type: clamp it before. Of fast-math flags
    kernels use `contract` alone, of sums, differences and products. Integers wrap, and divisions
    and shifts cut off: `overflow` and `exact` are taken for no promise.

    Floats are summed in f32. With `accumulate = f16`, of x and w of f16, sums of short
    runs of K may be of f16 before they are added in f32: that permits it, where the
    target has such arithmetic, and asks for nothing. So does `accumulate = i16`, of integers:
    sums of the products of elements 2i and 2i + 1 of K may be of i16, which saturates, an x of
    i8 counting as x + 128.

    Of integers, tensors of `i8` hold signed ones, those of `ui8` unsigned ones; scalars
    in the region have no sign. The accumulator is i32, in which sums wrap. With
    `column_sums` the region takes `sum_k w[n, k]` behind the accumulator, with `row_sums`
    `sum_k x[m, k]` behind that, both i32: taking zero points away needs them.

    ```mlir
    %y = lintel.linear %x, %w epilogue(%zero, %scale : tensor<i32>, tensor<3072xf32>) {column_sums}
        : (tensor<?x768xui8>, tensor<3072x768xi8>) -> tensor<?x3072xf32> {
    ^bb0(%acc: i32, %sum: i32, %z: i32, %s: f32):
      %0 = arith.muli %z, %sum : i32
      %1 = arith.subi %acc, %0 : i32
      %2 = arith.sitofp %1 : i32 to f32
      %3 = arith.mulf %2, %s : f32
      lintel.yield %3 : f32
    }
    ```
    ```mlir
    %y = lintel.linear %x, %w epilogue(%bias : tensor<3072xf32>)
        : (tensor<?x768xf32>, tensor<3072x768xf32>) -> tensor<?x3072xf32> {
    ^bb0(%acc: f32, %b: f32):
      %0 = arith.addf %acc, %b : f32
      lintel.yield %0 : f32
    }
    lintel.linear %x, %w outs(%y : memref<4x16xf32>)
        : (memref<4x8xf32>, memref<16x8xf32>) {
    ^bb0(%acc: f32):
      lintel.yield %acc : f32
    }
    ```
    A `schedule` and a `target` attribute are attached by `lintel-assign-schedule`.

    Where M is dynamic, `rows = array<i64: 5, 16>` promises that every call has 5 to
    16 rows: a kernel then holds the code for those alone. Rows that x leaves open no other tensor
    of the layer states.
  }];
  let arguments = (ins Lintel_Matrix:$x, Lintel_Weight:$w,
                       Variadic<Lintel_Shaped>:$epilogueOperands, Variadic<AnyMemRef>:$outs,
                       OptionalAttr<DenseI64ArrayAttr>:$rows,
                       OptionalAttr<Lintel_ScheduleAttr>:$schedule,
                       OptionalAttr<Lintel_TargetAttr>:$target,
                       UnitAttr:$column_sums, UnitAttr:$row_sums,
                       OptionalAttr<TypeAttr>:$accumulate);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$epilogue);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// M, or ShapedType::kDynamic.
    int64_t getM();
    /// The rows that calls may have; {m, m, m} for a known M.
    ::lintel::RowRange getRowRange();
    int64_t getN();
    int64_t getK();
    /// The element types of x and of w, packed or not.
    ::mlir::Type getInputType();
    ::mlir::Type getWeightType();
    /// The type the products are summed in.
    ::mlir::Type getAccumulatorType();
    /// What the region takes between the accumulator and the operands.
    ::lintel::InputSums getInputSums();
    /// The position of operand `index` among the region's arguments.
    unsigned getArgumentOf(unsigned index);
    /// How operand `index` broadcasts over [M, N].
    ::lintel::Broadcast getBroadcast(unsigned index);
    /// Results or outs, whichever the op has.
    unsigned getNumOutputs();
    /// The [M, N] type of output `index`.
    ::mlir::ShapedType getOutputType(unsigned index);
  }];
}

def Lintel_YieldOp : Lintel_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["LinearOp", "MicrokernelOp", "ApplyEpilogueOp"]>]> {
  let summary = "the value of an epilogue";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
}

def Lintel_PackOp : Lintel_Op<"pack", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "rearrange a weight for streaming";
  let description = [{
    ```mlir
    %p = lintel.pack %w : tensor<3072x768xf32> -> !lintel.packed<3072x768xf32, n = 48, k = 1>
    ```
  }];
  let arguments = (ins Lintel_Matrix:$w);
  let results = (outs Lintel_PackedType:$packed);
  let assemblyFormat = "$w attr-dict `:` type($w) `->` qualified(type($packed))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Inside a kernel
//===----------------------------------------------------------------------===//

def Lintel_KernelArgOp : Lintel_Op<"kernel_arg", [Pure]> {
  let summary = "one field of the kernel's arguments";
  let description = [{
    Pointer fields (`x`, `w`, `workspace`, `partials`, `output`, `operand`, `column_sums`,
    `row_sums`) are read as a rank-0 memref of what they point to, all others as `index`. `output`,
    `output_stride`, `operand` and `operand_stride` take the position of the tensor.

    ```mlir
    %m = lintel.kernel_arg %args m : index
    %bias = lintel.kernel_arg %args operand[0] : memref<bf16>
    ```
  }];
  let arguments = (ins Lintel_KernelArgsType:$args, Lintel_KernelFieldAttr:$field,
                       DefaultValuedAttr<I64Attr, "0">:$position);
  let results = (outs AnyTypeOf<[Index, AnyMemRef]>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Lintel_MicrokernelOp : Lintel_Op<"microkernel", [
    SingleBlockImplicitTerminator<"YieldOp">, IsolatedFromAbove, AttrSizedOperandSegments]> {
  let summary = "one register tile over one K block";
  let description = [{
    Computes `acc[r, c] = init + sum_{k < depth} a(r, k) * b[k, c]` for `r < rows`
    and `c < nr`, where init is zero if `first`, else what stands at `acc`. If
    `last`, applies the epilogue and writes the first `columns` columns to the
    outputs at (`row`, `column`); else stores the sums at `acc`. A target without mask registers
    writes whole vectors: there `columns` is `nr` where the op applies the epilogue, and of a ragged
    tile, whose `last` is false, `lintel.apply_epilogue` follows.

    `a(r, k)` is at `a[aOffset + r * lda + k]` when the schedule says `pack = none`, and at
    `a[aOffset + (k / i * rows + r) * i + k % i]` when it says `pack = block` or `whole`, where i
    elements of K stand side by side: those that a lane of sums takes, 2 of bf16, 4 of i8 and ui8 (2
    where they are widened: without VNNI and `accumulate = s16`), 1 of f32 and f16, or with
    `unit = amx` those of a cache line, 32 of bf16 and f16, 64 of i8 and ui8. An a of f32 beside a b
    of bf16 or f16, or of i16 beside one of i8, which takes `pack = block` and a target and schedule
    that multiply them so, lies as with `pack = none`. `b[k, c]` is at
    `b[bOffset + (k / group * nr + c) * group + k % group]`; `acc[r, c]` is at
    `acc[accOffset + r * ldacc + c]`, with `unit = amx` at
    `acc[accOffset + c / 16 * mr * 16 + r * 16 + c % 16]`, and `ldacc` is 16. Offsets, `lda` and
    `ldacc` count elements of what they belong to. With `unit = amx` and `widen = panel`, which take
    an a and b of bf16 and packed rows, each element of both is the sum of two, a high and a low part:
    of every cache line of K all high parts come first, `a(r, k)` is at
    `a[aOffset + ((k / 32 * 2 + part) * rows + r) * 32 + k % 32]`, `b[k, c]` at
    `b[bOffset + (((k / 32 * 2 + part) * 16 + k % 32 / 2) * nr + c) * 2 + k % 2]`, and all four
    products of their parts are added up; `next` is of f16, in `next_in`. Nothing beyond `depth` is read of a row of a, of
    i16 nothing beyond the pair that it ends in.

    The schedule's `group` is i, with `unit = amx` that of a 32-bit lane (2 of f16, too), and
    vectors run along N; or it is that of a vector, 1 (f32, f16), 2 (bf16, i8 that is widened) or 4
    (i8) for each of its 32-bit lanes, and vectors run along K. The last one is cut by a mask, where
    only avx512 masks other types than f32; elsewhere `depth` must be a constant for these, and b be
    padded with zeros to whole vectors. Then `ldacc` must be `nr`, `first` must be true, and less than a vector beyond
    the tile at `acc` is overwritten.

    Integers are summed in i32: `b` holds i8, and `a` ui8 or i8. Where the target
    multiplies unsigned by signed integers (`avx512vnni`, `avxvnni`), an `a` of i8 counts as
    `a + 128`; the epilogue takes `128 * sum_k b[k, c]` away again. So it does with
    `accumulate = s16`, which takes a target of avx2 or avx512 that has neither: products of the
    elements 2i and 2i + 1 of K are summed in i16, which saturates, and these sums in i32.

    With `accumulate = f16` products of f16 are summed in f16 over 64 elements of K, and what
    comes of it is added to `acc` in f32.

    `broadcasts` has a name for each argument of the region behind the accumulator: first, of
    integers, `column_sums` and `row_sums`, in this order, as far as the region takes them; then how
    each operand broadcasts.

    With `unit = amx` packed rows of a are padded with zeros to whole cache lines, and in place
    `depth` is a multiple of one; b is padded with zeros likewise. Where the schedule has a
    `prefetch` too, the k loop asks for so many bytes a step of what stands at `b[next]` on, with
    `streams` in so many equal parts of the panel there. With `next_acc`, which takes `unit = amx`
    as well, and `touches` the first steps, as many as a register of a is high, ask for what comes
    next too: for the sums at `acc[next_acc]`, those of the tile that follows, into L1, and for the
    `rows` rows of `touches`, what the epilogue will read and write, into L2. As long as it is not
    the epilogue that comes next these rows can be 0 apart. With an `ahead` each step asks for what
    stands so many bytes behind what it reads of b, into L2; on vectors, as with `prefetch`, only
    from one step of b on. Dot products take neither. With a `share`, on vectors, each turn of
    the loop asks for so many lines of what stands at `b[next]` on, or, where panels are widened, at
    `next_in[next]`, into L2, and the next turn for those `next_step` elements behind them. A turn is
    a step or, of panels of f32 for isa=avx2 where a step has eight products or more, of two vectors
    or more, two of them; a step that is left asks for nothing. With `streams = s` on
    vectors, which takes `accumulate = f32`, vectors along N and a `depth` that is a constant, K is
    cut into s parts of up to `depth / s`, of which the k loop takes a step each in turn; what they
    leave follows behind the last one.

    Rows beyond `valid` are computed but not written to the outputs; `valid` is
    `rows`, which it is taken to be when left out, or `rows - 1`. So one op serves
    the strips of a balanced M, whose heights differ by one.

    With `epilogue = tile` in the schedule the op never applies the epilogue: it
    has an empty region, ignores `last`, and `lintel.apply_epilogue` follows.

    With `epilogue = next`, which takes `unit = amx`, the op applies the epilogue of another tile,
    the `pending` one, whose finished sums stand at `acc[pending]` as this tile's will at
    `acc[accOffset]`: over its `rows` rows, none or up to those of this tile, and all `nr` columns.
    Each product of the first steps takes a row of its register along, as long as there are steps
    and all registers have such a row; what is left of the pending tile is the caller's. Of the tile
    itself it leaves the sums, as with `epilogue = tile`.

    With `store = stream` outputs go past the caches where the tile is whole and its
    rows begin with cache lines; `column` is then a multiple of a line. The driver
    has to fence.

    Lowered by `lintel-lower-microkernel`. The verifier looks at types and attributes alone: that operands
    are constants where they have to be, and that constants are such as a kernel can have, is checked as
    the op is lowered.
  }];
  let arguments = (ins Lintel_KernelArgsType:$args,
                       MemRefRankOf<[AnyType], [0]>:$a, Index:$aOffset, Index:$lda,
                       MemRefRankOf<[AnyType], [0]>:$b, Index:$bOffset, Index:$depth,
                       MemRefRankOf<[AnyType], [0]>:$acc, Index:$accOffset, Index:$ldacc,
                       I1:$first, I1:$last, Index:$row, Index:$column, Index:$columns,
                       Optional<Index>:$validRows, Optional<Index>:$next, Optional<Index>:$nextStep,
                       Optional<MemRefRankOf<[F32, F16, BF16, I8], [0]>>:$nextIn, Optional<Index>:$nextAcc,
                       Variadic<MemRefRankOf<[F32, F16, BF16, I32, I8, UI8], [2]>>:$touched,
                       Optional<Index>:$pendingAcc, Optional<Index>:$pendingRow,
                       Optional<Index>:$pendingColumn, Optional<Index>:$pendingRows,
                       I64Attr:$rows, Lintel_ScheduleAttr:$schedule, Lintel_TargetAttr:$target,
                       ArrayAttr:$broadcasts);
  let regions = (region SizedRegion<1>:$epilogue);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let assemblyFormat = [{
    $args `a` `(` $a `[` $aOffset `]` `,` $lda `)` `b` `(` $b `[` $bOffset `]` `,` $depth `)`
    `acc` `(` $acc `[` $accOffset `]` `,` $ldacc `)` `first` `(` $first `)` `last` `(` $last `)`
    `at` `(` $row `,` $column `)` `columns` `(` $columns `)`
    (`valid` `(` $validRows^ `)`)? (`next` `(` $next^ `)`)?
    (`next_step` `(` $nextStep^ `)`)? (`next_in` `(` $nextIn^ `:` type($nextIn) `)`)? (`next_acc` `(` $nextAcc^ `)`)?
    (`touches` `(` $touched^ `:` type($touched) `)`)?
    (`pending` `(` $pendingAcc^ `)` `at` `(` $pendingRow `,` $pendingColumn `)`
     `rows` `(` $pendingRows `)`)?
    attr-dict-with-keyword
    `:` type($a) `,` type($b) `,` type($acc) $epilogue
  }];
}

def Lintel_ApplyEpilogueOp : Lintel_Op<"apply_epilogue", [
    SingleBlockImplicitTerminator<"YieldOp">, IsolatedFromAbove]> {
  let summary = "the epilogue over one tile held in memory";
  let description = [{
    Applies the epilogue to `acc[accOffset + r * ldacc + c]`, with `unit = amx` to what
    `lintel.microkernel` leaves there, for `r < rows` and `c < columns`, and writes the outputs at
    (`row + r`, `column + c`), past the caches as `lintel.microkernel` does with `store = stream`.
    Lowered by `lintel-lower-microkernel`, which checks operands as it does those of
    `lintel.microkernel`; with `unit = amx` `ldacc` is the constant 16.
  }];
  let arguments = (ins Lintel_KernelArgsType:$args,
                       MemRefRankOf<[F32, I32], [0]>:$acc, Index:$accOffset, Index:$ldacc,
                       Index:$row, Index:$column, Index:$rows, Index:$columns,
                       Lintel_ScheduleAttr:$schedule, Lintel_TargetAttr:$target,
                       ArrayAttr:$broadcasts);
  let regions = (region SizedRegion<1>:$epilogue);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let assemblyFormat = [{
    $args `acc` `(` $acc `[` $accOffset `]` `,` $ldacc `)` `at` `(` $row `,` $column `)`
    `size` `(` $rows `,` $columns `)` attr-dict-with-keyword `:` type($acc) $epilogue
  }];
}

#endif // LINTEL_OPS_TD
