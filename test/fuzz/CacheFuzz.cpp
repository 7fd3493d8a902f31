// What the cache keeps: entries, records of tuning, and peaks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries and peaks end in a digest, which no mutation would get right: the
// harness puts the right one behind what it is given.
#include "Cache/DiskCache.h"
#include "Cache/EntryFormat.h"
#include "Engine/TuningRecord.h"
#include "fuzz/Harness.h"
#include "fuzz/Properties.h"
#include "unit/Cache/CacheTestSupport.h"

#include <cstring>
#include <limits>

namespace lintel::fuzz {
namespace {

/// A cache that is empty but for one file, `name` with `content`.
Cache &cacheOf(const std::string &name, const Bytes &content) {
  static const test::TemporaryDirectory root;
  static const std::unique_ptr<Cache> cache =
      *test::openCache((root / "cache").string());
  const std::filesystem::path directory(cache->directory());
  for (const std::string &old : test::namesIn(directory))
    std::filesystem::remove(directory / old);
  test::writeFile(directory / name, content);
  return *cache;
}

void append(Bytes &bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// The sizes of a header, of key, features, record and object.
constexpr size_t kSizesOffset = 16, kSizes = 4;

/// With sizes that add up, where that of the object can see to it.
void makeSizesAddUp(Bytes &entry) {
  uint64_t left = entry.size();
  if (left < kEntryHeaderBytes)
    return;
  left -= kEntryHeaderBytes;
  uint64_t size = 0;
  for (size_t i = 0; i + 1 < kSizes; ++i) {
    std::memcpy(&size, entry.data() + kSizesOffset + i * sizeof size,
                sizeof size);
    if (size > left)
      return;
    left -= size;
  }
  std::memcpy(entry.data() + kEntryHeaderBytes - sizeof left, &left,
              sizeof left);
}

void checkKey(std::string_view key) {
  for (std::string_view name : {"problem", "", "="})
    if (const auto value = CacheKey::fieldOfText(key, name))
      check(key.find(*value) != std::string_view::npos,
            "the field of a key stands in it", *value);
}

/// The cache takes from a file what the parser takes, if the name is right.
void checkSurvey(const Bytes &bytes, const CacheEntry *entry) {
  const std::string hash = CacheKey::hashOfText(entry ? entry->keyText : "");
  Cache &cache = cacheOf(entryName(hash), bytes);
  const Expected<CacheSurvey> survey = cache.survey();
  check(bool(survey), "a damaged entry is no error of the survey");
  check(survey->listings.size() == (entry ? 1 : 0) &&
            survey->complaints.size() == (entry ? 0 : 1),
        "the cache takes what the parser takes");
  for (const Error &complaint : survey->complaints)
    checkMessage(complaint);
}

void checkEntry(const Bytes &bytes) {
  const Expected<CacheEntry> read = parseEntry(bytes);
  const CacheEntry *entry = valueOf(read);
  if (entry) {
    const Expected<Bytes> written = writeEntry(*entry);
    check(written && *written == bytes, "an entry is written as it was read");
    checkKey(entry->keyText);
  }
  checkSurvey(bytes, entry);
}

void fuzzEntry(Input input) {
  Bytes entry(input.begin(), input.end());
  checkKey(textOf(input));
  if (const Expected<CacheEntry> plain = parseEntry(entry); !plain)
    checkMessage(plain.error());
  makeSizesAddUp(entry);
  append(entry, entryDigest(entry));
  checkEntry(entry);
}

/// Without its digest.
Bytes entryOf(const CacheEntry &entry) {
  Bytes bytes = writeEntry(entry).value();
  bytes.resize(bytes.size() - kEntryDigestBytes);
  return bytes;
}

std::vector<Bytes> takenEntries() {
  const CacheEntry plain = test::entryFor(test::keyNumber(1), 3);
  CacheEntry odd = plain;
  odd.keyText = std::string("\0\n=1:", 5);
  odd.requiredFeatures = {std::string(300, 'a'), "avx512bw", "b"};
  odd.record.clear();
  odd.object.resize(1);
  return {entryOf(plain), entryOf(odd)};
}

std::vector<Bytes> refusedEntries() {
  const Bytes whole = takenEntries().front();
  const auto withByte = [&](size_t at, int value) {
    Bytes entry = whole;
    entry[at] = std::byte(value);
    return entry;
  };
  return {{},
          Bytes(whole.begin(), whole.begin() + kEntryHeaderBytes),
          withByte(0, 0),
          withByte(8, 2),                 // another version
          withByte(12, 2),                // another kind of object
          withByte(kSizesOffset + 7, 1)}; // a key of 2^56 bytes
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void fuzzRecord(Input input) {
  const Expected<TuningRecord> read = TuningRecord::decode(textOf(input));
  const TuningRecord *record = valueOf(read);
  if (!record)
    return;
  const std::string written = record->encode();
  const Expected<TuningRecord> again = TuningRecord::decode(written);
  check(bool(again), "a record that was written is read", written);
  // A number may be read as -0 once; JSON's reader knows no integer of that.
  const std::string last = TuningRecord::decode(again->encode())->encode();
  checkSame("a record is written as it was read", last, again->encode());
  check(!record->report.json().empty(), "a report is printed");
}

std::vector<Bytes> takenRecords() {
  TuningRecord record;
  record.peakGflops = 181.5;
  TuningReport &report = record.report;
  report.problem = "128x768:768x3072 bias+gelu_erf";
  report.isa = "avx512";
  report.cpu = "A \"quoted\" CPU \xc3\xa9";
  report.schedule = "tile=8x48,mc=128";
  report.medianMicroseconds = 1234.5;
  const std::string plain = record.encode();
  report.types = DataTypes::parse("u8s8:u8").value();
  report.source = KernelSource::pinned;
  report.peakSource = PeakSource::stored;
  report.promised = true;
  report.candidates = {{"tile=8x48", "winner", 1234.5, ""},
                       {"tile=6x64", "timed", 1e300, "", true},
                       {"tile=1x16", "wrong", 0, "output is 1, not 2"}};
  report.panels = {{48, 1, 1.0625}, {2, 16, 1.5}};
  report.maxError = std::numeric_limits<double>::infinity();
  return {bytesOf(plain), bytesOf(record.encode())};
}

std::vector<Bytes> refusedRecords() {
  const std::string deep(100000, '[');
  return {bytesOf(""),          bytesOf("{}"),
          bytesOf("[1,2]"),     bytesOf("{\"record\":2}"),
          bytesOf(deep),        bytesOf("{\"record\":1,\"report\":[]}"),
          bytesOf("\"\\ud800"), bytesOf("{\"record\":1e999}")};
}

//===----------------------------------------------------------------------===//
// Peaks
//===----------------------------------------------------------------------===//

void fuzzPeaks(Input input) {
  const std::string_view text = textOf(input);
  const Expected<MachinePeaks> read = MachinePeaks::parse(text);
  const MachinePeaks *peaks = valueOf(read, checkShownMessage);
  if (peaks)
    checkSame("peaks are written as they were read", peaks->text(), text);
  const std::string machine = peaks ? peaks->machine : "";
  Bytes file(input.begin(), input.end());
  append(file, bytesOf("digest " + CacheKey::hashOfText(text) + "\n"));
  Cache &cache = cacheOf(DiskCache::peaksNameOf(machine), file);
  const auto found = cache.findPeaks(machine);
  check(bool(found) == bool(peaks), "the cache takes what the parser takes");
  if (found)
    check(*found && **found == *peaks, "the cache finds the peaks");
  else
    checkShownMessage(found.error());
  check(cache.verifyPeaks()->size() == (peaks ? 0 : 1),
        "the cache complains of what it does not take");
}

std::vector<Bytes> takenPeaks() {
  MachinePeaks peaks;
  peaks.machine = "isa=avx512,cores=2,cpu=AMD EPYC";
  peaks.measuredUnixSeconds = 1700000000;
  const std::string empty = peaks.text();
  ThreadPeaks row;
  row.l1Gbps = {500.125, 499};
  row.memoryGbps = {1e9, 0.001};
  row.productGflops[0] = {123.456, 120};
  peaks.put(row);
  row.threads = 2;
  peaks.put(row);
  return {bytesOf(empty), bytesOf(peaks.text())};
}

std::vector<Bytes> refusedPeaks() {
  return {bytesOf(""), bytesOf("lintel-peaks 6\n"),
          bytesOf("lintel-peaks \x1b[2J\n"),
          bytesOf("lintel-peaks 9\nmachine x\nmeasured -1\n")};
}

} // namespace

const Harness &entryHarness() {
  static const Harness harness = {"entry",
                                  fuzzEntry,
                                  takenEntries,
                                  refusedEntries,
                                  {"\x89LINTEL\n", "8:", "=", "\n", "problem",
                                   "avx2", "18446744073709551615:"},
                                  4000};
  return harness;
}

const Harness &recordHarness() {
  static const Harness harness = {"record",
                                  fuzzRecord,
                                  takenRecords,
                                  refusedRecords,
                                  {"{",
                                   "}",
                                   "[",
                                   "]",
                                   ",",
                                   ":",
                                   "\"",
                                   "null",
                                   "true",
                                   "-0.0",
                                   "1e308",
                                   "1e999",
                                   "9007199254740993",
                                   "\"report\":",
                                   "\"candidates\":",
                                   "\"panels\":",
                                   "\"promised\":true,",
                                   "\\u0000",
                                   "\\ud800",
                                   "\\\\",
                                   "\"bf16\"",
                                   "\"stored\"",
                                   "\"cache\""},
                                  4000};
  return harness;
}

const Harness &peaksHarness() {
  static const Harness harness = {
      "peaks",
      fuzzPeaks,
      takenPeaks,
      refusedPeaks,
      {"lintel-peaks 9\n", "machine ", "measured ",
       "threads=", " fma=", "0.000/0.000", " memory=", "\n", "/", "1e3", "nan",
       "inf", "-0.000", "1000000000.000", "digest ", "9223372036854775807"},
      4000};
  return harness;
}

} // namespace lintel::fuzz
