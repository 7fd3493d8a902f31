// The dialect, its types and attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LINTEL_DIALECT_TD
#define LINTEL_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Lintel_Dialect : Dialect {
  let name = "lintel";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let summary = "Linear layers with elementwise epilogues, and their lowering";
  let description = [{
    `lintel.linear` says what is computed: a matrix product with a transposed
    weight and any elementwise function of the accumulator. How it is computed is
    never part of the op; it is the `#lintel.schedule` attribute that one pass
    attaches and the others read. The remaining ops appear below the tile level:
    `lintel.microkernel` and `lintel.apply_epilogue` are the compute steps of one
    tile, `lintel.kernel_arg` reads the kernel's argument struct.
  }];
  let cppNamespace = "::lintel::ir";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Lintel_Type<string name, string typeMnemonic> : TypeDef<Lintel_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Lintel_PackedType : Lintel_Type<"Packed", "packed"> {
  let summary = "a weight packed for streaming";
  let description = [{
    The weight `[N, K]` rearranged to `[ceil(N / n)][ceil(P / k)][n][k]`, 64-byte
    aligned, and padded with zeros. P is K, of bf16, f16 and 8-bit integers K rounded up to
    whole cache lines (32 or 64 elements): tile registers read them whole.

    `n` is the panel width (the schedule's `nr`). `k` is the schedule's `group`, the
    elements of K that stand side by side: those of a lane of sums (2 of bf16, 4 of 8-bit
    integers, 2 where these are widened, 1 of f32, and of f16 but for `unit = amx` without `widen = panel`, where it is 2),
    or, for tiles of dot products, those of a whole vector.

    Behind the panels of an i8 weight, from the next cache line on, stand the sums of its rows,
    `sum_k w[n, k]`: an i32 for each column of the panels, 0 for those beyond N.

    ```mlir
    !lintel.packed<3072x768xf32, n = 48, k = 1>
    ```
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$depth, "::mlir::Type":$elementType,
                        "int64_t":$n, "int64_t":$k);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// P.
    int64_t getPaddedDepth() const;
  }];
}

def Lintel_KernelArgsType : Lintel_Type<"KernelArgs", "kernel_args"> {
  let summary = "pointer to the kernel's argument struct (KernelABI.h)";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Lintel_Attr<string name, string attrMnemonic> : AttrDef<Lintel_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Lintel_ScheduleAttr : Lintel_Attr<"Schedule", "schedule"> {
  let summary = "how a linear layer is computed";
  let description = [{
    The fields and their grammar are in `Schedule.h`.

    ```mlir
    #lintel.schedule<tile = 8x48, pack = none, epilogue = registers, mc = 128,
                     nc = 384, kc = 768, blocks = mn, tiles = nm, grid = 1x2>
    ```
  }];
  let parameters = (ins "::lintel::Schedule":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Lintel_TargetAttr : Lintel_Attr<"Target", "target"> {
  let summary = "the machine to compile for";
  let description = [{
    ```mlir
    #lintel.target<isa = avx512, cpu = "znver4", l1 = 32768, l2 = 1048576,
                   l3 = 33554432, cores = 2>
    #lintel.target<isa = avx512, cpu = "sapphirerapids", l1 = 49152, l2 = 2097152,
                   l3 = 110100480, cores = 56, extensions = "amx-bf16+amx-tile">
    ```
  }];
  let parameters = (ins "::lintel::Target":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Lintel_KernelField : I32EnumAttr<"KernelField", "a field of KernelArgs", [
    I32EnumAttrCase<"x", 0>, I32EnumAttrCase<"ldx", 1>, I32EnumAttrCase<"w", 2>,
    I32EnumAttrCase<"m", 3>, I32EnumAttrCase<"mc", 4>, I32EnumAttrCase<"nc", 5>,
    I32EnumAttrCase<"kc", 6>, I32EnumAttrCase<"grid_m", 7>, I32EnumAttrCase<"grid_n", 8>,
    I32EnumAttrCase<"block_order", 9>, I32EnumAttrCase<"tile_order", 10>,
    I32EnumAttrCase<"workspace", 11>, I32EnumAttrCase<"workspace_stride", 12>,
    I32EnumAttrCase<"output", 13>, I32EnumAttrCase<"output_stride", 14>,
    I32EnumAttrCase<"operand", 15>, I32EnumAttrCase<"operand_stride", 16>,
    I32EnumAttrCase<"grid_k", 17>, I32EnumAttrCase<"phase", 18>,
    I32EnumAttrCase<"partials", 19>, I32EnumAttrCase<"column_sums", 20>,
    I32EnumAttrCase<"row_sums", 21>, I32EnumAttrCase<"same_rows", 22>]> {
  let cppNamespace = "::lintel::ir";
  let genSpecializedAttr = 0;
}
def Lintel_KernelFieldAttr : EnumAttr<Lintel_Dialect, Lintel_KernelField, "field">;

#endif // LINTEL_DIALECT_TD
