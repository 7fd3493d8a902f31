// Problems: their limits and their text form.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lintel/Problem.h"
#include "Problem/EpilogueCost.h"
#include "Problem/TextCursor.h"
#include "lintel/AddressSpace.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lintel {

namespace {

constexpr std::string_view kForm = "; a problem is \"MxK:KxN EPILOGUE\", for "
                                   "example \"128x768:768x3072 bias+gelu_erf\"";

/// A size and where it stands in the text.
struct PlacedSize {
  int64_t value;
  size_t column;
};

std::string tooLarge(std::string_view name, std::string_view value) {
  return std::string(name) + " = " + std::string(value) + " is larger than " +
         std::to_string(Problem::kMaxDim) + ", the largest size";
}

std::string negative(std::string_view name) {
  return std::string(name) + " is negative; sizes start at 0";
}

Error expected(const TextCursor &cursor, const std::string &what) {
  return cursor.error("expected " + what + ", found " + cursor.found() +
                      std::string(kForm));
}

Expected<PlacedSize> parseSize(TextCursor &cursor, std::string_view name) {
  size_t column = cursor.column();
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  if (const std::string_view rest = cursor.rest();
      rest.size() > 1 && rest[0] == '-' && isDigit(rest[1]))
    return cursor.error(negative(name));
  if (name != "M" && cursor.rest().starts_with('?'))
    return cursor.error(std::string(name) +
                        " must be a number; only M can be '?'");
  TextCursor start = cursor;
  std::string_view digits = cursor.takeWhile(isDigit);
  if (digits.empty())
    return expected(start, std::string(name) + ", a number" +
                               (name == "M" ? ", '?' or a range" : ""));
  int64_t value = 0;
  auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc() || value > Problem::kMaxDim)
    return TextCursor::errorAt(column, tooLarge(name, digits));
  return PlacedSize{value, column};
}

Status parseSeparator(TextCursor &cursor, char separator,
                      std::string_view after) {
  if (cursor.consume(separator))
    return {};
  return expected(cursor, std::string("'") + separator + "' after " +
                              std::string(after));
}

/// M, N and K as read from "MxK:KxN".
struct Shape {
  RowRange rows;
  int64_t n = 0;
  int64_t k = 0;
};

std::string rowsText(const RowRange &rows) {
  if (rows.isKnown())
    return std::to_string(rows.least);
  const RowRange usual = RowRange::between(rows.least, rows.most);
  std::string text = std::to_string(rows.least) + ".." +
                     (rows.isBounded() ? std::to_string(rows.most) : "?");
  if (usual == RowRange::any())
    text = "?";
  if (rows.typical != usual.typical)
    text += "@" + std::to_string(rows.typical);
  return text;
}

std::string shapeText(const Shape &shape) {
  std::string k = std::to_string(shape.k);
  return rowsText(shape.rows) + "x" + k + ":" + k + "x" +
         std::to_string(shape.n);
}

Status checkRange(const RowRange &rows) {
  if (rows.least > rows.most)
    return Error(ErrorCode::invalidArgument,
                 "the rows begin at " + std::to_string(rows.least) +
                     ", but end at " + std::to_string(rows.most) +
                     "; a range is LEAST..MOST, for example 5..16");
  if (rows.typical == 0 && rows.most > 0)
    return Error(ErrorCode::invalidArgument,
                 "the rows to tune for are 0; without rows there is nothing to "
                 "time");
  if (!rows.contains(rows.typical))
    return Error(ErrorCode::invalidArgument,
                 "the rows to tune for, " + std::to_string(rows.typical) +
                     ", are not among the " + std::to_string(rows.least) +
                     " to " + std::to_string(rows.most) +
                     " rows that the layer takes");
  return {};
}

/// The end of a range, after "..".
Expected<int64_t> parseMost(TextCursor &cursor) {
  if (cursor.consume('?'))
    return Problem::kMaxDim;
  Expected<PlacedSize> most = parseSize(cursor, "M");
  if (!most)
    return most.error();
  return most->value;
}

Expected<RowRange> parseRows(TextCursor &cursor) {
  const size_t column = cursor.column();
  RowRange rows = RowRange::any();
  if (!cursor.consume('?')) {
    Expected<PlacedSize> least = parseSize(cursor, "M");
    if (!least)
      return least.error();
    rows = RowRange::known(least->value);
    if (cursor.rest().starts_with("..")) {
      cursor.consume('.');
      cursor.consume('.');
      Expected<int64_t> most = parseMost(cursor);
      if (!most)
        return most.error();
      rows = RowRange::between(least->value, *most);
    }
  }
  if (!rows.isKnown() && cursor.consume('@')) {
    Expected<PlacedSize> typical = parseSize(cursor, "M");
    if (!typical)
      return typical.error();
    rows.typical = typical->value;
  }
  if (Status valid = checkRange(rows); !valid)
    return TextCursor::errorAt(column, valid.error().message());
  return rows;
}

