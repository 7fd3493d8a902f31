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

/// How lintel.linear spells what is summed in, beside f32.
static std::string_view attributeFor(DType accumulate) {
  return accumulate == DType::s16 ? "i16" : toString(accumulate);
}

/// Of a module that sums in something else than `asked`, what --accumulate
/// makes of its types.
static Error sumsDiffer(const DataTypes &stated, const DataTypes &asked) {
  const bool isStated = stated.accumulate != DType::f32;
  std::string there;
  if (asked.accumulate == DType::f32)
    there = "leave that out, or ";
  else if (asked.check()) // Else no layer has both.
    there =
        "write accumulate = " + std::string(attributeFor(asked.accumulate)) +
        " there, or ";
  return Error(
      ErrorCode::invalidArgument,
      "sums in " +
          std::string(
              toString(isStated ? stated.accumulate : stated.accumulator())) +
          (isStated ? ", as the attribute accumulate of its lintel.linear says"
                    : ", as its lintel.linear has no attribute accumulate") +
          "; " + there + "leave out --accumulate");
}

Status checkStatedTypes(const DataTypes &stated, const NamedTypes &named) {
  DataTypes asked = named.types.value_or(stated);
  asked.accumulate = named.accumulate.value_or(asked.accumulate);
  if (asked == stated)
    return {};
  DataTypes otherSums = asked;
  otherSums.accumulate = stated.accumulate;
  if (named.accumulate && otherSums == stated)
    return sumsDiffer(stated, asked);
  return Error(ErrorCode::invalidArgument,
               "an .mlir file states its own types, here " + stated.text() +
                   ", and --dtype says " + named.types->text() +
                   "; leave out --dtype");
}

} // namespace lintel::tool
