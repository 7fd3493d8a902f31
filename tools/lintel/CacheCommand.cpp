// lintel cache: look at and clean the kernels on disk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ByteSize.h"
#include "CacheDamage.h"
#include "CacheReport.h"
#include "Command.h"
#include "Console.h"
#include "KernelCells.h"
#include "Table.h"
#include "TuningText.h"

#include "Cache/CacheLocation.h"
#include "Engine/KernelKey.h"
#include "Runtime/Environment.h"
#include "Runtime/Log.h"
#include "Runtime/PrintableText.h"

#include <memory>
#include <string>
#include <vector>

namespace lintel::tool {

namespace {

struct CacheArguments {
  CommandParser ls, show, verify, rm, prune, clear;
  bool json = false;                  ///< of ls and show
  std::string key = {};               ///< of show
  std::vector<std::string> keys = {}; ///< of rm
  uint64_t mostBytes = 0;             ///< of prune
};

Expected<CacheLocation> locationOfCache() {
  Expected<Environment> environment = Environment::read();
  if (!environment)
    return environment.error();
  setLogLevel(environment->logLevel);
  warnOfStrayVariables();
  CacheLocation location = cacheLocation(*environment);
  if (location.directory.empty())
    return Error(ErrorCode::invalidArgument,
                 "no cache directory is known; set LINTEL_CACHE_DIR to an "
                 "absolute path");
  return location;
}

/// What is listed as objects; what is damaged is said on stderr.
int listAsJson(const CacheSurvey &survey, const CacheDamage &damage) {
  for (const CacheListing &listing : survey.listings)
    print(listingJson(listing));
  if (const std::string counts = damage.counts(); !counts.empty())
    logMessage(LogLevel::warn, "{}, of which lintel cache verify says more",
               counts);
  return kSuccess;
}

int listEntries(Cache &cache, bool asJson) {
  Expected<CacheSurvey> survey = cache.survey();
  if (!survey)
    return printError(survey.error());
  Expected<CacheDamage> damage = findDamage(cache, *survey);
  if (!damage)
    return printError(damage.error());
  if (asJson)
    return listAsJson(*survey, *damage);
  using enum Table::Align;
  Table table("", {left, right, left, right});
  uint64_t bytes = 0;
  for (const CacheListing &listing : survey->listings) {
    bytes += listing.bytes;
    std::vector<std::string> row = {listing.hash,
                                    bytesText(double(listing.bytes)),
                                    timeText(listing.modifiedUnixSeconds())};
    for (std::string &cell : kernelCells(listing.entry))
      row.push_back(std::move(cell));
    table.addRow(std::move(row));
  }
  print(table.text() + counted(survey->listings.size(), "entry", "entries") +
        ", " + bytesText(double(bytes)) + " in " +
        onOneLine(cache.directory()) + "\n");
  if (const std::string counts = damage->counts(); !counts.empty())
    print(counts + ", of which lintel cache verify says more\n");
  return kSuccess;
}

int showEntry(Cache &cache, const std::string &key, bool asJson) {
  Expected<CacheListing> listing = cache.show(key);
  if (!listing)
    return printError(listing.error());
  if (asJson) {
    print(entryJson(*listing));
    return kSuccess;
  }
  const CacheEntry &entry = listing->entry;
  std::string features;
  for (const std::string &feature : entry.requiredFeatures)
    features += (features.empty() ? "" : " ") + feature;
  Table table("", {});
  table.addRow({"key", listing->hash});
  table.addRow({"size", bytesText(double(listing->bytes)) + ", object " +
                            bytesText(double(listing->objectBytes))});
  table.addRow({"written", timeText(listing->modifiedUnixSeconds())});
  table.addRow({"needs", features});
  table.addRow({"record", entry.record});
  print(table.text() + "identity\n" + withoutControls(entry.keyText) +
        (entry.keyText.ends_with('\n') ? "" : "\n"));
  return kSuccess;
}

int verifyEntries(Cache &cache) {
  Expected<CacheSurvey> survey = cache.survey();
  if (!survey)
    return printError(survey.error());
  Expected<CacheDamage> damage = findDamage(cache, *survey);
  if (!damage)
    return printError(damage.error());
  for (const auto *complaints :
       {&damage->damaged, &damage->unreadable, &damage->peaksOfOtherVersions})
    for (const std::string &complaint : *complaints)
      print(onOneLine(complaint) + "\n");
  if (!damage->damaged.empty())
    print(std::to_string(damage->damaged.size()) +
          " damaged: nothing is taken from them" +
          (damage->hasDamagedEntry
               ? "; tuning a problem again replaces its own entry, lintel "
                 "cache clear removes all entries\n"
               : "\n"));
  if (!damage->unreadable.empty())
    print(std::to_string(damage->unreadable.size()) +
          " unreadable: nothing is taken from them while reading fails\n");
  const size_t peaks = damage->peaksOfOtherVersions.size();
  if (const size_t entries = damage->ofOtherVersions - peaks; entries > 0)
    print(std::to_string(entries) +
          " of another version: left to the Lintel that wrote them; lintel "
          "cache clear removes all entries\n");
  if (peaks > 0)
    print(counted(peaks, "file", "files") +
          " with peaks of another version: left to the Lintel that wrote them; "
          "remove what none needs\n");
  if (damage->movedAside > 0)
    print(std::to_string(damage->movedAside) +
          " moved aside when they were looked for, damaged; lintel cache prune "
          "removes them\n");
  if (!damage->isEmpty())
    return kFailed;
  print(damage->ofOtherVersions > 0 ? "every other entry is readable\n"
                                    : "every entry is readable\n");
  return kSuccess;
}

int removeEntries(Cache &cache, const std::vector<std::string> &keys) {
  int code = kSuccess;
  for (const std::string &key : keys) {
    const Expected<std::vector<std::string>> removed =
        cache.removeEntry(key, layerOfKeyText);
    if (!removed)
      code = printError(removed.error());
    else
      for (const std::string &entry : *removed)
        print("removed " + entry + "\n");
  }
  return code;
}

int pruneEntries(Cache &cache, uint64_t maxBytes) {
  Expected<uint64_t> removed = cache.prune(maxBytes, layerOfKeyText);
  if (!removed)
    return printError(removed.error());
  print("removed " + bytesText(double(*removed)) + "\n");
  return kSuccess;
}

int clearEntries(Cache &cache) {
  Expected<uint64_t> removed = cache.clear();
  if (!removed)
    return printError(removed.error());
  print("removed " + counted(*removed, "entry", "entries") + "\n");
  return kSuccess;
}

int reportNoDirectory(const std::string &directory,
                      const CacheArguments &arguments) {
  if (arguments.show.isChosen() || arguments.rm.isChosen())
    return printError(
        Error(ErrorCode::invalidArgument,
              "no entry " +
                  onOneLine(arguments.rm.isChosen() ? arguments.keys.front()
                                                    : arguments.key) +
                  ": there is no " + onOneLine(directory)));
  if (arguments.json)
    return kSuccess;
  print("0 entries, 0 B in " + onOneLine(directory) + ", which is not there\n");
  return kSuccess;
}

int runCacheCommand(const CacheArguments &arguments) {
  const Expected<CacheLocation> location = locationOfCache();
  if (!location)
    return printError(location.error());
  Expected<std::unique_ptr<Cache>> cache =
      Cache::at(location->directory, location->origin);
  if (!cache)
    return printError(cache.error());
  // To make it is not for who looks at it.
  const Expected<bool> there = (*cache)->isThere();
  if (!there)
    return printError(there.error());
  if (!*there)
    return reportNoDirectory(location->directory, arguments);
  if (arguments.ls.isChosen())
    return listEntries(**cache, arguments.json);
  if (arguments.show.isChosen())
    return showEntry(**cache, arguments.key, arguments.json);
  if (arguments.verify.isChosen())
    return verifyEntries(**cache);
  if (arguments.rm.isChosen())
    return removeEntries(**cache, arguments.keys);
  if (arguments.prune.isChosen())
    return pruneEntries(**cache, arguments.mostBytes);
  return clearEntries(**cache);
}

} // namespace

Command makeCacheCommand(CommandParser program) {
  CommandParser parser =
      program.addCommand("cache", "look at and clean the kernels on disk");
  parser.requireCommand();
  auto arguments = std::make_shared<CacheArguments>(CacheArguments{
      parser.addCommand("ls", "list the entries, newest first"),
      parser.addCommand("show", "print one entry"),
      parser.addCommand("verify", "read every entry; exit 1 if one is damaged"),
      parser.addCommand("rm", "remove these entries, of a dynamic layer all"),
      parser.addCommand("prune", "remove damaged entries, then the oldest"),
      parser.addCommand("clear", "remove every entry")});
  arguments->show
      .addText("key", arguments->key,
               "its key, or the first digits of it (at least 4)")
      .takes("KEY")
      .required();
  arguments->rm
      .addTexts("keys", arguments->keys,
                "their keys, or the first digits of each (at least 4)")
      .takes("KEY...")
      .required();
  arguments->ls.addFlag("--json", arguments->json,
                        "one JSON object an entry, a line each");
  arguments->show.addFlag("--json", arguments->json, "one JSON object");
  arguments->prune
      .addValue(
          "--max-size",
          [arguments](const std::string &text) {
            return store(parseByteSize(text), arguments->mostBytes);
          },
          "what may remain: bytes, or with K, M or G (powers of 1024)")
      .takes("BYTES")
      .required();
  return {parser, [arguments] { return runCacheCommand(*arguments); }};
}

} // namespace lintel::tool
