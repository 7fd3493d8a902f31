// Safetensors files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/Safetensors.h"

#include "Quote.h"
#include "formats/HeaderText.h"
#include "formats/OutputFile.h"

#include "Engine/JsonNesting.h"
#include "Runtime/PrintableText.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tuple>

namespace lintel::tool {

namespace {

/// Parsed, a header takes some 70 times its size in memory. A tensor takes some
/// 100 bytes of it, so that models of 100 000 tensors fit. (The format's own
/// library reads 100 MB.)
constexpr uint64_t kMaxHeaderBytes = 16 << 20;
/// No layer has a longer name.
constexpr size_t kMaxNameBytes = 2048;
constexpr size_t kMaxRank = 64;
constexpr int kMaxNesting = 8;

Error parseError(std::string message) {
  return Error(ErrorCode::parse, std::move(message));
}

/// Bytes of an element, 0 if this reader does not know the type.
int64_t elementBytes(llvm::StringRef dtype) {
  return llvm::StringSwitch<int64_t>(dtype)
      .Cases({"BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0"}, 1)
      .Cases({"U16", "I16", "F16", "BF16"}, 2)
      .Cases({"U32", "I32", "F32"}, 4)
      .Cases({"U64", "I64", "F64", "C64"}, 8)
      .Default(0);
}

Status parseShape(const llvm::json::Object &object, SafetensorsEntry &entry) {
  const llvm::json::Array *shape = object.getArray("shape");
  if (!shape || shape->size() > kMaxRank)
    return parseError("\"shape\" must be an array of at most 64 sizes");
  for (const llvm::json::Value &value : *shape) {
    std::optional<int64_t> size = value.getAsInteger();
    if (!size || *size < 0)
      return parseError("\"shape\" must hold integers >= 0");
    entry.shape.push_back(*size);
  }
  return {};
}

Status parseOffsets(const llvm::json::Object &object, uint64_t dataBytes,
                    SafetensorsEntry &entry) {
  const llvm::json::Array *offsets = object.getArray("data_offsets");
  std::optional<uint64_t> begin, end;
  if (offsets && offsets->size() == 2) {
    begin = (*offsets)[0].getAsUINT64();
    end = (*offsets)[1].getAsUINT64();
  }
  if (!begin || !end)
    return parseError("\"data_offsets\" must be two integers >= 0");
  if (*begin > *end || *end > dataBytes) {
    const std::string range = "\"data_offsets\" [" + std::to_string(*begin) +
                              ", " + std::to_string(*end) + "] ";
    return parseError(
        range + (*begin > *end ? "must ascend"
                               : "end beyond the " + std::to_string(dataBytes) +
                                     " bytes of data that the file has: it was "
                                     "cut short, or its header is wrong"));
  }
  entry.begin = *begin;
  entry.end = *end;
  return {};
}

Status parseEntry(const llvm::json::Value &value, uint64_t dataBytes,
                  SafetensorsEntry &entry) {
  if (entry.name.size() > kMaxNameBytes)
    return parseError("names have at most " + std::to_string(kMaxNameBytes) +
                      " bytes");
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return parseError("must be an object with dtype, shape and data_offsets");
  std::optional<llvm::StringRef> dtype = object->getString("dtype");
  if (!dtype)
    return parseError("\"dtype\" must be a string");
  entry.dtype = dtype->str();
  if (Status status = parseShape(*object, entry); !status)
    return status;
  if (Status status = parseOffsets(*object, dataBytes, entry); !status)
    return status;
  int64_t size = elementBytes(*dtype);
  Expected<int64_t> count =
      countElements(entry.shape, std::max<int64_t>(size, 1));
  if (!count)
    return count.error();
  if (size != 0 && uint64_t(*count * size) != entry.end - entry.begin)
    return parseError(entry.dtype + " of shape " + shapeText(entry.shape) +
                      " needs " + std::to_string(*count * size) +
                      " bytes, but \"data_offsets\" span " +
                      std::to_string(entry.end - entry.begin));
  return {};
}

std::string named(const SafetensorsEntry &entry) {
  return "tensor " + inQuotes(entry.name);
}

/// Tensors must tile the data: this rules out overlaps and hidden bytes.
Status checkCoverage(const std::vector<SafetensorsEntry> &entries,
                     uint64_t dataBytes) {
  std::vector<const SafetensorsEntry *> order;
  for (const SafetensorsEntry &entry : entries)
    order.push_back(&entry);
  std::ranges::sort(order, {}, [](const SafetensorsEntry *entry) {
    return std::tuple(entry->begin, entry->end);
  });
  uint64_t covered = 0;
  for (const SafetensorsEntry *entry : order) {
    if (entry->begin != covered)
      return parseError(named(*entry) + " begins at byte " +
                        std::to_string(entry->begin) +
                        " of the data, but the tensors before it end at " +
                        std::to_string(covered) +
                        "; tensors must neither overlap nor leave holes");
    covered = entry->end;
  }
  if (covered != dataBytes)
    return parseError("the tensors end at byte " + std::to_string(covered) +
                      " of the data, but there are " +
                      std::to_string(dataBytes));
  return {};
}

} // namespace

Expected<std::vector<SafetensorsEntry>>
parseSafetensorsHeader(std::string_view json, uint64_t dataBytes) {
  if (nestsDeeperThan(kMaxNesting, json))
    return parseError("header: nests deeper than tensors' entries do");
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::parse(llvm::StringRef(json.data(), json.size()));
  if (!parsed)
    return parseError("header: " + llvm::toString(parsed.takeError()));
  const llvm::json::Object *object = parsed->getAsObject();
  if (!object)
    return parseError("header: must be a JSON object");
  if (Status status = checkHeaderText(json); !status)
    return status.error();
  std::vector<SafetensorsEntry> entries;
  for (const auto &[key, value] : *object) {
    if (key == "__metadata__")
      continue;
    SafetensorsEntry entry;
    entry.name = llvm::StringRef(key).str();
    if (Status status = parseEntry(value, dataBytes, entry); !status)
      return status.error().in(named(entry));
    entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &SafetensorsEntry::name);
  if (Status status = checkCoverage(entries, dataBytes); !status)
    return status.error();
  return entries;
}

SafetensorsFile::SafetensorsFile(InputFile file,
                                 std::vector<SafetensorsEntry> entries,
                                 uint64_t dataOffset)
    : file(std::move(file)), entryList(std::move(entries)),
      dataOffset(dataOffset) {}

Expected<SafetensorsFile> SafetensorsFile::open(InputFile file) {
  std::array<unsigned char, 8> lengthBytes{};
  if (Status status =
          file.read(0, std::as_writable_bytes(std::span(lengthBytes)),
                    "the header's length");
      !status)
    return status.error();
  uint64_t headerBytes = 0;
  for (size_t i = 0; i < lengthBytes.size(); ++i)
    headerBytes |= uint64_t(lengthBytes[i]) << (8 * i);
  constexpr unsigned char kZip[] = {'P', 'K', 3, 4};
  if (std::ranges::equal(std::span(lengthBytes).first<4>(), kZip))
    return parseError(file.path() +
                      ": is a zip archive, as .npz files are; save each array "
                      "as a .npy file");
  if (headerBytes > file.size() - 8)
    return parseError(
        file.path() + ": states a header of " + std::to_string(headerBytes) +
        " bytes, but the file has " + std::to_string(file.size()) +
        " in all; it is not a safetensors file, or cut short");
  if (headerBytes > kMaxHeaderBytes)
    return Error(
        ErrorCode::unsupported,
        file.path() + ": has a header of " + std::to_string(headerBytes) +
            " bytes; Lintel reads at most " + std::to_string(kMaxHeaderBytes) +
            ": save the model in several files, or without metadata");
  std::string json(headerBytes, '\0');
  if (Status status =
          file.read(8, std::as_writable_bytes(std::span(json)), "the header");
      !status)
    return status.error();
  Expected<std::vector<SafetensorsEntry>> entries =
      parseSafetensorsHeader(json, file.size() - 8 - headerBytes);
  if (!entries)
    return entries.error().in(file.path());
  return SafetensorsFile(std::move(file), std::move(*entries), 8 + headerBytes);
}

/// As the format names it.
static std::string nameOf(DType dtype) {
  if (dtype == DType::s8)
    return "I8";
  if (dtype == DType::s32)
    return "I32";
  return llvm::StringRef(toString(dtype)).upper();
}

std::optional<DType> SafetensorsEntry::elementType() const {
  for (DType known :
       {DType::f32, DType::bf16, DType::f16, DType::s8, DType::u8, DType::s32})
    if (dtype == nameOf(known))
      return known;
  return std::nullopt;
}

std::optional<DType> SafetensorsEntry::weightType() const {
  const std::optional<DType> own = elementType();
  return own == DType::u8 || own == DType::s32 ? std::nullopt : own;
}

static Error unknownElements(const SafetensorsEntry &entry) {
  return Error(ErrorCode::unsupported,
               named(entry) + " holds " + onOneLine(entry.dtype.substr(0, 20)) +
                   " elements; Lintel reads F32, BF16, F16, I8, U8 and I32: "
                   "convert the tensor first");
}

const SafetensorsEntry *SafetensorsFile::find(std::string_view name) const {
  auto found =
      std::ranges::lower_bound(entryList, name, {}, &SafetensorsEntry::name);
  return found != entryList.end() && found->name == name ? &*found : nullptr;
}

Expected<Tensor> SafetensorsFile::read(const SafetensorsEntry &entry) const {
  const std::optional<DType> dtype = entry.elementType();
  if (!dtype)
    return unknownElements(entry).in(path());
  Expected<Tensor> tensor = Tensor::allocate(entry.shape, *dtype);
  if (!tensor)
    return tensor.error().in(path());
  if (Status status = file.read(dataOffset + entry.begin, tensor->bytes(),
                                onOneLine(entry.name));
      !status)
    return status.error();
  return tensor;
}

Status checkServes(const SafetensorsEntry &entry, DType dtype) {
  if (!entry.elementType())
    return unknownElements(entry);
  const std::optional<DType> own = entry.weightType();
  if (!own)
    return Error(ErrorCode::unsupported,
                 named(entry) + " holds " + entry.dtype +
                     " elements, and no layer has weights of these: convert "
                     "the tensor first");
  if (*own == DType::f32 || *own == dtype)
    return {};
  return Error(ErrorCode::unsupported,
               named(entry) + " holds " + entry.dtype +
                   " elements, but the layers' weights are of " +
                   std::string(toString(dtype)) + "; give --dtype " +
                   DataTypes::namesWithWeight(*own));
}

Status writeSafetensors(const std::string &path, std::string_view name,
                        const Tensor &tensor) {
  std::string header;
  llvm::raw_string_ostream stream(header);
  stream << llvm::json::Value(llvm::json::Object{
      {llvm::StringRef(name.data(), name.size()),
       llvm::json::Object{
           {"dtype", nameOf(tensor.dtype())},
           {"shape", llvm::json::Array(tensor.shape())},
           {"data_offsets",
            llvm::json::Array{0, int64_t(tensor.bytes().size())}}}}});
  // Readers that map the file want aligned data.
  header.append((8 - header.size() % 8) % 8, ' ');
  std::array<unsigned char, 8> length{};
  for (size_t i = 0; i < length.size(); ++i)
    length[i] = static_cast<unsigned char>(header.size() >> (8 * i));
  return writeFile(path, {std::as_bytes(std::span(length)),
                          std::as_bytes(std::span(header)), tensor.bytes()});
}

} // namespace lintel::tool
