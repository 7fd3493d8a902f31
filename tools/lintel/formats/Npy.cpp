// NumPy's .npy files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/Npy.h"

#include "Quote.h"
#include "formats/OutputFile.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace lintel::tool {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// NumPy pads headers to 64 bytes; even 32 dimensions take less than 1 KiB.
constexpr uint32_t kMaxHeaderBytes = 1 << 16;
/// NumPy's own limit.
constexpr size_t kMaxRank = 64;

Error parseError(std::string message) {
  return Error(ErrorCode::parse, std::move(message));
}

//===----------------------------------------------------------------------===//
// The dictionary
//===----------------------------------------------------------------------===//

/// Recursive descent without recursion: the dictionary has a fixed depth.
class DictionaryParser {
public:
  explicit DictionaryParser(std::string_view text) : text(text) {}
  Expected<NpyHeader> parse();

private:
  Error errorHere(std::string_view expected) const {
    return parseError("header dictionary, offset " + std::to_string(position) +
                      ": expected " + std::string(expected));
  }
  void skipSpaces() {
    while (position < text.size() &&
           (text[position] == ' ' || text[position] == '\n'))
      ++position;
  }
  bool take(std::string_view token) {
    skipSpaces();
    if (!text.substr(position).starts_with(token))
      return false;
    position += token.size();
    return true;
  }
  Expected<std::string> takeString();
  Expected<int64_t> takeInteger();
  Expected<std::vector<int64_t>> takeTuple();
  Status takeEntry();

  std::string_view text;
  size_t position = 0;
  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

Expected<std::string> DictionaryParser::takeString() {
  char quote = take("'") ? '\'' : take("\"") ? '"' : '\0';
  if (quote == '\0')
    return errorHere("a string in quotes");
  size_t end = text.find(quote, position);
  if (end == std::string_view::npos)
    return errorHere("a closing quote");
  std::string value(text.substr(position, end - position));
  position = end + 1;
  return value;
}

Expected<int64_t> DictionaryParser::takeInteger() {
  skipSpaces();
  int64_t value = 0;
  size_t begin = position;
  for (;
       position < text.size() && text[position] >= '0' && text[position] <= '9';
       ++position)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, text[position] - '0', &value))
      return errorHere("a size below 2^63");
  if (position == begin)
    return errorHere("a size");
  return value;
}

Expected<std::vector<int64_t>> DictionaryParser::takeTuple() {
  if (!take("("))
    return errorHere("a tuple of sizes, as in (128, 768)");
  std::vector<int64_t> sizes;
  while (!take(")")) {
    if (sizes.size() == kMaxRank)
      return errorHere("at most 64 dimensions");
    Expected<int64_t> size = takeInteger();
    if (!size)
      return size.error();
    sizes.push_back(*size);
    if (take(","))
      continue;
    if (!take(")"))
      return errorHere("',' or ')'");
    break;
  }
  return sizes;
}

Status DictionaryParser::takeEntry() {
  Expected<std::string> key = takeString();
  if (!key)
    return key.error();
  if (!take(":"))
    return errorHere("':'");
  if (*key == "descr" && !descr) {
    Expected<std::string> value = takeString();
    if (!value)
      return value.error().in("element type");
    descr = *value;
    return {};
  }
  if (*key == "fortran_order" && !fortranOrder) {
    fortranOrder = take("True");
    if (!*fortranOrder && !take("False"))
      return errorHere("True or False");
    return {};
  }
  if (*key == "shape" && !shape) {
    Expected<std::vector<int64_t>> value = takeTuple();
    if (!value)
      return value.error();
    shape = std::move(*value);
    return {};
  }
  return errorHere("the keys descr, fortran_order and shape, once each; found "
                   "another " +
                   inQuotes(*key) + " before this");
}

