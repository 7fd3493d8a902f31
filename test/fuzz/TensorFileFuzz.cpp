// Files of tensors: .npy, .safetensors, and models in these.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelLayers.h"
#include "formats/Npy.h"
#include "formats/Safetensors.h"
#include "fuzz/Harness.h"
#include "fuzz/MemoryFile.h"
#include "fuzz/Properties.h"
#include "unit/Cache/CacheTestSupport.h"

#include <algorithm>

namespace lintel::fuzz {
namespace {

using namespace lintel::tool;

/// A file that a writer may replace.
std::string outputPath(std::string_view name) {
  static const test::TemporaryDirectory root;
  return (root / name).string();
}

/// That a file was written, and holds the tensor.
void checkWritten(const Status &written, const Expected<Tensor> &again,
                  const Tensor &tensor) {
  check(bool(written) && bool(again), "a tensor that was read can be written");
  check(again->dtype() == tensor.dtype() && again->shape() == tensor.shape() &&
            std::ranges::equal(again->bytes(), tensor.bytes()),
        "a tensor reads back as it was written", shapeText(tensor.shape()));
}

void checkNpyRoundTrip(const Tensor &tensor) {
  const std::string path = outputPath("a.npy");
  const Status written = writeNpy(path, tensor);
  checkWritten(written, readNpy(*InputFile::open(path)), tensor);
}

void fuzzNpy(Input input) {
  if (const auto dictionary = parseNpyDictionary(textOf(input)); !dictionary)
    checkShownMessage(dictionary.error());
  const MemoryFile file(input);
  const Expected<Tensor> read = readNpy(*InputFile::open(file.path()));
  if (const Tensor *tensor = valueOf(read, checkShownMessage))
    checkNpyRoundTrip(*tensor);
}

void checkSafetensorsRoundTrip(const SafetensorsEntry &entry,
                               const Tensor &tensor) {
  const std::string path = outputPath("a.safetensors");
  const Status written = writeSafetensors(path, entry.name, tensor);
  const auto file = SafetensorsFile::open(*InputFile::open(path));
  check(file && file->find(entry.name), "a tensor keeps its name", entry.name);
  checkWritten(written, file->read(*file->find(entry.name)), tensor);
}

void checkLayers(const std::vector<SafetensorsEntry> &entries) {
  for (DType weight : {DType::f32, DType::bf16, DType::s8})
    for (const std::optional<std::string> &match :
         {std::optional<std::string>(), std::optional<std::string>("a|\\d")}) {
      const auto layers = findLayers(entries, match, weight);
      if (!layers)
        checkMessage(layers.error());
    }
}

/// Tensors as the checked header says, whether the data is whole or not.
void checkTensors(const SafetensorsFile &file) {
  for (const SafetensorsEntry &entry : file.entries()) {
    check(file.find(entry.name) != nullptr, "a tensor has a name", entry.name);
    const Expected<Tensor> tensor = file.read(entry);
    if (tensor)
      checkSafetensorsRoundTrip(entry, *tensor);
    else
      checkMessage(tensor.error());
  }
}

void fuzzSafetensors(Input input) {
  // Text alone is taken for a header, as nearly all mutations of the length
  // before one are of no use.
  const auto header = parseSafetensorsHeader(textOf(input), 24);
  if (const auto *entries = valueOf(header))
    checkLayers(*entries);
  const MemoryFile file(input);
  const auto read = SafetensorsFile::open(*InputFile::open(file.path()));
  const SafetensorsFile *tensors = valueOf(read);
  if (!tensors)
    return;
  checkLayers(tensors->entries());
  checkTensors(*tensors);
}

/// An .npy file of version 1.0.
std::string npyOf(std::string dictionary, size_t dataBytes) {
  using namespace std::string_literals;
  return "\x93NUMPY\x01\x00"s + char(dictionary.size()) + '\0' + dictionary +
         std::string(dataBytes, 'd');
}

std::vector<Bytes> takenNpy() {
  return {
      bytesOf(npyOf("{'descr': '<f4', 'fortran_order': False, "
                    "'shape': (2, 3), }\n",
                    24)),
      bytesOf(npyOf("{'shape': (3,2), 'fortran_order': True,"
                    "\"descr\":'|i1'}",
                    6)),
      bytesOf(
          npyOf("{'descr': '<i4', 'fortran_order': False, 'shape': ()}", 4)),
      bytesOf(npyOf("{'descr': '<f2', 'fortran_order': True, "
                    "'shape': (0, 9223372036854775807)}",
                    0)),
  };
}

std::vector<Bytes> refusedNpy() {
  using namespace std::string_view_literals;
  constexpr std::string_view kTexts[] = {
      ""sv,
      "{}"sv,
      "\x93NUMPY"sv,
      "\x93NUMPY\x01\x00\xff\xff{"sv,
      "\x93NUMPY\x02\x00\xff\xff\xff\xff{"sv,
      "\x93NUMPY\x01\x00\x02\x00{}"sv,
  };
  std::vector<Bytes> inputs = bytesOf(kTexts);
  inputs.push_back(bytesOf(npyOf("{'descr': '<f4', 'fortran_order': False, "
                                 "'shape': (4611686018427387904, 4)}",
                                 0)));
  inputs.push_back(bytesOf(npyOf("{'descr': '<f4', 'descr': '<f4'}", 0)));
  inputs.push_back(bytesOf(npyOf("{'\x1b[2J': 1}", 0)));
  return inputs;
}

std::string safetensorsOf(const std::string &header, size_t dataBytes) {
  std::string file;
  for (int i = 0; i < 8; ++i)
    file += char(uint64_t(header.size()) >> (8 * i));
  return file + header + std::string(dataBytes, 'd');
}

constexpr std::string_view kTwoTensors =
    R"({"__metadata__":{"format":"pt"},)"
    R"("a.bias":{"dtype":"F32","shape":[2],"data_offsets":[16,24]},)"
    R"("a.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})";

