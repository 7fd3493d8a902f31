// The cache over a directory: survey, show.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/CacheDirectory.h"
#include "Cache/DiskCache.h"
#include "Cache/EntryFile.h"
#include "Cache/WholeFile.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lintel {
namespace {

CacheListing toListing(LoadedEntry loaded, const std::string &name) {
  CacheListing listing{std::string(hashInName(name)), loaded.bytes,
                       loaded.modifiedNanoseconds, std::move(loaded.entry)};
  listing.objectBytes = std::exchange(listing.entry.object, {}).size();
  return listing;
}

bool isNewer(const CacheListing &a, const CacheListing &b) {
  return std::tie(b.modifiedNanoseconds, a.hash) <
         std::tie(a.modifiedNanoseconds, b.hash);
}

} // namespace

Expected<std::vector<std::string>> DiskCache::namesOf(int directory,
                                                      FileKind kind) {
  std::vector<std::string> names;
  int error = uninterrupted([&] {
    names.clear();
    return files->list(directory, names);
  });
  if (error < 0)
    return ioError("cannot list cache directory '" + path + "'", -error);
  std::erase_if(
      names, [&](const std::string &name) { return kindOfFile(name) != kind; });
  std::sort(names.begin(), names.end());
  return names;
}

Expected<CacheSurvey> DiskCache::survey() {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  Expected<std::vector<std::string>> names =
      namesOf(directory->get(), FileKind::entry);
  if (!names)
    return names.error();
  Expected<std::vector<std::string>> movedAside =
      namesOf(directory->get(), FileKind::quarantined);
  if (!movedAside)
    return movedAside.error();
  CacheSurvey survey;
  survey.movedAside = movedAside->size();
  for (const std::string &name : *names) {
    LoadedEntry loaded = loadEntry(*files, directory->get(), name);
    if (std::optional<Error> wrong = complaintAbout(loaded, name))
      survey.complaints.push_back(wrong->in(path + "/" + name));
    else if (loaded.state == EntryState::whole)
      survey.listings.push_back(toListing(std::move(loaded), name));
  }
  std::sort(survey.listings.begin(), survey.listings.end(), isNewer);
  return survey;
}

Error DiskCache::noEntry(std::string_view prefix) const {
  return Error(ErrorCode::invalidArgument, "cache key '" + std::string(prefix) +
                                               "': no entry in '" + path +
                                               "' begins with it");
}

Expected<std::string> DiskCache::entryBeginning(int directory,
                                                std::string_view prefix) {
  constexpr size_t kMinDigits = 4;
  const std::string quoted = "'" + std::string(prefix) + "'";
  if (prefix.size() < kMinDigits || !isLowerHex(prefix))
    return Error(ErrorCode::invalidArgument,
                 "cache key " + quoted +
                     ": a key is at least 4 of the digits 0-9 and a-f");
  Expected<std::vector<std::string>> names =
      namesOf(directory, FileKind::entry);
  if (!names)
    return names.error();
  std::erase_if(*names, [&](const std::string &name) {
    return !hashInName(name).starts_with(prefix);
  });
  if (names->empty())
    return noEntry(prefix);
  if (names->size() > 1)
    return Error(ErrorCode::invalidArgument,
                 "cache key " + quoted + ": " + std::to_string(names->size()) +
                     " entries begin with it, among them " +
                     std::string(hashInName((*names)[0])) + " and " +
                     std::string(hashInName((*names)[1])) +
                     "; give more digits");
  return names->front();
}

Expected<CacheListing> DiskCache::show(std::string_view prefix) {
  Expected<Descriptor> directory = openCacheDirectory(*files, path);
  if (!directory)
    return directory.error();
  const Expected<std::string> name = entryBeginning(directory->get(), prefix);
  if (!name)
    return name.error();
  LoadedEntry loaded = loadEntry(*files, directory->get(), *name);
  if (loaded.state == EntryState::absent) // removed since it was listed
    return noEntry(prefix);
  if (std::optional<Error> wrong = complaintAbout(loaded, *name))
    return wrong->in(path + "/" + *name);
  return toListing(std::move(loaded), *name);
}

} // namespace lintel
