// What users of mlir-opt expect: pipelines as text, printing between passes,
// bytecode, reproducers, and a non-zero exit with the place of an error.
// RUN: lintel-opt %s --pass-pipeline='builtin.module(func.func(cse),canonicalize)' --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: lintel-opt %s --emit-bytecode -o %t.mlirbc && lintel-opt %t.mlirbc | FileCheck %s
// RUN: lintel-opt %s --verify-roundtrip | FileCheck %s
// RUN: lintel-opt %s --cse --mlir-generate-reproducer=%t.repro.mlir -o /dev/null && lintel-opt --run-reproducer %t.repro.mlir | FileCheck %s --check-prefix=CSE
// RUN: not lintel-opt %s --no-such-pass 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not lintel-opt %t.no-such-file.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo 'func.func @f() { lintel.linear }' | not lintel-opt 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: python3 -c "print('module {' * 20000 + '}' * 20000)" > %t.deep.mlir
// RUN: not lintel-opt %t.deep.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not lintel-opt < %t.deep.mlir 2>&1 | FileCheck %s --check-prefix=DEEP-STDIN
// RUN: python3 -c "print('module {' * 1000 + '}' * 1000)" | lintel-opt --canonicalize --cse -o /dev/null
// RUN: echo '!i = index module attributes {a = array < index : 1 >} {}' | not lintel-opt 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: echo '!i = index module attributes {a = array<!i: 1>} {}' | not lintel-opt 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: echo 'module attributes {test.a = array<i64: 1>, test.b = "array<index>"} {}' | lintel-opt -o /dev/null
// RUN: echo '"linalg.matmul"() : () -> ()' | not lintel-opt 2>&1 | FileCheck %s --check-prefix=DIALECT
// A file may be its own output, also one of more than is read at once, and one that
// cannot be read is kept as it was.
// RUN: cp %s %t.same.mlir && python3 -c "print('// ' + 'x' * 99999)" >> %t.same.mlir
// RUN: lintel-opt %t.same.mlir -o %t.same.mlir && FileCheck %s < %t.same.mlir
// RUN: echo kept > %t.kept.mlir && echo 'no such op' | not lintel-opt -o %t.kept.mlir && grep kept %t.kept.mlir
// Devices and links stay what they are.
// RUN: rm -rf %t.d && mkdir %t.d && ln -s /dev/full %t.d/full && ln -s real.mlir %t.d/link
// RUN: not lintel-opt %s -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not lintel-opt %s -o %t.d/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: test -L %t.d/full
// RUN: lintel-opt %s -o %t.d/link && test -L %t.d/link && FileCheck %s < %t.d/real.mlir
// RUN: lintel-opt %s -o /dev/stdout | FileCheck %s
// RUN: sh -c 'echo one; lintel-opt %s -o /dev/stdout; echo two' > %t.d/all && grep one %t.d/all && grep two %t.d/all && FileCheck %s < %t.d/all
// Files with another name stay the same ones, and those that are protected as they are; others keep their mode.
// RUN: echo old > %t.d/first && ln %t.d/first %t.d/second && lintel-opt %s -o %t.d/first && FileCheck %s < %t.d/second
// RUN: touch %t.d/private && chmod 600 %t.d/private && lintel-opt %s -o %t.d/private && stat -c %%a %t.d/private | grep 600 && FileCheck %s < %t.d/private
// RUN: not lintel-opt %s -o %t.d 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not lintel-opt %s -o %t.d/none/out.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// Nor is anything lost where files may not grow.
// RUN: cp %s %t.d/limit.mlir
// RUN: not sh -c 'ulimit -f 0; lintel-opt %t.d/limit.mlir -o %t.d/limit.mlir' 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: cmp %s %t.d/limit.mlir
// RUN: not sh -c 'ulimit -f 0; lintel-opt %s -o %t.d/new.mlir' 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: ls -A %t.d | tr '\n' ' ' | FileCheck %s --check-prefix=FILES
// RUN: lintel-opt --version | FileCheck %s --check-prefix=VERSION

// VERSION: LLVM version
// VERSION: Lintel {{[0-9]+\.[0-9]+\.[0-9]+$}}
// PRINT: IR Dump After CSE
// PRINT: IR Dump After Canonicalizer
// PASS: Unknown command line argument '--no-such-pass'
// FILE: cannot open input file
// FULL: cannot write output file '{{.*}}full': No space left on device
// FOLDER: cannot write output file '{{.*}}.d': Is a directory
// NONE: cannot write output file '{{.*}}out.mlir': No such file or directory
// LIMIT: cannot write output file '{{.*}}.mlir': File too large
// FILES: {{^}}all first full limit.mlir link private real.mlir second {{$}}
// PLACE: <stdin>:1:31: error: expected operand
// DEEP: deep.mlir: error: brackets nest 20000 deep, at most 1000 are allowed
// DEEP-STDIN: <stdin>: error: brackets nest 20000 deep, at most 1000 are allowed
// INDEX: <stdin>: error: holds an array of index or of a type by an alias, {{.*}}write array<i64: ...>
// DIALECT: <stdin>:1:{{.*}} unregistered dialect

// CHECK-LABEL: func.func @f
// CHECK-COUNT-2: lintel.kernel_arg %
// CSE-LABEL: func.func @f
// CSE: lintel.kernel_arg %
// CSE-NOT: lintel.kernel_arg %
func.func @f(%args: !lintel.kernel_args) -> (index, index) {
  %m = lintel.kernel_arg %args m : index
  %n = lintel.kernel_arg %args m : index
  return %m, %n : index, index
}
