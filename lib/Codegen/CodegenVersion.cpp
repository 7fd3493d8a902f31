// The identity of the code generator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Codegen/Compiler.h"
#include "Codegen/LlvmHash.h"
#include "Codegen/SourceHash.h"

#include "llvm/Config/llvm-config.h"

namespace lintel {

std::string codegenVersion() {
  return "llvm-" LLVM_VERSION_STRING "-" LINTEL_LLVM_HASH
         "-" LINTEL_SOURCE_HASH;
}

} // namespace lintel
