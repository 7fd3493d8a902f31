// The cache over a directory: the peaks of machines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   file   ::= peaks "digest " hash "\n"
//   peaks  ::= as in Target/MachinePeaks.h
//   hash   ::= CacheKey::hashOfText(peaks)
#include "Cache/CacheDirectory.h"
#include "Cache/DiskCache.h"
#include "Cache/WholeFile.h"
#include "Runtime/Log.h"

namespace lintel {
namespace {

/// A row has some 250 bytes, and there is one a thread count.
constexpr uint64_t kMaxPeaksBytes = 256 << 10;

std::string digestLine(std::string_view text) {
  return "digest " + CacheKey::hashOfText(text) + "\n";
}

Expected<MachinePeaks> parsePeaksFile(std::string_view content,
                                      std::string_view machine) {
  const size_t digestAt = content.rfind("digest ");
  const std::string_view text = content.substr(0, digestAt);
  Expected<MachinePeaks> peaks = MachinePeaks::parse(text);
  // Another version may have another digest, or none.
  if (!peaks && peaks.error().code() == ErrorCode::unsupported)
    return peaks;
  if (digestAt == std::string_view::npos ||
      content.substr(digestAt) != digestLine(text))
    return Error(ErrorCode::corrupt, "its digest is not that of its text");
  if (peaks && peaks->machine != machine)
    return Error(ErrorCode::corrupt,
                 "it holds the peaks of another machine: " + peaks->machine);
  return peaks;
}

} // namespace

std::optional<MachinePeaks> DiskCache::findPeaks(std::string_view machine) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return std::nullopt;
  const std::string name = peaksName(CacheKey::hashOfText(machine));
  const LoadedFile file =
      loadFile(*files, directory->get(), name, kMaxPeaksBytes);
  if (file.state == FileState::absent)
    return std::nullopt;
  const auto refuse = [&](const std::string &reason) {
    logger()->warn("peaks in '{}/{}' are not used: {}", path, name, reason);
    return std::nullopt;
  };
  if (file.state != FileState::whole)
    return refuse(file.reason);
  Expected<MachinePeaks> peaks = parsePeaksFile(
      {reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size()},
      machine);
  if (!peaks)
    return refuse(peaks.error().message());
  return std::move(*peaks);
}

Status DiskCache::putPeaks(const MachinePeaks &peaks) {
  const std::string text = peaks.text();
  if (Expected<MachinePeaks> readable = MachinePeaks::parse(text); !readable)
    return readable.error();
  const std::string content = text + digestLine(text);
  const std::string hash = CacheKey::hashOfText(peaks.machine);
  return store(hash, peaksName(hash), std::as_bytes(std::span(content)));
}

} // namespace lintel
