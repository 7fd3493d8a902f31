// An entry as bytes. docs/cache-format.md says the same in prose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are unsigned, little-endian and of fixed width; nothing is aligned
// or padded.
//
//   entry        ::= header key features record object digest
//   header       ::= magic version payload
//                    keySize featuresSize recordSize objectSize
//   magic        ::= 89 4C 49 4E 54 45 4C 0A          "\x89LINTEL\n"
//   version      ::= u32                              kEntryFormatVersion
//   payload      ::= u32                              1: relocatable ELF
//   keySize      ::= u64                              and so the other sizes
//   key          ::= byte{keySize}                    CacheKey::text()
//   features     ::= { length:u16 name:byte{length} } featuresSize bytes in
//                                                     all, names ascending
//   record       ::= byte{recordSize}                 JSON
//   object       ::= byte{objectSize}                 at least one byte
//   digest       ::= byte{32}                         BLAKE3 of all before it
#pragma once

#include "Cache/Cache.h"
#include "lintel/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lintel {

inline constexpr uint32_t kEntryFormatVersion = 1;

/// Sizes of the parts with a fixed size.
inline constexpr size_t kEntryHeaderBytes = 48;
inline constexpr size_t kEntryDigestBytes = 32;

/// Larger parts are refused, by writer and parser alike, so that a damaged
/// length costs no memory.
inline constexpr uint64_t kMaxKeyBytes = uint64_t(1) << 20;
inline constexpr uint64_t kMaxFeaturesBytes = uint64_t(1) << 16;
inline constexpr uint64_t kMaxRecordBytes = uint64_t(1) << 24;
inline constexpr uint64_t kMaxObjectBytes = uint64_t(1) << 26;
inline constexpr uint64_t kMaxEntryBytes = kEntryHeaderBytes + kMaxKeyBytes +
                                           kMaxFeaturesBytes + kMaxRecordBytes +
                                           kMaxObjectBytes + kEntryDigestBytes;

/// The digest that belongs behind `bytes`.
std::array<std::byte, kEntryDigestBytes>
entryDigest(std::span<const std::byte> bytes);

/// The bytes of `entry`. Features are written in ascending order, each once. A
/// part that is too large, an empty object or an empty feature name is
/// ErrorCode::invalidArgument.
Expected<std::vector<std::byte>> writeEntry(const CacheEntry &entry);

/// Inverse of writeEntry. Checks the whole of `bytes` before it believes any of
/// it; the message names the field and its offset. ErrorCode::unsupported: an
/// entry of another format version, which may well be whole.
/// ErrorCode::corrupt: damage.
Expected<CacheEntry> parseEntry(std::span<const std::byte> bytes);

} // namespace lintel