Expected<Shape> parseShape(TextCursor &cursor) {
  Shape shape;
  Expected<RowRange> rows = parseRows(cursor);
  if (!rows)
    return rows.error();
  shape.rows = *rows;
  if (Status status = parseSeparator(cursor, 'x', "M"); !status)
    return status.error();
  Expected<PlacedSize> k = parseSize(cursor, "K");
  if (!k)
    return k.error();
  shape.k = k->value;
  if (Status status = parseSeparator(cursor, ':', "MxK"); !status)
    return status.error();
  Expected<PlacedSize> secondK = parseSize(cursor, "K");
  if (!secondK)
    return secondK.error();
  if (Status status = parseSeparator(cursor, 'x', "K"); !status)
    return status.error();
  Expected<PlacedSize> n = parseSize(cursor, "N");
  if (!n)
    return n.error();
  shape.n = n->value;
  if (secondK->value != k->value)
    return TextCursor::errorAt(secondK->column,
                               "K is " + std::to_string(secondK->value) +
                                   " here, but " + std::to_string(k->value) +
                                   " in column " + std::to_string(k->column) +
                                   "; both must be the same, for example " +
                                   shapeText(shape));
  return shape;
}

Status checkSize(std::string_view name, int64_t value) {
  if (value < 0)
    return Error(ErrorCode::invalidArgument, std::string(name) + " = " +
                                                 std::to_string(value) + ": " +
                                                 negative(name));
  if (value > Problem::kMaxDim)
    return Error(ErrorCode::invalidArgument,
                 tooLarge(name, std::to_string(value)));
  return {};
}

/// Refuses a rows x columns tensor of `bytes` an element that cannot exist.
Status checkTensor(std::string_view name, int64_t rows, int64_t columns,
                   size_t bytes, std::string_view remedy) {
  if (columns == 0 || rows <= kAddressSpaceBytes / int64_t(bytes) / columns)
    return {};
  return Error(ErrorCode::unsupported,
               std::string(name) + " of " + std::to_string(rows) + " x " +
                   std::to_string(columns) +
                   " elements takes more than the 2^47 bytes that a "
                   "process can address; make " +
                   std::string(remedy));
}

/// Beyond what any layer has: a kernel computes all of it for each vector of
/// the output, and nothing interrupts the compiler within an object.
constexpr size_t kMaxStages = 256, kMaxOperands = 128, kMaxOutputs = 64;
constexpr size_t kMaxRegionBytes = size_t(64) << 10;
/// So that an object takes about a second: the register allocator's time grows
/// faster than the code. Tiles of 4x16 on Zen 3 and of 2x16 of SSE: 24 tanh
/// take 0.5 and 0.7 s, 18 log 0.8 and 1.7 s, 128 residual 1 and 0.9 s; without
/// the bound 256 gelu_erf took 51 s. As many as 24 silu are, which count 16.25
/// cycles each.
constexpr double kMaxFunctions = 28;

Status checkCount(std::string_view what, size_t count, size_t most) {
  if (count <= most)
    return {};
  return Error(ErrorCode::unsupported,
               "the epilogue has " + std::to_string(count) + " " +
                   std::string(what) + ", at most " + std::to_string(most) +
                   " are supported");
}

Status checkCost(const Epilogue &epilogue) {
  const double functions = epilogueCyclesPerVector(epilogue) / kFunctionCycles;
  if (functions <= kMaxFunctions)
    return {};
  return Error(ErrorCode::unsupported,
               "the epilogue computes as much as " +
                   std::to_string(std::llround(std::ceil(functions))) +
                   " functions such as exp, at most " +
                   std::to_string(std::llround(kMaxFunctions)) +
                   " are supported");
}

Status checkSize(const Epilogue &epilogue) {
  if (epilogue.numResults() < 1)
    return Error(ErrorCode::invalidArgument,
                 "the epilogue has " + std::to_string(epilogue.numResults()) +
                     " outputs; a layer has at least one");
  for (const Status &status :
       {checkCount("outputs", size_t(epilogue.numResults()), kMaxOutputs),
        checkCount("operands", epilogue.operands().size(), kMaxOperands),
        checkCount("stages", epilogue.stages().size(), kMaxStages),
        checkCount("bytes of text",
                   epilogue.isRegion() ? epilogue.text().size() : 0,
                   kMaxRegionBytes)})
    if (!status)
      return status;
  return checkCost(epilogue);
}

