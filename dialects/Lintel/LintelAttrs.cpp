// #lintel.schedule and #lintel.target in IR text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/KnownCpu.h"
#include "Lintel/LintelDialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lintel::ir;

namespace lintel {
// Found by argument-dependent lookup from the attributes' storage.
static llvm::hash_code hash_value(const Schedule &schedule) {
  return llvm::hash_value(schedule.text());
}
static llvm::hash_code hash_value(const Target &target) {
  return llvm::hash_value(target.text());
}
} // namespace lintel

#define GET_ATTRDEF_CLASSES
#include "Lintel/LintelAttrs.cpp.inc"

void LintelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Lintel/LintelAttrs.cpp.inc"
      >();
}

/// Parses a value (a word, a string, a number, or AxB) into the text that
/// setField takes. The lexer splits 8x48 into the number 8 and the word x48.
static ParseResult parseFieldValue(AsmParser &parser, std::string &text) {
  StringRef word;
  if (succeeded(parser.parseOptionalString(&text)))
    return success();
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    text = word.str();
    return success();
  }
  const char *spelling = parser.getCurrentLocation().getPointer();
  APInt number;
  OptionalParseResult result = parser.parseOptionalInteger(number);
  if (!result.has_value())
    return parser.emitError(parser.getCurrentLocation(),
                            "expected a word, a number, two numbers joined by "
                            "'x', or a string");
  if (failed(*result))
    return failure();
  // 0x48 is a number to the lexer, and the rows and columns of a tile here.
  if (spelling[0] == '0' && spelling[1] == 'x') {
    while (llvm::isAlnum(*spelling))
      text += *spelling++;
    return success();
  }
  text = toString(number, /*Radix=*/10, /*Signed=*/true);
  if (succeeded(parser.parseOptionalKeyword(&word)))
    text += word;
  return success();
}

/// Parses `<name = value, ...>` into `value` by way of its setField.
template <class T>
static ParseResult parseFieldList(AsmParser &parser, StringRef required,
                                  T &value) {
  llvm::StringSet<> seen;
  SMLoc start = parser.getCurrentLocation();
  auto parseField = [&]() -> ParseResult {
    StringRef name;
    std::string text;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual() ||
        parseFieldValue(parser, text))
      return failure();
    if (!seen.insert(name).second)
      return parser.emitError(location) << "'" << name << "' is given twice";
    if (lintel::Status status =
            value.setField({name.data(), name.size()}, text);
        !status)
      return parser.emitError(location, status.error().message());
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return failure();
  if (!seen.contains(required))
    return parser.emitError(start) << "'" << required << "' is missing";
  return success();
}

/// Prints canonical text "a=b,c=d" as "a = b, c = d"; the values of `quoted` as
/// strings.
static void printFieldList(AsmPrinter &printer, StringRef text,
                           ArrayRef<StringRef> quoted) {
  printer << "<";
  llvm::interleaveComma(llvm::split(text, ','), printer, [&](StringRef field) {
    auto [name, value] = field.split('=');
    printer << name << " = ";
    if (llvm::is_contained(quoted, name))
      printer.printString(value);
    else
      printer << value;
  });
  printer << ">";
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  Schedule schedule;
  schedule.mc = schedule.nc = schedule.kc = Schedule::kWhole;
  if (parseFieldList(parser, "tile", schedule))
    return {};
  return parser.getChecked<ScheduleAttr>(start, parser.getContext(), schedule);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printFieldList(printer, getValue().text(), /*quoted=*/{});
}

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     Schedule value) {
  if (lintel::Status status = value.check(); !status)
    return emitError() << status.error().message();
  return success();
}

Attribute TargetAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  Target target;
  if (parseFieldList(parser, "isa", target))
    return {};
  return parser.getChecked<TargetAttr>(start, parser.getContext(), target);
}

void TargetAttr::print(AsmPrinter &printer) const {
  printFieldList(printer, getValue().text(), /*quoted=*/{"cpu", "extensions"});
}

LogicalResult
TargetAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   Target value) {
  if (lintel::Status status = value.check(); !status)
    return emitError() << status.error().message();
  if (lintel::Status known = checkCpuIsKnown(value); !known)
    return emitError() << known.error().message();
  return success();
}
