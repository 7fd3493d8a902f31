// The operations: one AMX instruction each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TMM_OPS_TD
#define TMM_OPS_TD

include "TmmDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tmm_Registers : Resource<"::lintel::tmm::TileRegisters">;

/// Every op reads and writes the registers, as far as the effects say, so that
/// program order is the only order there is.
class Tmm_Op<string opMnemonic, list<Trait> traits = []>
    : Op<Tmm_Dialect, opMnemonic, !listconcat(traits, [
          MemoryEffects<[MemRead<Tmm_Registers>, MemWrite<Tmm_Registers>]>])>;

def Tmm_Memory : MemRefRankOf<[BF16, F16, F32, I8, UI8, I32], [0]>;

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

def Tmm_ConfigOp : Tmm_Op<"config"> {
  let summary = "load the shapes of the tile registers";
  let description = [{
    Zeroes all registers. Slow (some 200 cycles): once a call of a kernel, and not once a
    tile. A thread calls a kernel once a parallel region, or, with `deal = dynamic`, once for
    each chunk that it is dealt.

    ```mlir
    tmm.config #tmm.config<[16x64, 16x64, 16x64]>
    ```
  }];
  let arguments = (ins Tmm_ConfigAttr:$config);
  let assemblyFormat = "qualified($config) attr-dict";
}

def Tmm_ReleaseOp : Tmm_Op<"release"> {
  let summary = "give configuration and tile registers back";
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Whole tiles
//===----------------------------------------------------------------------===//

def Tmm_ZeroOp : Tmm_Op<"zero"> {
  let summary = "set a tile register to zero";
  let description = [{
    ```mlir
    tmm.zero 0
    ```
  }];
  let arguments = (ins I64Attr:$tile);
  let assemblyFormat = "$tile attr-dict";
  let hasVerifier = 1;
}

def Tmm_LoadOp : Tmm_Op<"load"> {
  let summary = "read a tile register from memory";
  let description = [{
    Row `r` of the register's shape is read from `memory[offset + r * stride]` on.
    `offset` and `stride` count elements of the memref. `hint(streamed)` tells the
    caches that the data are not used again soon.

    ```mlir
    tmm.load 4, %a[%offset], %lda : memref<bf16>
    tmm.load 6, %b[%offset], %ldb hint(streamed) : memref<bf16>
    ```
  }];
  let arguments = (ins I64Attr:$tile, Arg<Tmm_Memory, "", [MemRead]>:$memory, Index:$offset,
                       Index:$stride,
                       DefaultValuedAttr<Tmm_LoadHintAttr,
                                         "::lintel::tmm::LoadHint::standard">:$hint);
  let assemblyFormat = [{
    $tile `,` $memory `[` $offset `]` `,` $stride (`hint` `(` custom<LoadHint>($hint)^ `)`)? attr-dict
    `:` type($memory)
  }];
  let hasVerifier = 1;
}

def Tmm_StoreOp : Tmm_Op<"store"> {
  let summary = "write a tile register to memory";
  let description = [{
    Row `r` of the register's shape is written to `memory[offset + r * stride]` on;
    nothing beyond the shape is. `offset` and `stride` count elements of the memref.

    ```mlir
    tmm.store 0, %c[%offset], %ldc : memref<f32>
    ```
  }];
  let arguments = (ins I64Attr:$tile, Arg<Tmm_Memory, "", [MemWrite]>:$memory, Index:$offset,
                       Index:$stride);
  let assemblyFormat = [{
    $tile `,` $memory `[` $offset `]` `,` $stride attr-dict `:` type($memory)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def Tmm_DotInterface : OpInterface<"DotInterface"> {
  let cppNamespace = "::lintel::tmm";
  let description = [{
    A product of two tiles that is added to a third: `acc += a * b`. The three are
    different registers. A group of 4 bytes (2 or 4 elements of K) of a row of `a`
    meets the group of one column in a row of `b`.
  }];
  let methods = [
    InterfaceMethod<"the register of the sums", "uint64_t", "getAcc">,
    InterfaceMethod<"the register of the left factor", "uint64_t", "getA">,
    InterfaceMethod<"the register of the right factor", "uint64_t", "getB">,
    InterfaceMethod<"the instruction, as LLVM's intrinsic is named", "::llvm::StringRef",
                    "getInstruction">,
  ];
  let verify = [{
    return ::lintel::tmm::detail::verifyDot(::llvm::cast<DotInterface>($_op));
  }];
}

class Tmm_DotOp<string opMnemonic, string instruction, string factors, string sums>
    : Tmm_Op<opMnemonic, [Tmm_DotInterface]> {
  let summary = "acc += a * b: " # factors # ", sums of " # sums;
  let arguments = (ins I64Attr:$acc, I64Attr:$a, I64Attr:$b);
  let assemblyFormat = "$acc `,` $a `,` $b attr-dict";
  let extraClassDeclaration =
      "static ::llvm::StringRef getInstruction() { return \"" # instruction # "\"; }";
}

def Tmm_DpBF16Op : Tmm_DotOp<"dpbf16", "tdpbf16ps", "bf16", "f32"> {
  let description = [{
    With rows and columns of the register's shapes, and K in pairs:
    `acc[m, n] += sum_k a[m, 2 k] * b[k, 2 n] + a[m, 2 k + 1] * b[k, 2 n + 1]`.
    Products of even and of odd `k` are summed apart, each by FMAs, and then added;
    denormals count as zero.

    ```mlir
    tmm.dpbf16 0, 4, 6
    ```
  }];
}
def Tmm_DpFP16Op : Tmm_DotOp<"dpfp16", "tdpfp16ps", "f16", "f32"> {
  let description = "As `tmm.dpbf16`, except that denormals of a and b keep their value.";
}
def Tmm_DpBSSDOp : Tmm_DotOp<"dpbssd", "tdpbssd", "signed i8 by signed i8", "i32"> {
  let description = "K in groups of 4. Sums wrap around.";
}
def Tmm_DpBSUDOp : Tmm_DotOp<"dpbsud", "tdpbsud", "signed i8 by unsigned i8", "i32"> {
  let description = "K in groups of 4. Sums wrap around.";
}
def Tmm_DpBUSDOp : Tmm_DotOp<"dpbusd", "tdpbusd", "unsigned i8 by signed i8", "i32"> {
  let description = "K in groups of 4. Sums wrap around.";
}
def Tmm_DpBUUDOp : Tmm_DotOp<"dpbuud", "tdpbuud", "unsigned i8 by unsigned i8", "i32"> {
  let description = "K in groups of 4. Sums wrap around.";
}

#endif // TMM_OPS_TD
