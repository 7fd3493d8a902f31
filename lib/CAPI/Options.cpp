// Reading option structs of any version of the C header.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CAPI/Options.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace lintel::capi {
namespace {

/// The shortest structs there are: bindings that need no later field leave
/// those out, as bench/comparison does. Fields are only ever appended, so these
/// sizes never change.
constexpr size_t kFirstEngineOptions = 40;
constexpr size_t kFirstCompileOptions = 24;
static_assert(sizeof(lintel_engine_options) >= kFirstEngineOptions);
static_assert(sizeof(lintel_compile_options) >= kFirstCompileOptions);

/// No version will be as large: a larger size is memory that was not
/// initialised.
constexpr size_t kLargestStruct = 4096;

template <class Options>
Expected<Options> readStruct(const Options *given, size_t firstSize,
                             const char *name) {
  Options options = {};
  if (!given)
    return options;
  const size_t size = given->struct_size;
  // A size that is no multiple of the alignment is that of no struct.
  if (size < firstSize || size > kLargestStruct || size % alignof(Options) != 0)
    return Error(ErrorCode::invalidArgument,
                 std::string(name) + ".struct_size is " + std::to_string(size) +
                     "; set it to sizeof(" + name + ")");
  const auto *bytes = reinterpret_cast<const unsigned char *>(given);
  if (size > sizeof(Options) &&
      std::any_of(bytes + sizeof(Options), bytes + size,
                  [](unsigned char b) { return b != 0; }))
    return Error(ErrorCode::unsupported,
                 std::string(name) +
                     " sets a field that this version of Lintel, " +
                     lintel_version() + ", does not know");
  std::memcpy(&options, given, std::min(size, sizeof(Options)));
  return options;
}

} // namespace

Expected<lintel_engine_options>
readOptions(const lintel_engine_options *given) {
  return readStruct(given, kFirstEngineOptions, "lintel_engine_options");
}

Expected<lintel_compile_options>
readOptions(const lintel_compile_options *given) {
  return readStruct(given, kFirstCompileOptions, "lintel_compile_options");
}

} // namespace lintel::capi
