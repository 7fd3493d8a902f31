// What the files in a cache directory are called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   entry       ::= hash ".lintel"
//   quarantined ::= hash ".lintel.bad"
//   temporary   ::= hash "." serial ".tmp"
//   peaks       ::= hash [ "." version ] ".peaks"
//   hash        ::= 32 lower-case hex digits
//   serial      ::= 16 lower-case hex digits
//   version     ::= decimal digits; without: 1 to 8
//
// Every other name is foreign, and left alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lintel {

enum class FileKind { entry, quarantined, temporary, peaks, foreign };

FileKind kindOfFile(std::string_view name);
std::string entryName(std::string_view hash);
std::string quarantineName(std::string_view entryName);
std::string temporaryName(std::string_view hash, uint64_t serial);
/// `hash` is of a machine's fingerprint, `version` of the text in the file.
std::string peaksName(std::string_view hash, std::string_view version);
/// The hash that the name of an entry or of peaks begins with.
std::string_view hashInName(std::string_view name);
/// Whether `text` has only the digits of a hash.
bool isLowerHex(std::string_view text);

} // namespace lintel
