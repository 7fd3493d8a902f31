// A problem stated as MLIR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModuleFile.h"

#include "formats/InputFile.h"

#include "Reference/Oracle.h"
#include "lintel/Module.h"

namespace lintel::tool {

Expected<Problem> readModuleFile(const std::string &path) {
  constexpr uint64_t kMaxBytes = 64 << 20;
  Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.error();
  Expected<std::string> text = file->readText(kMaxBytes);
  if (!text)
    return text.error();
  Expected<Problem> problem = parseModule(*text, path);
  if (!problem)
    return problem.error();
  // Every kernel is checked against the reference. Compilation would say so,
  // too, but after the problems before this one, and without the file.
  if (auto oracle = Oracle::create(*problem); !oracle)
    return oracle.error().in(path);
  return problem;
}

} // namespace lintel::tool
