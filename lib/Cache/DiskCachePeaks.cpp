// The cache over a directory: the peaks of machines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   file   ::= peaks "digest " hash "\n"
//   peaks  ::= as in Target/MachinePeaks.h
//   hash   ::= CacheKey::hashOfText(peaks)
#include "Cache/CacheDirectory.h"
#include "Cache/DiskCache.h"
#include "Cache/WholeFile.h"

namespace lintel {
namespace {

/// A row has some 400 bytes, and there is one a thread count, up to 1024.
constexpr uint64_t kMaxPeaksBytes = 1 << 20;

std::string digestLine(std::string_view text) {
  return "digest " + CacheKey::hashOfText(text) + "\n";
}

Expected<MachinePeaks> parsePeaksFile(std::string_view content) {
  const size_t digestAt = content.rfind("digest ");
  const std::string_view text = content.substr(0, digestAt);
  Expected<MachinePeaks> peaks = MachinePeaks::parse(text);
  // Another version may have another digest, or none.
  if (!peaks && peaks.error().code() == ErrorCode::unsupported)
    return peaks;
  if (digestAt == std::string_view::npos ||
      content.substr(digestAt) != digestLine(text))
    return Error(ErrorCode::corrupt, "its digest is not that of its text");
  return peaks;
}

} // namespace

Expected<std::optional<MachinePeaks>>
DiskCache::loadPeaks(int directory, const std::string &name) {
  const LoadedFile file = loadFile(*files, directory, name, kMaxPeaksBytes);
  switch (file.state) {
  case FileState::absent:
    return std::optional<MachinePeaks>();
  case FileState::unreadable:
    return Error(ErrorCode::io, file.reason);
  case FileState::foreign:
    return Error(ErrorCode::corrupt, file.reason);
  case FileState::whole:
    break;
  }
  Expected<MachinePeaks> peaks = parsePeaksFile(
      {reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size()});
  if (!peaks)
    return peaks.error();
  if (name != peaksName(CacheKey::hashOfText(peaks->machine)))
    return Error(ErrorCode::corrupt,
                 "it holds the peaks of another machine: " + peaks->machine);
  return std::optional(std::move(*peaks));
}

Expected<std::optional<MachinePeaks>>
DiskCache::findPeaks(std::string_view machine) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  const std::string name = peaksName(CacheKey::hashOfText(machine));
  Expected<std::optional<MachinePeaks>> peaks =
      loadPeaks(directory->get(), name);
  if (peaks)
    return peaks;
  const std::string remedy =
      peaks.error().code() == ErrorCode::io
          ? "; make it readable, or remove it"
          : "; lintel doctor --measure replaces these peaks, but for a "
            "directory, which is to be removed";
  return Error(peaks.error().code(), peaks.error().message() + remedy)
      .in(path + "/" + name);
}

/// Nothing replaces the peaks of a machine that never comes back. Of a file
/// that could not be read nothing is known, and another Lintel's is of use to
/// that one.
static Error complaintOf(const Error &error) {
  if (error.code() != ErrorCode::corrupt)
    return error;
  return Error(error.code(), error.message() + "; remove it");
}

Expected<std::vector<Error>> DiskCache::verifyPeaks() {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  Expected<std::vector<std::string>> names =
      namesOf(directory->get(), FileKind::peaks);
  if (!names)
    return names.error();
  std::vector<Error> complaints;
  for (const std::string &name : *names)
    if (auto loaded = loadPeaks(directory->get(), name); !loaded)
      complaints.push_back(complaintOf(loaded.error()).in(path + "/" + name));
  return complaints;
}

Status DiskCache::putPeaks(const MachinePeaks &peaks) {
  const std::string text = peaks.text();
  if (Expected<MachinePeaks> readable = MachinePeaks::parse(text); !readable)
    return readable.error();
  const std::string content = text + digestLine(text);
  const std::string hash = CacheKey::hashOfText(peaks.machine);
  // What cannot be read now may hold other rows.
  if (Expected<Descriptor> directory = openCacheDirectory(*files, path);
      directory)
    if (auto known = loadPeaks(directory->get(), peaksName(hash));
        !known && known.error().code() == ErrorCode::io)
      return known.error().in(path + "/" + peaksName(hash));
  return store(hash, peaksName(hash), std::as_bytes(std::span(content)));
}

} // namespace lintel
