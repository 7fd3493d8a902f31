// NumPy's .npy files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   file       ::= "\x93NUMPY" major minor length dictionary data
//   major      ::= 1 | 2 | 3                  (one byte; minor is 0)
//   length     ::= bytes of the dictionary: u16 if major is 1, else u32;
//                  little-endian
//   dictionary ::= "{" "'descr': '<f4'," "'fortran_order': False,"   or '<f2',
//                  '|i1', '|u1', '<i4'
//                  "'shape': (128, 768)," "}" spaces "\n"
//                  (keys in any order)
//   data       ::= the elements, row-major unless fortran_order is True
#pragma once

#include "formats/InputFile.h"
#include "formats/Tensor.h"
#include "lintel/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lintel::tool {

struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Parses the dictionary; a message gives the offset of what cannot be right.
Expected<NpyHeader> parseNpyDictionary(std::string_view text);

/// True if the file begins as .npy files do.
bool isNpy(const InputFile &file);

/// Success for the types that NumPy has: all but bf16.
Status checkNpyHolds(DType dtype);

/// Reads an array of one of these types. Column-major matrices come out
/// row-major. Other element types and byte orders are refused with the NumPy
/// call that converts.
Expected<Tensor> readNpy(const InputFile &file);

/// Writes version 1.0, whole or not at all.
Status writeNpy(const std::string &path, const Tensor &tensor);

} // namespace lintel::tool
