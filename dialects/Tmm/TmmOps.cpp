// The text of a load's hint, and what operations on tile registers refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tmm/PlainMemory.h"
#include "Tmm/TmmDialect.h"

using namespace mlir;
using namespace lintel::tmm;

static ParseResult parseLoadHint(OpAsmParser &parser, LoadHintAttr &hint) {
  StringRef word;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<LoadHint> value = symbolizeLoadHint(word);
  if (!value)
    return parser.emitError(location)
           << "a load's hint is 'default' or 'streamed', not '" << word << "'";
  hint = LoadHintAttr::get(parser.getContext(), *value);
  return success();
}

static void printLoadHint(OpAsmPrinter &printer, Operation *,
                          LoadHintAttr hint) {
  printer << stringifyLoadHint(hint.getValue());
}

#include "Tmm/TmmInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "Tmm/TmmOps.cpp.inc"

static LogicalResult verifyRegister(Operation *op, uint64_t number) {
  if (number < kTileRegisters)
    return success();
  return op->emitOpError("takes a tile register from 0 to ")
         << kTileRegisters - 1 << ", not " << static_cast<int64_t>(number);
}

LogicalResult ZeroOp::verify() { return verifyRegister(*this, getTile()); }

LogicalResult LoadOp::verify() {
  return failure(failed(verifyRegister(*this, getTile())) ||
                 failed(verifyPlainMemory(*this, getMemory().getType())));
}

LogicalResult StoreOp::verify() {
  return failure(failed(verifyRegister(*this, getTile())) ||
                 failed(verifyPlainMemory(*this, getMemory().getType())));
}

LogicalResult lintel::tmm::detail::verifyDot(DotInterface op) {
  const uint64_t acc = op.getAcc(), a = op.getA(), b = op.getB();
  for (uint64_t number : {acc, a, b})
    if (failed(verifyRegister(op, number)))
      return failure();
  if (acc == a || acc == b || a == b)
    return op->emitOpError("takes three different tile registers, not ")
           << acc << ", " << a << " and " << b
           << ": the instruction traps on equal ones";
  return success();
}
