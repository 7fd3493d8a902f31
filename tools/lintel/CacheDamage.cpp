// What is wrong with the kernels and peaks on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheDamage.h"

#include "Cache/EntryName.h"
#include "Engine/TuningRecord.h"

namespace lintel::tool {

std::string CacheDamage::counts() const {
  std::string text;
  const auto add = [&](size_t count, const char *state) {
    if (count > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + state;
  };
  add(damaged.size(), " damaged");
  add(unreadable.size(), " unreadable");
  add(ofOtherVersions, " of another version");
  add(movedAside, " moved aside");
  return text;
}

static void sortInto(CacheDamage &damage,
                     const std::vector<Error> &complaints) {
  for (const Error &complaint : complaints)
    switch (complaint.code()) {
    case ErrorCode::io:
      damage.unreadable.push_back(complaint.message());
      break;
    case ErrorCode::unsupported:
      ++damage.ofOtherVersions;
      break;
    default:
      damage.damaged.push_back(complaint.message());
    }
}

Expected<CacheDamage> findDamage(Cache &cache, const CacheSurvey &entries) {
  Expected<std::vector<Error>> ofPeaks = cache.verifyPeaks();
  if (!ofPeaks)
    return ofPeaks.error();
  CacheDamage damage;
  damage.movedAside = entries.movedAside;
  sortInto(damage, entries.complaints);
  for (const CacheListing &listing : entries.listings) {
    Expected<TuningRecord> record = TuningRecord::decode(listing.entry.record);
    if (!record)
      damage.damaged.push_back(
          record.error()
              .in(cache.directory() + "/" + entryName(listing.hash))
              .message());
  }
  damage.hasDamagedEntry = !damage.damaged.empty();
  sortInto(damage, *ofPeaks);
  for (const Error &complaint : *ofPeaks)
    if (complaint.code() == ErrorCode::unsupported)
      damage.peaksOfOtherVersions.push_back(complaint.message());
  return damage;
}

} // namespace lintel::tool
