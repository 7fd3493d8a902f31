// What is wrong with the kernels on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheDamage.h"

#include "Cache/EntryName.h"
#include "Engine/TuningRecord.h"

namespace lintel::tool {

Expected<std::vector<std::string>>
findDamage(Cache &cache, const std::vector<CacheListing> &listings) {
  Expected<std::vector<std::string>> complaints = cache.verify();
  if (!complaints)
    return complaints.error();
  for (const CacheListing &listing : listings) {
    Expected<TuningRecord> record = TuningRecord::decode(listing.entry.record);
    if (!record)
      complaints->push_back(
          record.error()
              .in(cache.directory() + "/" + entryName(listing.hash))
              .message());
  }
  return complaints;
}

} // namespace lintel::tool
