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

/// The second word of what this Lintel writes.
std::string peaksVersion() {
  const std::string text = MachinePeaks().text();
  const size_t begin = text.find(' ') + 1;
  return text.substr(begin, text.find('\n') - begin);
}

Expected<MachinePeaks> parsePeaksFile(std::string_view content) {
  const size_t digestAt = content.rfind("digest ");
  const std::string_view text = content.substr(0, digestAt);
  if (digestAt == std::string_view::npos ||
      content.substr(digestAt) != digestLine(text))
    return Error(ErrorCode::corrupt, "its digest is not that of its text");
  Expected<MachinePeaks> peaks = MachinePeaks::parse(text);
  // Not the version that its name tells.
  if (!peaks && peaks.error().code() == ErrorCode::unsupported)
    return Error(ErrorCode::corrupt, peaks.error().message());
  return peaks;
}

} // namespace

std::string DiskCache::peaksNameOf(std::string_view machine) {
  return peaksName(CacheKey::hashOfText(machine), peaksVersion());
}

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
  if (name != peaksNameOf(peaks->machine))
    return Error(ErrorCode::corrupt,
                 "it holds the peaks of another machine: " + peaks->machine);
  return std::optional(std::move(*peaks));
}

Expected<std::optional<MachinePeaks>>
DiskCache::findPeaks(std::string_view machine) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  const std::string name = peaksNameOf(machine);
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
/// that could not be read nothing is known.
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
  for (const std::string &name : *names) {
    const std::string where = path + "/" + name;
    if (name != peaksName(hashInName(name), peaksVersion()))
      complaints.push_back(
          Error(ErrorCode::unsupported, "peaks of another version").in(where));
    else if (auto loaded = loadPeaks(directory->get(), name); !loaded)
      complaints.push_back(complaintOf(loaded.error()).in(where));
  }
  return complaints;
}

Status DiskCache::putPeaks(const MachinePeaks &peaks) {
  const std::string text = peaks.text();
  if (Expected<MachinePeaks> readable = MachinePeaks::parse(text); !readable)
    return readable.error();
  const std::string content = text + digestLine(text);
  const auto bytes = std::as_bytes(std::span(content));
  const FileToStore file{CacheKey::hashOfText(peaks.machine),
                         peaksNameOf(peaks.machine),
                         {bytes.begin(), bytes.end()}};
  // What cannot be read now may hold other rows.
  if (Expected<Descriptor> directory = openCacheDirectory(*files, path);
      directory)
    if (auto known = loadPeaks(directory->get(), file.name);
        !known && known.error().code() == ErrorCode::io)
      return known.error().in(path + "/" + file.name);
  return store({&file, 1});
}

} // namespace lintel
