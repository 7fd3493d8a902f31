// Entries of the cache as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheReport.h"

#include "JsonLine.h"

#include "Engine/KernelKey.h"
#include "Engine/TuningRecord.h"

namespace lintel::tool {

namespace {

void writeChoice(llvm::json::OStream &out, const TuningReport &report) {
  writeSubject(out, report);
  writeText(out, "schedule", report.schedule);
  writeNumber(out, "median_us", report.medianMicroseconds, 3);
  out.attribute("promised", report.promised);
  out.attribute("noisy", report.noisy);
  out.attribute("interrupted", report.interrupted);
}

void writeListing(llvm::json::OStream &out, const CacheListing &listing) {
  const std::string_view keyText = listing.entry.keyText;
  writeText(out, "key", listing.hash);
  out.attribute("bytes", static_cast<int64_t>(listing.bytes));
  out.attribute("object_bytes", static_cast<int64_t>(listing.objectBytes));
  out.attribute("written", listing.modifiedUnixSeconds());
  writeText(out, "executor",
            CacheKey::fieldOfText(keyText, "executor").value_or(""));
  writeText(out, "rows", mixOfKeyText(keyText));
  out.attribute("this_build", isKeyTextOfThisBuild(keyText));
  if (Expected<TuningRecord> record =
          TuningRecord::decode(listing.entry.record))
    writeChoice(out, record->report);
  else
    writeText(out, "error", record.error().message());
}

} // namespace

std::string listingJson(const CacheListing &listing) {
  return jsonLine(
      [&](llvm::json::OStream &out) { writeListing(out, listing); });
}

std::string entryJson(const CacheListing &listing) {
  return jsonLine([&](llvm::json::OStream &out) {
    writeListing(out, listing);
    writeTexts(out, "needs", listing.entry.requiredFeatures);
    if (TuningRecord::decode(listing.entry.record)) { // else it may be no JSON
      out.attributeBegin("record");
      out.rawValue(listing.entry.record);
      out.attributeEnd();
    }
    writeText(out, "identity", listing.entry.keyText);
  });
}

} // namespace lintel::tool