Status checkOperands(const Epilogue &epilogue) {
  for (const EpilogueOperand &operand : epilogue.operands()) {
    const std::string which = "the epilogue's operand '" + operand.name + "' ";
    if (!isFloat(operand.dtype) && operand.dtype != DType::s32)
      return Error(ErrorCode::unsupported,
                   which + "holds " + std::string(toString(operand.dtype)) +
                       "; supported are f32, bf16, f16 and s32");
    if (!parseBroadcast(toString(operand.broadcast)))
      return Error(ErrorCode::invalidArgument,
                   which + "extends over the output in no way that there is; "
                           "take scalar, column, row or full");
  }
  return {};
}

/// An operand of a small output may be larger than the output, by its type.
Status checkOperandSizes(const Epilogue &epilogue, int64_t rows, int64_t n,
                         std::string_view remedy) {
  for (const EpilogueOperand &operand : epilogue.operands())
    if (operand.broadcast == Broadcast::full)
      if (Status fits = checkTensor("the operand '" + operand.name + "'", rows,
                                    n, byteSize(operand.dtype), remedy);
          !fits)
        return fits;
  return {};
}

/// Sums of products of integers wrap where 32 bits do not hold them.
Status checkDepth(int64_t k, const DataTypes &types, const Epilogue &epilogue) {
  if (!types.areIntegers())
    return {};
  const int64_t most =
      mostDepth(types, epilogue.quantization().value_or(Quantization()));
  if (k <= most)
    return {};
  return Error(ErrorCode::unsupported,
               "K = " + std::to_string(k) + ": sums of so many products of " +
                   types.text() +
                   " may not fit in 32 bits; K must be at most " +
                   std::to_string(most));
}

} // namespace

Expected<Problem> Problem::parse(std::string_view text,
                                 const DataTypes &types) {
  TextCursor cursor(text);
  cursor.skipBlanks();
  Expected<Shape> shape = parseShape(cursor);
  if (!shape)
    return shape.error();
  size_t shapeEnd = cursor.column();
  cursor.skipBlanks();
  if (cursor.atEnd())
    return create(shape->rows, shape->n, shape->k, types, Epilogue());
  if (cursor.column() == shapeEnd)
    return expected(cursor, "a blank or the end after N");
  // Blanks in place of the shape keep the columns of messages right.
  std::string padded =
      std::string(cursor.column() - 1, ' ') + std::string(cursor.rest());
  Expected<Epilogue> epilogue = Epilogue::parse(padded, types);
  if (!epilogue)
    return epilogue.error();
  return create(shape->rows, shape->n, shape->k, types, std::move(*epilogue));
}

Expected<Problem> Problem::create(std::optional<int64_t> m, int64_t n,
                                  int64_t k, const DataTypes &types,
                                  Epilogue epilogue) {
  return create(m ? RowRange::known(*m) : RowRange::any(), n, k, types,
                std::move(epilogue));
}

Expected<Problem> Problem::create(const RowRange &rows, int64_t n, int64_t k,
                                  const DataTypes &types, Epilogue epilogue) {
  for (const Status &status :
       {types.check(), checkSize(epilogue), checkOperands(epilogue),
        checkSize("M", rows.least), checkSize("M", rows.most),
        checkSize("N", n), checkSize("K", k), checkRange(rows)})
    if (!status)
      return status.error();
  // What a dynamic layer takes at most shows when it is called; what it is
  // tuned for is run.
  constexpr std::string_view kSmaller = "one of its sizes smaller";
  const std::string_view fewer =
      rows.isKnown() ? kSmaller
                     : "one of its sizes, or the rows to tune for, smaller";
  for (const Status &status :
       {checkTensor("x", rows.typical, k, byteSize(types.activation), fewer),
        checkTensor("w", n, k, byteSize(types.weight), kSmaller),
        checkTensor("the output", rows.typical, n, byteSize(types.result),
                    fewer)})
    if (!status)
      return status.error();
  Expected<Epilogue> function = epilogue.forTypes(types);
  if (!function)
    return function.error();
  for (const Status &status :
       {checkOperandSizes(*function, rows.typical, n, fewer),
        checkDepth(k, types, *function)})
    if (!status)
      return status.error();
  Problem problem;
  problem.range = rows;
  problem.columns = n;
  problem.depth = k;
  problem.elements = types;
  problem.function = std::move(*function);
  return problem;
}

std::string Problem::rowsText() const { return lintel::rowsText(range); }

std::string Problem::text() const {
  std::string shape = shapeText({range, columns, depth});
  return function.text() == "none" ? shape : shape + " " + function.text();
}

Expected<Problem> Problem::withRows(int64_t m) const {
  return withRowRange(RowRange::known(m));
}

Expected<Problem> Problem::withRowRange(const RowRange &rows) const {
  return create(rows, columns, depth, elements, function);
}

} // namespace lintel
