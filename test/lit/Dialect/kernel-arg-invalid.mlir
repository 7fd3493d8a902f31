// What lintel.kernel_arg refuses.
// RUN: lintel-opt %s --split-input-file --verify-diagnostics

func.func @unknown(%args: !lintel.kernel_args) {
  // expected-error @below {{the kernel's arguments have no field 'rows'}}
  %0 = lintel.kernel_arg %args rows : index
  return
}

// -----

func.func @no_position(%args: !lintel.kernel_args) {
  // expected-error @below {{expected '['}}
  %0 = lintel.kernel_arg %args operand : memref<f32>
  return
}

// -----

func.func @negative(%args: !lintel.kernel_args) {
  // expected-error @below {{counts the tensors of 'operand' from 0 to 65535, so its position cannot be -1}}
  %0 = lintel.kernel_arg %args operand[-1] : memref<f32>
  return
}

// -----

func.func @far(%args: !lintel.kernel_args) {
  // expected-error @below {{counts the tensors of 'operand' from 0 to 65535, so its position cannot be 65536}}
  %0 = lintel.kernel_arg %args operand[65536] : memref<f32>
  return
}

// -----

func.func @one_of_them(%args: !lintel.kernel_args) {
  // expected-error @below {{reads 'm', of which there is one: it takes no position}}
  %0 = "lintel.kernel_arg"(%args) {field = #lintel<field m>, position = 1} : (!lintel.kernel_args) -> index
  return
}

// -----

// What the text says stands.
func.func @another_position(%args: !lintel.kernel_args) {
  // expected-error @below {{spells out what 'position' is before its attributes; leave it out of them}}
  %0 = lintel.kernel_arg %args operand[0] {position = 1} : memref<f32>
  return
}

// -----

func.func @another_field(%args: !lintel.kernel_args) {
  // expected-error @below {{spells out what 'field' is before its attributes; leave it out of them}}
  %0 = lintel.kernel_arg %args m {field = #lintel<field mc>} : index
  return
}

// -----

func.func @pointer_as_index(%args: !lintel.kernel_args) {
  // expected-error @below {{reads the pointer 'w' as a rank-0 memref, e.g. memref<f32>, not 'index'}}
  %0 = lintel.kernel_arg %args w : index
  return
}

// -----

func.func @pointer_with_rank(%args: !lintel.kernel_args) {
  // expected-error @below {{reads the pointer 'output' as a rank-0 memref, e.g. memref<f32>, not 'memref<4xf32>'}}
  %0 = lintel.kernel_arg %args output[0] : memref<4xf32>
  return
}

// -----

func.func @number_as_pointer(%args: !lintel.kernel_args) {
  // expected-error @below {{reads the number 'operand_stride' as index, not 'memref<f32>'}}
  %0 = lintel.kernel_arg %args operand_stride[0] : memref<f32>
  return
}

// -----

func.func @number_as_i64(%args: !lintel.kernel_args) {
  // expected-error @below {{must be index or memref}}
  %0 = lintel.kernel_arg %args m : i64
  return
}

// -----

func.func @position_kind(%args: !lintel.kernel_args) {
  // expected-error @below {{attribute 'position' failed to satisfy constraint}}
  %0 = "lintel.kernel_arg"(%args) {field = #lintel<field m>, position = "one"} : (!lintel.kernel_args) -> index
  return
}

// -----

func.func @sums_as_number(%args: !lintel.kernel_args) {
  // expected-error @below {{reads the pointer 'column_sums' as a rank-0 memref}}
  %0 = lintel.kernel_arg %args column_sums : index
  return
}

// -----

func.func @elsewhere(%args: !lintel.kernel_args) {
  // expected-error @below {{takes plain memory, e.g. 'memref<f32>', not 'memref<f32, "gpu">'}}
  %0 = lintel.kernel_arg %args x : memref<f32, "gpu">
  return
}

// -----

// The arguments hold no offset.
func.func @somewhere(%args: !lintel.kernel_args) {
  // expected-error @below {{takes plain memory, e.g. 'memref<bf16>', not 'memref<bf16, strided<[], offset: ?>>'}}
  %0 = lintel.kernel_arg %args operand[0] : memref<bf16, strided<[], offset: ?>>
  return
}
