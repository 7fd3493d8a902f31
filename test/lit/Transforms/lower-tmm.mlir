// lintel-lower-tmm: instructions that name their registers, or calls of the
// emulation.
// RUN: lintel-opt %s --lintel-lower-tmm --cse | FileCheck %s --check-prefixes=CHECK,AMX
// RUN: lintel-opt %s --lintel-lower-tmm=emulate=true --cse | FileCheck %s --check-prefixes=CHECK,EMULATE
// RUN: lintel-opt %s --lintel-lower-tmm --lintel-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: lintel-opt %s --lintel-lower-tmm=emulate=true --lintel-to-llvm | FileCheck %s --check-prefix=CALLS

// CHECK: func.func private @tmm_config() {
func.func private @tmm_config() { return }

// CHECK-LABEL: func.func @state
// AMX: %[[CONFIG:.*]] = llvm.mlir.addressof @[[FIRST:tmm_config_[0-9]+]] : !llvm.ptr
// AMX: llvm.call_intrinsic "llvm.x86.ldtilecfg"(%[[CONFIG]]) : (!llvm.ptr) -> ()
// AMX: llvm.call_intrinsic "llvm.x86.tilezero"(%{{.*}}) : (i8) -> ()
// AMX: llvm.mlir.addressof @[[SECOND:tmm_config_[0-9]+]]
// AMX: llvm.call_intrinsic "llvm.x86.ldtilecfg"(%[[CONFIG]])
// AMX: llvm.call_intrinsic "llvm.x86.tilerelease"() : () -> ()
// EMULATE: llvm.call @lintel_tmm_config(%{{.*}}) : (!llvm.ptr) -> ()
// EMULATE: llvm.call @lintel_tmm_zero(%{{.*}}) : (i32) -> ()
// EMULATE: llvm.call @lintel_tmm_release() : () -> ()
func.func @state() {
  tmm.config #tmm.config<[16x64, 13x28]>
  tmm.zero 1
  tmm.config #tmm.config<[16x64]>
  tmm.config #tmm.config<[16x64, 13x28]>
  tmm.release
  return
}

// Where memory begins is worked out where it is made; strides become bytes.
// CHECK-LABEL: func.func @tiles
// CHECK-SAME: %[[A:.*]]: memref<bf16>, %[[C:.*]]: memref<i8>, %[[I:.*]]: index, %[[LD:.*]]: index)
// CHECK-NOT: tmm.
// CHECK: %[[BASE_C:.*]] = memref.extract_aligned_pointer_as_index %[[C]]
// CHECK: %[[INTEGER_C:.*]] = arith.index_cast %[[BASE_C]] : index to i64
// CHECK: %[[POINTER_C:.*]] = llvm.inttoptr %[[INTEGER_C]]
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[BASE_A:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[INTEGER_A:.*]] = arith.index_cast %[[BASE_A]] : index to i64
// CHECK: %[[POINTER_A:.*]] = llvm.inttoptr %[[INTEGER_A]]
// CHECK: %[[OFFSET:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: %[[POINTER:.*]] = llvm.getelementptr %[[POINTER_A]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i16
// CHECK: %[[BYTES:.*]] = arith.muli %[[LD]], %[[C2]]
// CHECK: %[[STRIDE:.*]] = arith.index_cast %[[BYTES]] : index to i64
// AMX: llvm.call_intrinsic "llvm.x86.tileloadd64"(%{{.*}}, %[[POINTER]], %[[STRIDE]]) : (i8, !llvm.ptr, i64) -> ()
// AMX: llvm.call_intrinsic "llvm.x86.tileloaddt164"
// EMULATE: llvm.call @lintel_tmm_load(%{{.*}}, %[[POINTER]], %[[STRIDE]]) : (i32, !llvm.ptr, i64) -> ()
// EMULATE: llvm.call @lintel_tmm_load
// CHECK-NOT: inttoptr
// CHECK: %[[STORED:.*]] = llvm.getelementptr %[[POINTER_C]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// AMX: llvm.call_intrinsic "llvm.x86.tilestored64"(%{{.*}}, %[[STORED]], %{{.*}}) : (i8, !llvm.ptr, i64) -> ()
// EMULATE: llvm.call @lintel_tmm_store(%{{.*}}, %[[STORED]], %{{.*}}) : (i32, !llvm.ptr, i64) -> ()
func.func @tiles(%a: memref<bf16>, %c: memref<i8>, %i: index, %ld: index)
    attributes {tmm.configured = #tmm.config<[16x64, 13x28]>} {
  tmm.load 1, %a[%i], %ld : memref<bf16>
  tmm.load 1, %a[%i], %ld hint(streamed) : memref<bf16>
  tmm.store 1, %c[%i], %ld : memref<i8>
  return
}

