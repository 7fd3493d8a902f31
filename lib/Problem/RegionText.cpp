// Epilogue regions as one line of generic MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/RegionText.h"
#include "Lintel/ParserGuards.h"
#include "Problem/DiagnosticText.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

namespace lintel {

namespace {

// MLIR prints and parses operations, not regions; so a region travels as the
// body of a module, which is never verified.
constexpr std::string_view kBefore = "\"builtin.module\"() (\n";
constexpr const char *kExample = "; a region reads { ^bb0(%acc: f32): "
                                 "\"lintel.yield\"(%acc) : (f32) -> () }";
constexpr std::string_view kAfter = "\n) : () -> ()";

/// Joins the lines of `text`, each without its indentation.
std::string joinLines(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    size_t end = text.find('\n');
    line += text.substr(0, end);
    if (end == std::string_view::npos)
      break;
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of("\n "), text.size()));
    line += ' ';
  }
  return line;
}

} // namespace

Status checkParsable(std::string_view text) {
  for (std::string_view construct : {"affine_map", "affine_set"})
    if (text.find(construct) != std::string_view::npos)
      return Error(ErrorCode::parse,
                   "holds an " + std::string(construct) +
                       ", which no layer needs; write the layout of a memref "
                       "as strided<[...]>");
  if (text.find("{-#") != text.npos)
    return Error(ErrorCode::parse,
                 "holds resources ({-# ... #-}), which no layer needs");
  if (holdsArrayOfIndex(text))
    return Error(ErrorCode::parse,
                 "holds an array of index or of a type by an alias, which no "
                 "layer needs; write array<i64: ...>");
  // MLIR's parser makes room for as many results before it looks for them.
  constexpr size_t kMaxDigits = 4;
  if (resultNumberDigits(text) > kMaxDigits)
    return Error(ErrorCode::parse, "picks a result by a number of more than " +
                                       std::to_string(kMaxDigits) +
                                       " digits, as in %name#12345");
  // The parser takes up to 3.4 KiB of stack for each (scf.forall), of the 256
  // that a thread may have which compiles (docs/c-api.md).
  constexpr size_t kMaxDepth = 48;
  const size_t depth = nestingDepth(text);
  if (depth <= kMaxDepth)
    return {};
  return Error(ErrorCode::parse,
               "brackets nest " + std::to_string(depth) + " deep, at most " +
                   std::to_string(kMaxDepth) + " are allowed");
}

std::string printRegion(mlir::Region &region) {
  mlir::OwningOpRef<mlir::ModuleOp> holder =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(region.getContext()));
  holder->getBodyRegion().getBlocks().clear();
  mlir::IRMapping mapping;
  region.cloneInto(&holder->getBodyRegion(), mapping);
  // They mean nothing, and may be written in far fewer bytes than they print.
  holder->getBodyRegion().walk([](mlir::Operation *op) {
    op->setDiscardableAttrs(llvm::ArrayRef<mlir::NamedAttribute>());
  });
  std::string text;
  llvm::raw_string_ostream stream(text);
  holder->getOperation()->print(stream, mlir::OpPrintingFlags()
                                            .printGenericOpForm()
                                            .useLocalScope()
                                            .enableDebugInfo(false));
  size_t begin = text.find('{');
  return joinLines(
      std::string_view(text).substr(begin, text.rfind('}') + 1 - begin));
}

Status parseRegion(std::string_view text, mlir::Region &region) {
  if (Status parsable = checkParsable(text); !parsable)
    return parsable.error().in("epilogue region");
  mlir::MLIRContext *context = region.getContext();
  DiagnosticText diagnostics(*context, /*linesBefore=*/1);
  std::string source =
      std::string(kBefore) + std::string(text) + std::string(kAfter);
  mlir::OwningOpRef<mlir::ModuleOp> holder =
      mlir::parseSourceString<mlir::ModuleOp>(
          source, mlir::ParserConfig(context, /*verifyAfterParse=*/false),
          "epilogue region");
  if (!holder)
    return Error(ErrorCode::parse, diagnostics.text() + kExample);
  region.takeBody(holder->getBodyRegion());
  return {};
}

} // namespace lintel
