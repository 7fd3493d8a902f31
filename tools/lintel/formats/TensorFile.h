// Tensors named on a command line: FILE or FILE:TENSOR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "formats/Safetensors.h"
#include "formats/Tensor.h"
#include "lintel/Error.h"

#include <string>
#include <string_view>

namespace lintel::tool {

/// Of tensors that are no module's.
inline constexpr std::string_view kNoSuffix = "";

/// Reads an .npy file, or a tensor of a .safetensors file. TENSOR may be left
/// out when the file holds only one. The file's first bytes decide the format.
/// The name of a module alone is answered with its tensor of that suffix.
Expected<Tensor> readTensor(const std::string &reference,
                            std::string_view suffix = kNoSuffix);

/// Whether there is the file that readTensor() would open.
bool namesAFile(const std::string &reference);

/// Whether that file is `path`, under this or another name.
bool isTheFileOf(const std::string &path, const std::string &reference);

/// The name of a tensor written to a .safetensors file.
inline constexpr const char *kOutputTensorName = "output";

/// Success if writeTensor() knows the format of `path` by its ending.
Status checkOutputPath(const std::string &path);
/// Success if that format has elements of the result of a layer of these types.
Status checkOutputType(const std::string &path, const DataTypes &types);

/// Writes .npy or .safetensors, as the ending of `path` says, whole or not at
/// all.
Status writeTensor(const std::string &path, const Tensor &tensor);

} // namespace lintel::tool
