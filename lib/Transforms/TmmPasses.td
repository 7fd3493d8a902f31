// The passes over tile registers, which the dialect tmm names by number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LINTEL_TMM_PASSES_TD
#define LINTEL_TMM_PASSES_TD

include "mlir/Pass/PassBase.td"

def LintelVerifyTmm : Pass<"lintel-verify-tmm", "::mlir::ModuleOp"> {
  let summary = "check the use of tile registers, function by function";
  let description = [{
    Follows configuration and tiles along every path of a function, of whatever dialect that
    is, so that each keeps what its attributes promise, and fails on

    - an op that no `tmm.config` stands before on every path, in a function without
      `tmm.configured`, or that names a tile the configuration leaves out;
    - a tile that is read without being loaded or zeroed on every path;
    - a tile that is live across a call, unless the callee is `tmm.untouched`;
    - a product whose shapes do not fit each other;
    - a call of a `tmm.configured` function under another configuration;
    - a way out of the function that leaves another configuration than was found, or may: on
      some path, or by a call that nothing is known of;
    - an op outside `func.func`, a call of what is not `tmm.untouched` outside any function, and
      either in a region of an op that is no control flow, or runs it in parallel, on threads with
      registers of their own: there nothing could be followed;
    - an instruction of AMX that was lowered before, one that restores the state of registers
      (`llvm.x86.xrstor`), or inline assembly.

    Changes nothing. The function attributes are the dialect's.

    ```mlir
    func.func @f(%c: memref<f32>, %i: index) {
      tmm.config #tmm.config<[16x64]>
      tmm.zero 0
      func.call @g() : () -> ()
      tmm.store 0, %c[%i], %i : memref<f32>  // error: was live across a call
      ...
    ```
  }];
}

def LintelLowerTmm : Pass<"lintel-lower-tmm", "::mlir::ModuleOp"> {
  let summary = "turn tile operations into AMX instructions, or into calls to an emulation";
  let description = [{
    Each op becomes one intrinsic of LLVM that names its registers by number; a
    configuration becomes a constant of 64 bytes.

    ```mlir
    tmm.config #tmm.config<[16x64, 16x64, 16x64]>
    tmm.load 1, %a[%i], %lda : memref<bf16>
    tmm.dpbf16 0, 1, 2
    // becomes
    %config = llvm.mlir.addressof @tmm_config : !llvm.ptr
    llvm.call_intrinsic "llvm.x86.ldtilecfg"(%config) : (!llvm.ptr) -> ()
    ...
    %p = llvm.getelementptr %a_pointer[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i16
    llvm.call_intrinsic "llvm.x86.tileloadd64"(%c1_i8, %p, %strideBytes) : (i8, !llvm.ptr, i64) -> ()
    llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%c0_i8, %c1_i8, %c2_i8) : (i8, i8, i8) -> ()
    ```

    With `emulate`, and in a module whose target (`lintel.target`) has the extension
    `amx-emulation`, each op becomes a call to a function that does exactly what the
    instruction does, and runs on every x86-64 CPU (`lib/TileEmulation`):

    ```mlir
    llvm.call @lintel_tmm_load(%c1_i32, %p, %strideBytes) : (i32, !llvm.ptr, i64) -> ()
    llvm.call @lintel_tmm_dpbf16(%c0_i32, %c1_i32, %c2_i32) : (i32, i32, i32) -> ()
    ```

    The function attributes `tmm.configured` and `tmm.untouched` are removed. Refused:
    where the emulation is called, a module in which something else has the name of such a function,
    or such a function has a body.
  }];
  let options = [
    Option<"emulate", "emulate", "bool", "false",
           "call the emulation instead of emitting AMX instructions">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // LINTEL_TMM_PASSES_TD
