// lintel.kernel_arg: every field parses, prints and survives generic form.
// RUN: lintel-opt %s | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --emit-bytecode | lintel-opt | FileCheck %s
// RUN: lintel-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// GENERIC: "lintel.kernel_arg"(%{{.*}}) <{field = #lintel<field x>, position = 0 : i64}> : (!lintel.kernel_args) -> memref<f32>
// GENERIC: "lintel.kernel_arg"(%{{.*}}) <{field = #lintel<field operand_stride>, position = 7 : i64}>

// CHECK-LABEL: func.func @fields
func.func @fields(%args: !lintel.kernel_args) {
  // CHECK: lintel.kernel_arg %{{.*}} x : memref<f32>
  %x = lintel.kernel_arg %args x : memref<f32>
  // CHECK: lintel.kernel_arg %{{.*}} ldx : index
  %ldx = lintel.kernel_arg %args ldx : index
  // CHECK: lintel.kernel_arg %{{.*}} w : memref<f32>
  %w = lintel.kernel_arg %args w : memref<f32>
  // CHECK: lintel.kernel_arg %{{.*}} m : index
  %m = lintel.kernel_arg %args m : index
  // CHECK: lintel.kernel_arg %{{.*}} mc : index
  %mc = lintel.kernel_arg %args mc : index
  // CHECK: lintel.kernel_arg %{{.*}} nc : index
  %nc = lintel.kernel_arg %args nc : index
  // CHECK: lintel.kernel_arg %{{.*}} kc : index
  %kc = lintel.kernel_arg %args kc : index
  // CHECK: lintel.kernel_arg %{{.*}} grid_m : index
  %gm = lintel.kernel_arg %args grid_m : index
  // CHECK: lintel.kernel_arg %{{.*}} grid_n : index
  %gn = lintel.kernel_arg %args grid_n : index
  // CHECK: lintel.kernel_arg %{{.*}} grid_k : index
  %gk = lintel.kernel_arg %args grid_k : index
  // CHECK: lintel.kernel_arg %{{.*}} phase : index
  %ph = lintel.kernel_arg %args phase : index
  // CHECK: lintel.kernel_arg %{{.*}} block_order : index
  %bo = lintel.kernel_arg %args block_order : index
  // CHECK: lintel.kernel_arg %{{.*}} tile_order : index
  %to = lintel.kernel_arg %args tile_order : index
  // CHECK: lintel.kernel_arg %{{.*}} workspace : memref<f32>
  %ws = lintel.kernel_arg %args workspace : memref<f32>
  // CHECK: lintel.kernel_arg %{{.*}} workspace_stride : index
  %wss = lintel.kernel_arg %args workspace_stride : index
  // CHECK: lintel.kernel_arg %{{.*}} partials : memref<f32>
  %ps = lintel.kernel_arg %args partials : memref<f32>
  // CHECK: lintel.kernel_arg %{{.*}} column_sums : memref<i32>
  %cs = lintel.kernel_arg %args column_sums : memref<i32>
  // CHECK: lintel.kernel_arg %{{.*}} row_sums : memref<i32>
  %rs = lintel.kernel_arg %args row_sums : memref<i32>
  // CHECK: lintel.kernel_arg %{{.*}} same_rows : index
  %sr = lintel.kernel_arg %args same_rows : index
  // CHECK: lintel.kernel_arg %{{.*}} output[1] : memref<bf16>
  %o = lintel.kernel_arg %args output[1] : memref<bf16>
  // CHECK: lintel.kernel_arg %{{.*}} output_stride[0] : index
  %os = lintel.kernel_arg %args output_stride[0] : index
  // CHECK: lintel.kernel_arg %{{.*}} operand[0] {note = "kept"} : memref<f32>
  %op = lintel.kernel_arg %args operand[0] {note = "kept"} : memref<f32>
  // CHECK: lintel.kernel_arg %{{.*}} operand_stride[7] : index
  %ops = lintel.kernel_arg %args operand_stride[7] : index
  return
}
