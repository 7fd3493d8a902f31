// #tmm.config in IR text, and as the processor reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tmm/TmmDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lintel::tmm;

#define GET_ATTRDEF_CLASSES
#include "Tmm/TmmAttrs.cpp.inc"

void TmmDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Tmm/TmmAttrs.cpp.inc"
      >();
}

Attribute ConfigAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<TileShape> tiles;
  auto parseShape = [&]() -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    SmallVector<int64_t> dimensions;
    if (parser.parseDimensionList(dimensions, /*allowDynamic=*/false,
                                  /*withTrailingX=*/false))
      return failure();
    if (dimensions.size() != 2)
      return parser.emitError(location, "a tile's shape is rows x bytes per "
                                        "row, e.g. 16x64");
    tiles.push_back({dimensions[0], dimensions[1]});
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseShape) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<ConfigAttr>(start, parser.getContext(), tiles);
}

void ConfigAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getTiles(), printer, [&](const TileShape &shape) {
    printer << shape.rows << "x" << shape.bytes;
  });
  printer << "]>";
}

LogicalResult
ConfigAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   ArrayRef<TileShape> tiles) {
  if (tiles.empty() || tiles.size() > kTileRegisters)
    return emitError() << "a configuration has 1 to " << kTileRegisters
                       << " tiles, not " << tiles.size();
  for (auto [number, shape] : llvm::enumerate(tiles)) {
    if (shape.rows < 1 || shape.rows > 16)
      return emitError() << "tile " << number << " has 1 to 16 rows, not "
                         << shape.rows;
    if (shape.bytes < 4 || shape.bytes > 64 || shape.bytes % 4 != 0)
      return emitError() << "rows of tile " << number
                         << " have 4 to 64 bytes, a multiple of 4, not "
                         << shape.bytes;
  }
  return success();
}

std::optional<TileShape> ConfigAttr::getTile(uint64_t number) const {
  if (number >= getTiles().size())
    return std::nullopt;
  return getTiles()[number];
}

std::array<uint8_t, 64> ConfigAttr::getBytes() const {
  // Palette 1: bytes per row as 16-bit numbers from byte 16 on, rows as bytes
  // from byte 48 on. All others are zero.
  std::array<uint8_t, 64> bytes = {1};
  for (auto [number, shape] : llvm::enumerate(getTiles())) {
    bytes[16 + 2 * number] = static_cast<uint8_t>(shape.bytes);
    bytes[48 + number] = static_cast<uint8_t>(shape.rows);
  }
  return bytes;
}