Expected<NpyHeader> DictionaryParser::parse() {
  if (!take("{"))
    return errorHere("'{'");
  while (!take("}")) {
    if (Status status = takeEntry(); !status)
      return status.error();
    if (take(","))
      continue;
    if (!take("}"))
      return errorHere("',' or '}'");
    break;
  }
  skipSpaces();
  if (position != text.size())
    return errorHere("nothing after '}' but spaces");
  if (!descr || !fortranOrder || !shape)
    return parseError("header dictionary: descr, fortran_order and shape are "
                      "needed; one is missing");
  return NpyHeader{*descr, *fortranOrder, *shape};
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// NumPy's names of the types that it has.
struct NamedType {
  std::string_view descr;
  DType dtype;
};
constexpr NamedType kNamedTypes[] = {
    {"<f4", DType::f32}, {"<f2", DType::f16}, {"|i1", DType::s8},
    {"|u1", DType::u8},  {"<i4", DType::s32},
};

Expected<DType> elementType(const std::string &descr) {
  for (const NamedType &known : kNamedTypes)
    if (known.descr == descr)
      return known.dtype;
  std::string message = "elements are " + inQuotes(descr);
  if (descr.starts_with(">") || descr.starts_with("!"))
    message += ", big-endian";
  return Error(ErrorCode::unsupported,
               message +
                   "; Lintel reads little-endian float32 ('<f4'), float16 "
                   "('<f2') and int32 ('<i4'), int8 and uint8: save "
                   "array.astype('<f4'), or '<i4' for zero points");
}

struct NpyLayout {
  NpyHeader header;
  uint64_t dataOffset = 0;
};

Expected<NpyLayout> readLayout(const InputFile &file) {
  std::array<unsigned char, 12> prefix{};
  auto readPrefix = [&](size_t count) {
    return file.read(0, std::as_writable_bytes(std::span(prefix).first(count)),
                     "the header");
  };
  if (Status status = readPrefix(8); !status)
    return status.error();
  unsigned major = prefix[6], minor = prefix[7];
  if (major < 1 || major > 3 || minor != 0)
    return parseError(file.path() + ": is .npy version " +
                      std::to_string(major) + "." + std::to_string(minor) +
                      "; Lintel reads 1.0, 2.0 and 3.0");
  size_t prefixBytes = major == 1 ? 10 : 12;
  if (Status status = readPrefix(prefixBytes); !status)
    return status.error();
  uint32_t headerBytes = prefix[8] | uint32_t(prefix[9]) << 8;
  if (major > 1)
    headerBytes |= uint32_t(prefix[10]) << 16 | uint32_t(prefix[11]) << 24;
  if (headerBytes > kMaxHeaderBytes)
    return parseError(file.path() + ": states a header of " +
                      std::to_string(headerBytes) + " bytes; at most " +
                      std::to_string(kMaxHeaderBytes) + " are read");
  std::string text(headerBytes, '\0');
  if (Status status =
          file.read(prefixBytes, std::as_writable_bytes(std::span(text)),
                    "the header dictionary");
      !status)
    return status.error();
  Expected<NpyHeader> header = parseNpyDictionary(text);
  if (!header)
    return header.error().in(file.path());
  return NpyLayout{std::move(*header), prefixBytes + headerBytes};
}

/// Row-major copy of a column-major matrix.
Expected<Tensor> transposed(const Tensor &columnMajor) {
  Expected<Tensor> result =
      Tensor::allocate(columnMajor.shape(), columnMajor.dtype());
  if (!result)
    return result.error();
  // One side may be of any size if the other is 0.
  if (columnMajor.elements() == 0)
    return result;
  int64_t rows = columnMajor.shape()[0], columns = columnMajor.shape()[1];
  const auto size = bytesOf(columnMajor.dtype());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      std::copy_n(columnMajor.data() + (column * rows + row) * size, size,
                  result->data() + (row * columns + column) * size);
  return result;
}

} // namespace

Expected<NpyHeader> parseNpyDictionary(std::string_view text) {
  return DictionaryParser(text).parse();
}

bool isNpy(const InputFile &file) {
  std::array<char, kMagic.size()> prefix{};
  return bool(file.read(0, std::as_writable_bytes(std::span(prefix)),
                        "magic")) &&
         std::string_view(prefix.data(), prefix.size()) == kMagic;
}

Status checkNpyHolds(DType dtype) {
  if (dtype != DType::bf16)
    return {};
  return Error(ErrorCode::unsupported,
               "NumPy has no bf16; write a .safetensors file");
}

Expected<Tensor> readNpy(const InputFile &file) {
  if (!isNpy(file))
    return parseError(file.path() +
                      ": does not begin with the magic bytes of a .npy file");
  Expected<NpyLayout> layout = readLayout(file);
  if (!layout)
    return layout.error();
  const NpyHeader &header = layout->header;
  Expected<DType> dtype = elementType(header.descr);
  if (!dtype)
    return dtype.error().in(file.path());
  const size_t elementBytes = byteSize(*dtype);
  Expected<int64_t> count = countElements(header.shape, int64_t(elementBytes));
  if (!count)
    return count.error().in(file.path());
  uint64_t dataBytes = file.size() - layout->dataOffset;
  if (dataBytes != uint64_t(*count) * elementBytes)
    return parseError(file.path() + ": shape " + shapeText(header.shape) +
                      " needs " +
                      std::to_string(uint64_t(*count) * elementBytes) +
                      " bytes of data, but " + std::to_string(dataBytes) +
                      " follow the header");
  Expected<Tensor> tensor = Tensor::allocate(header.shape, *dtype);
  if (!tensor)
    return tensor.error().in(file.path());
  if (Status status =
          file.read(layout->dataOffset, tensor->bytes(), "the data");
      !status)
    return status.error();
  if (!header.fortranOrder || header.shape.size() < 2)
    return tensor;
  if (header.shape.size() > 2)
    return Error(ErrorCode::unsupported,
                 file.path() + ": is column-major with " +
                     std::to_string(header.shape.size()) +
                     " dimensions; save numpy.ascontiguousarray(array)");
  return transposed(*tensor);
}

/// checkNpyHolds has seen the type.
static std::string_view descrOf(DType dtype) {
  for (const NamedType &known : kNamedTypes)
    if (known.dtype == dtype)
      return known.descr;
  return "";
}

Status writeNpy(const std::string &path, const Tensor &tensor) {
  if (Status status = checkNpyHolds(tensor.dtype()); !status)
    return status.error().in(path);
  std::string shape;
  for (int64_t size : tensor.shape())
    shape += std::to_string(size) + ", ";
  if (tensor.shape().size() > 1)
    shape.resize(shape.size() - 2);
  std::string dictionary =
      "{'descr': '" + std::string(descrOf(tensor.dtype())) +
      "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Data begins at a multiple of 64 bytes, so that it can be mapped.
  constexpr size_t kPrefixBytes = 10;
  size_t unpadded = kPrefixBytes + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  std::string head(kMagic);
  head +=
      {'\1', '\0', char(dictionary.size() & 255), char(dictionary.size() >> 8)};
  head += dictionary;
  return writeFile(path, {std::as_bytes(std::span(head)), tensor.bytes()});
}

} // namespace lintel::tool
