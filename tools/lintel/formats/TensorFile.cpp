// Tensors named on a command line: FILE or FILE:TENSOR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/TensorFile.h"

#include "formats/InputFile.h"
#include "formats/Npy.h"

#include "Basics/ClosestName.h"
#include "Runtime/PrintableText.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace lintel::tool {

namespace {

/// Splits at a ':' that follows the name of an existing file; both files and
/// tensors may have colons in their names.
std::pair<std::string, std::string> splitReference(const std::string &text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored))
    return {text, ""};
  for (size_t colon = text.rfind(':'); colon != std::string::npos && colon != 0;
       colon = text.rfind(':', colon - 1))
    if (std::filesystem::exists(text.substr(0, colon), ignored))
      return {text.substr(0, colon), text.substr(colon + 1)};
  return {text.substr(0, text.find(':')), ""};
}

/// A few of the tensor names that there are, for a message.
std::string listNames(const SafetensorsFile &file) {
  constexpr size_t kShown = 5;
  std::string names;
  for (const SafetensorsEntry &entry : file.entries()) {
    if (&entry - file.entries().data() == kShown)
      return names + ", ... (" + std::to_string(file.entries().size()) +
             " in all)";
    names += (names.empty() ? "" : ", ") + onOneLine(entry.name);
  }
  return names;
}

/// "did you mean TENSOR? ", or nothing. A module stands for its tensor of that
/// suffix, if any, though another of its tensors may have a shorter name.
std::string meantName(const std::string &name, std::string_view suffix,
                      const SafetensorsFile &file) {
  std::vector<std::string_view> known;
  for (const SafetensorsEntry &entry : file.entries()) {
    const std::string_view tensor = entry.name;
    known.push_back(tensor);
    if (!suffix.empty() && tensor.ends_with(suffix))
      known.push_back(tensor.substr(0, tensor.size() - suffix.size()));
  }
  std::string meant(closestName(name, known, /*prefix=*/0));
  if (meant.empty())
    return "";
  if (!file.find(meant))
    meant += suffix;
  return "did you mean " + onOneLine(meant) + "? ";
}

} // namespace

bool namesAFile(const std::string &reference) {
  std::error_code ignored;
  return std::filesystem::exists(splitReference(reference).first, ignored);
}

bool isTheFileOf(const std::string &path, const std::string &reference) {
  std::error_code ignored;
  return std::filesystem::equivalent(path, splitReference(reference).first,
                                     ignored);
}

Expected<Tensor> readTensor(const std::string &reference,
                            std::string_view suffix) {
  auto [path, name] = splitReference(reference);
  Expected<InputFile> input = InputFile::open(path);
  if (!input)
    return input.error();
  if (isNpy(*input)) {
    if (!name.empty())
      return Error(ErrorCode::invalidArgument,
                   reference + ": an .npy file holds one array; leave out ':" +
                       name + "'");
    return readNpy(*input);
  }
  if (path.ends_with(".npy"))
    return readNpy(*input); // Says what is wrong with it.
  Expected<SafetensorsFile> file = SafetensorsFile::open(std::move(*input));
  if (!file)
    return file.error();
  if (file->entries().empty())
    return Error(ErrorCode::invalidArgument,
                 path + ": holds no tensor; name a file with one");
  if (name.empty() && file->entries().size() == 1)
    return file->read(file->entries().front());
  if (name.empty())
    return Error(ErrorCode::invalidArgument,
                 path + ": say which tensor, as in " + path +
                     ":TENSOR; it holds " + listNames(*file));
  const SafetensorsEntry *entry = file->find(name);
  if (!entry)
    return Error(ErrorCode::invalidArgument,
                 path + ": has no tensor '" + onOneLine(name) + "'; " +
                     meantName(name, suffix, *file) + "it holds " +
                     listNames(*file));
  return file->read(*entry);
}

Status checkOutputPath(const std::string &path) {
  if (path.empty())
    return Error(ErrorCode::io, "the name of a file to write is empty");
  if (!path.ends_with(".npy") && !path.ends_with(".safetensors"))
    return Error(ErrorCode::invalidArgument,
                 path + ": the ending says the format: .npy or .safetensors");
  std::error_code fault;
  const std::filesystem::path folder =
      std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, fault))
    return Error(ErrorCode::io,
                 path + ": there is no folder " + folder.string());
  return {};
}

Status checkOutputType(const std::string &path, const DataTypes &types) {
  if (!path.ends_with(".npy"))
    return {};
  const Status held = checkNpyHolds(types.result);
  if (held)
    return {};
  DataTypes wide = types;
  wide.result = DType::f32;
  return Error(held.error().code(), path + ": " + held.error().message() +
                                        ", or a result in f32 with --dtype " +
                                        wide.text());
}

Status writeTensor(const std::string &path, const Tensor &tensor) {
  if (Status status = checkOutputPath(path); !status)
    return status;
  if (path.ends_with(".npy"))
    return writeNpy(path, tensor);
  return writeSafetensors(path, kOutputTensorName, tensor);
}

} // namespace lintel::tool
