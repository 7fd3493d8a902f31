// The dialect and its attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TMM_DIALECT_TD
#define TMM_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tmm_Dialect : Dialect {
  let name = "tmm";
  let summary = "AMX tile registers by number";
  let description = [{
    Each op is one AMX instruction on tile registers that it names by number, 0 to 7.
    Registers are state of the thread, not values: ops keep the order of the program,
    none is dropped, merged or moved over another. Whoever writes the ops assigns the
    registers; nothing spills and nothing loads a configuration behind the scenes.

    A 2x2 micro-kernel of bf16: C in registers 0 to 3, A in 4 and 5, B in 6 and 7.

    ```mlir
    tmm.config #tmm.config<[16x64, 16x64, 16x64, 16x64, 16x64, 16x64, 16x64, 16x64]>
    tmm.zero 0
    ...
    scf.for %k = %c0 to %depth step %c32 {
      tmm.load 4, %a[%k], %lda : memref<bf16>
      tmm.load 6, %b[%at], %ldb hint(streamed) : memref<bf16>
      tmm.dpbf16 0, 4, 6
      ...
    }
    tmm.store 0, %c[%c0], %ldc : memref<f32>
    ...
    tmm.release
    ```

    Two attributes of functions say what they do to the registers, so that each
    function can be checked alone (`lintel-verify-tmm`):

    - `tmm.configured = #tmm.config<...>`: whoever calls has loaded this
      configuration, and finds it loaded after the call, but no tile;
    - `tmm.untouched`: the function leaves configuration and tiles alone, so tiles
      may live across a call of it.

    After a call of any other function neither configuration nor tiles are counted on, and
    `tmm.release` is needed all the same. A body, also one of `llvm.func`, is held to what its
    function promises; a declaration is believed.

    `lintel-lower-tmm` turns the ops into instructions, or into calls to an exact
    emulation.
  }];
  let cppNamespace = "::lintel::tmm";
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

def Tmm_ConfigAttr : AttrDef<Tmm_Dialect, "Config"> {
  let mnemonic = "config";
  let summary = "the shapes of the tile registers";
  let description = [{
    Rows x bytes per row of the registers 0, 1, ...: 1 to 8 shapes of 1 to 16 rows and
    4 to 64 bytes, a multiple of 4. Registers beyond the list are not configured.

    ```mlir
    #tmm.config<[16x64, 16x64, 13x64]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::lintel::tmm::TileShape">:$tiles);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The shape of a register, or nothing for one that is not configured.
    std::optional<::lintel::tmm::TileShape> getTile(uint64_t number) const;
    /// What the LDTILECFG instruction reads: palette 1, no row begun.
    std::array<uint8_t, 64> getBytes() const;
  }];
}

def Tmm_LoadHint : I32EnumAttr<"LoadHint", "how a load uses the caches", [
    I32EnumAttrCase<"standard", 0, "default">, I32EnumAttrCase<"streamed", 1>]> {
  let cppNamespace = "::lintel::tmm";
  let genSpecializedAttr = 0;
}
def Tmm_LoadHintAttr : EnumAttr<Tmm_Dialect, Tmm_LoadHint, "hint">;

#endif // TMM_DIALECT_TD