std::vector<Bytes> takenSafetensors() {
  return {
      bytesOf(kTwoTensors),
      bytesOf(safetensorsOf(std::string(kTwoTensors), 24)),
      bytesOf(safetensorsOf("{}", 0)),
      bytesOf(safetensorsOf(
          R"({"wte.weight":{"dtype":"BF16","shape":[1,2],"data_offsets":[2,6]},)"
          R"("\u00e9":{"dtype":"I8","shape":[],"data_offsets":[0,1]},)"
          R"("z":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
          R"("q":{"dtype":"F64","shape":[0],"data_offsets":[6,6]}})",
          6)),
  };
}

std::vector<Bytes> refusedSafetensors() {
  return {
      bytesOf(""),
      bytesOf("PK\x03\x04 a zip archive"),
      bytesOf("\xff\xff\xff\xff\xff\xff\xff\xff{}"),
      bytesOf(std::string(100000, '{')),
      bytesOf(safetensorsOf("[]", 0)),
      bytesOf(safetensorsOf("{\"\\u001b[2J\":{\"dtype\":\"\\n\"}}", 0)),
      bytesOf(safetensorsOf(R"({"a":{"dtype":"F32","shape":)"
                            R"([4611686018427387904,4],"data_offsets":[0,0]}})",
                            0)),
      bytesOf(safetensorsOf(R"({"a":{"dtype":"F32","shape":[-1],)"
                            R"("data_offsets":[0,0]}})",
                            0)),
      bytesOf(safetensorsOf(R"({"a":{"dtype":"U8","shape":[1],)"
                            R"("data_offsets":[1,2]}})",
                            2)),
  };
}

} // namespace

const Harness &npyHarness() {
  static const Harness harness = {"npy",
                                  fuzzNpy,
                                  takenNpy,
                                  refusedNpy,
                                  {"\x93NUMPY", "'descr'", "'fortran_order'",
                                   "'shape'", ":", ",", "(", ")", "{", "}",
                                   "True", "False", "'<f4'", "'<f2'", "'|u1'",
                                   "'>f4'", "0, ", "9223372036854775807", "\n"},
                                  6000};
  return harness;
}

const Harness &safetensorsHarness() {
  static const Harness harness = {"safetensors",
                                  fuzzSafetensors,
                                  takenSafetensors,
                                  refusedSafetensors,
                                  {"{",
                                   "}",
                                   "[",
                                   "]",
                                   ",",
                                   ":",
                                   "\"",
                                   "\"dtype\":",
                                   "\"shape\":",
                                   "\"data_offsets\":",
                                   "\"__metadata__\":{},",
                                   ".weight",
                                   ".bias",
                                   "F32",
                                   "BF16",
                                   "I8",
                                   "F8_E4M3",
                                   "I64",
                                   "[0,0]",
                                   "[0,24]",
                                   "1e0",
                                   "-1",
                                   "18446744073709551615",
                                   "\\u0000",
                                   "\\n"},
                                  6000};
  return harness;
}

} // namespace lintel::fuzz
