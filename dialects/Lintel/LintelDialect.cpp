// Registration of the dialect's parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/LintelDialect.h"

using namespace lintel::ir;

#include "Lintel/LintelDialect.cpp.inc"
#include "Lintel/LintelEnums.cpp.inc"

#define GET_OP_CLASSES
#include "Lintel/LintelOps.cpp.inc"

void LintelDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Lintel/LintelOps.cpp.inc"
      >();
}
