// What the files in a cache directory are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/EntryName.h"

namespace lintel {
namespace {

constexpr size_t kHashDigits = 32, kSerialDigits = 16;
constexpr std::string_view kEntrySuffix = ".lintel";
constexpr std::string_view kQuarantineSuffix = ".bad";
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr std::string_view kPeaksSuffix = ".peaks";

bool isPeaksEnding(std::string_view ending) {
  if (!ending.ends_with(kPeaksSuffix))
    return false;
  ending.remove_suffix(kPeaksSuffix.size());
  const std::string_view digits = ending.substr(ending.starts_with('.'));
  return ending.empty() ||
         (!digits.empty() && digits.size() < ending.size() &&
          digits.find_first_not_of("0123456789") == std::string_view::npos);
}

} // namespace

bool isLowerHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

FileKind kindOfFile(std::string_view name) {
  if (name.size() <= kHashDigits || !isLowerHex(name.substr(0, kHashDigits)))
    return FileKind::foreign;
  std::string_view rest = name.substr(kHashDigits);
  if (rest == kEntrySuffix)
    return FileKind::entry;
  if (isPeaksEnding(rest))
    return FileKind::peaks;
  if (rest.starts_with(kEntrySuffix) &&
      rest.substr(kEntrySuffix.size()) == kQuarantineSuffix)
    return FileKind::quarantined;
  if (rest.size() == 1 + kSerialDigits + kTemporarySuffix.size() &&
      rest.front() == '.' && isLowerHex(rest.substr(1, kSerialDigits)) &&
      rest.ends_with(kTemporarySuffix))
    return FileKind::temporary;
  return FileKind::foreign;
}

std::string entryName(std::string_view hash) {
  return std::string(hash) + std::string(kEntrySuffix);
}

std::string quarantineName(std::string_view entryName) {
  return std::string(entryName) + std::string(kQuarantineSuffix);
}

std::string temporaryName(std::string_view hash, uint64_t serial) {
  std::string digits(kSerialDigits, '0');
  for (size_t i = kSerialDigits; i-- > 0; serial >>= 4)
    digits[i] = "0123456789abcdef"[serial & 15];
  return std::string(hash) + '.' + digits + std::string(kTemporarySuffix);
}

std::string peaksName(std::string_view hash, std::string_view version) {
  return std::string(hash) + '.' + std::string(version) +
         std::string(kPeaksSuffix);
}

std::string_view hashInName(std::string_view name) {
  return name.substr(0, kHashDigits);
}

} // namespace lintel
