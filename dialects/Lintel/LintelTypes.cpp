// !lintel.packed and !lintel.kernel_args in IR text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/ElementType.h"
#include "Lintel/LintelDialect.h"
#include "lintel/AddressSpace.h"

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

int64_t PackedType::getPaddedDepth() const {
  return *lintel::paddedDepthOf(*dtypeOf(getElementType()), getDepth(), getK());
}

static bool isWeightType(Type element) {
  return isFloatOfLayers(element) || element.isSignlessInteger(8);
}

/// Whether a process can address it, with an s32 a row for the sums of
/// integers, and, where it is empty, a group of a panel at least.
static bool isAddressable(int64_t rows, int64_t depth, Type element, int64_t n,
                          int64_t k) {
  const lintel::DType dtype = *dtypeOf(element);
  const std::optional<int64_t> paddedDepth =
      lintel::paddedDepthOf(dtype, depth, k);
  const int64_t panels = rows / n + (rows % n != 0);
  int64_t paddedRows = 0, rowBytes = 0, bytes = 0, group = 0;
  return paddedDepth && !llvm::MulOverflow(n, k, group) &&
         group <= lintel::kAddressSpaceBytes &&
         !llvm::MulOverflow(panels, n, paddedRows) &&
         !llvm::MulOverflow(*paddedDepth, lintel::bytesOf(dtype), rowBytes) &&
         !llvm::AddOverflow(rowBytes, lintel::bytesOf(lintel::DType::s32),
                            rowBytes) &&
         !llvm::MulOverflow(paddedRows, rowBytes, bytes) &&
         bytes <= lintel::kAddressSpaceBytes;
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
  if (!isWeightType(elementType))
    return emitError()
           << "a packed weight holds f32, bf16, f16 or i8, as those "
              "of layers do, not "
           << elementType;
  if (!isAddressable(rows, depth, elementType, n, k))
    return emitError() << "a packed weight of " << rows << "x" << depth
                       << " with n = " << n << " and k = " << k
                       << " takes more than the 2^47 bytes that a process can "
                          "address";
  return success();
}