// CHECK-LABEL: func.func @products
// AMX-DAG: %[[T0:.*]] = llvm.mlir.constant(0 : i8) : i8
// AMX-DAG: %[[T4:.*]] = llvm.mlir.constant(4 : i8) : i8
// AMX-DAG: %[[T6:.*]] = llvm.mlir.constant(6 : i8) : i8
// AMX: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%[[T0]], %[[T4]], %[[T6]]) : (i8, i8, i8) -> ()
// AMX-NEXT: llvm.call_intrinsic "llvm.x86.tdpfp16ps"
// AMX-NEXT: llvm.call_intrinsic "llvm.x86.tdpbssd"
// AMX-NEXT: llvm.call_intrinsic "llvm.x86.tdpbsud"
// AMX-NEXT: llvm.call_intrinsic "llvm.x86.tdpbusd"
// AMX-NEXT: llvm.call_intrinsic "llvm.x86.tdpbuud"
// EMULATE: llvm.call @lintel_tmm_dpbf16(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, i32) -> ()
// EMULATE-NEXT: llvm.call @lintel_tmm_dpfp16
// EMULATE-NEXT: llvm.call @lintel_tmm_dpbssd
// EMULATE-NEXT: llvm.call @lintel_tmm_dpbsud
// EMULATE-NEXT: llvm.call @lintel_tmm_dpbusd
// EMULATE-NEXT: llvm.call @lintel_tmm_dpbuud
// CHECK-NEXT: return
func.func @products() attributes {tmm.untouched} {
  tmm.dpbf16 0, 4, 6
  tmm.dpfp16 0, 4, 6
  tmm.dpbssd 0, 4, 6
  tmm.dpbsud 0, 4, 6
  tmm.dpbusd 0, 4, 6
  tmm.dpbuud 0, 4, 6
  return
}

// One constant a configuration, beside what else has its name: palette 1 in byte 0,
// bytes per row from byte 16 on, rows from byte 48 on.
// AMX: llvm.mlir.global internal constant @[[FIRST]](dense<[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 28, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<64xi8>) {{.*}}alignment = 64
// AMX: llvm.mlir.global internal constant @[[SECOND]](dense<[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<64xi8>) {{.*}}alignment = 64
// AMX-NOT: llvm.mlir.global

// Declared once, whatever the number of calls.
// AMX-NOT: lintel_tmm
// EMULATE: llvm.func @lintel_tmm_config(!llvm.ptr)
// EMULATE: llvm.func @lintel_tmm_zero(i32)
// EMULATE: llvm.func @lintel_tmm_release()
// EMULATE-NEXT: llvm.func @lintel_tmm_load(i32, !llvm.ptr, i64)
// EMULATE-NEXT: llvm.func @lintel_tmm_store(i32, !llvm.ptr, i64)
// EMULATE-NEXT: llvm.func @lintel_tmm_dpbf16(i32, i32, i32)
// EMULATE-NOT: @lintel_tmm_load

// LLVM: llvm.func @tiles(
// LLVM-NOT: tmm.
// LLVM: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CALLS: llvm.func @tiles(
// CALLS: llvm.call @lintel_tmm_load
