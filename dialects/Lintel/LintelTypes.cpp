// !lintel.packed and !lintel.kernel_args in IR text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lintel::ir;

#define GET_TYPEDEF_CLASSES
#include "Lintel/LintelTypes.cpp.inc"

void LintelDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Lintel/LintelTypes.cpp.inc"
      >();
}

Type PackedType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  int64_t n = 0, k = 0;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseKeyword("n") || parser.parseEqual() ||
      parser.parseInteger(n) || parser.parseComma() ||
      parser.parseKeyword("k") || parser.parseEqual() ||
      parser.parseInteger(k) || parser.parseGreater())
    return {};
  if (shape.size() != 2) {
    parser.emitError(start, "a packed weight has two dimensions, NxK, not ")
        << shape.size();
    return {};
  }
  return parser.getChecked<PackedType>(start, parser.getContext(), shape[0],
                                       shape[1], elementType, n, k);
}

void PackedType::print(AsmPrinter &printer) const {
  printer << "<" << getRows() << "x" << getDepth() << "x" << getElementType()
          << ", n = " << getN() << ", k = " << getK() << ">";
}

/// Whether `size` rounded up to a multiple of `multiple` fits, and to what.
static bool roundUp(int64_t size, int64_t multiple, int64_t &result) {
  int64_t groups = size / multiple + (size % multiple != 0);
  return !llvm::MulOverflow(groups, multiple, result);
}

LogicalResult
PackedType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   int64_t rows, int64_t depth, Type elementType, int64_t n,
                   int64_t k) {
  if (rows < 0 || depth < 0)
    return emitError() << "a packed weight has known, non-negative dimensions, "
                          "not "
                       << rows << "x" << depth;
  if (n < 1 || k < 1)
    return emitError() << "panel width n and group k must be at least 1, not "
                       << n << " and " << k;
  if (!elementType.isIntOrFloat())
    return emitError() << "a packed weight holds integers or floats, not "
                       << elementType;
  int64_t paddedRows = 0, paddedDepth = 0, elements = 0;
  if (!roundUp(rows, n, paddedRows) ||
      !roundUp(depth, depthUnitOf(elementType), paddedDepth) ||
      !roundUp(paddedDepth, k, paddedDepth) ||
      llvm::MulOverflow(paddedRows, paddedDepth, elements))
    return emitError() << "a packed weight of " << rows << "x" << depth
                       << " with n = " << n << " and k = " << k
                       << " has more elements than 64 bits can count";
  return success();
}
