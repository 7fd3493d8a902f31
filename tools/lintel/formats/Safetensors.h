// Safetensors files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   file   ::= length header data
//   length ::= bytes of the header, u64, little-endian
//   header ::= JSON: { NAME: {"dtype": "F32", "shape": [N, K],
//                             "data_offsets": [begin, end]}, ...,
//                      "__metadata__": {string: string} }
//   data   ::= every tensor, row-major; offsets count from here;
//              tensors neither overlap nor leave holes
#pragma once

#include "formats/InputFile.h"
#include "formats/Tensor.h"
#include "lintel/DType.h"
#include "lintel/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lintel::tool {

/// How the names of a module's tensors end, behind its own.
inline constexpr std::string_view kWeightSuffix = ".weight";
inline constexpr std::string_view kBiasSuffix = ".bias";

/// One tensor of a header.
struct SafetensorsEntry {
  std::string name;
  std::string dtype; ///< "F32", "BF16", ...
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0; ///< bytes, from the start of the data

  /// That of the elements; none if Lintel does not know it.
  std::optional<DType> elementType() const;
  /// The same, if some layer has weights of it.
  std::optional<DType> weightType() const;
};

/// Parses a header for `dataBytes` bytes of data; entries are sorted by name.
/// Messages name the tensor and the field.
Expected<std::vector<SafetensorsEntry>>
parseSafetensorsHeader(std::string_view json, uint64_t dataBytes);

/// An opened file whose header was checked; data is read on demand.
class SafetensorsFile {
public:
  static Expected<SafetensorsFile> open(InputFile file);

  const std::string &path() const { return file.path(); }
  const std::vector<SafetensorsEntry> &entries() const { return entryList; }
  /// Null if there is none of that name.
  const SafetensorsEntry *find(std::string_view name) const;
  /// Reads one tensor of F32, BF16, F16, I8, U8 or I32; other element types are
  /// refused.
  Expected<Tensor> read(const SafetensorsEntry &entry) const;

private:
  SafetensorsFile(InputFile file, std::vector<SafetensorsEntry> entries,
                  uint64_t dataOffset);
  InputFile file;
  std::vector<SafetensorsEntry> entryList;
  uint64_t dataOffset;
};

/// Success for elements that a layer with weights of `dtype` can be made of:
/// its own, or F32; else a message that says what to do.
Status checkServes(const SafetensorsEntry &entry, DType dtype);

/// Writes a file that holds one tensor, whole or not at all.
Status writeSafetensors(const std::string &path, std::string_view name,
                        const Tensor &tensor);

} // namespace lintel::tool
