// Entries of the cache as JSON: what tests of the command do not come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheReport.h"

#include "Engine/TuningRecord.h"

#include "llvm/Support/JSON.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace lintel;
using namespace lintel::tool;

namespace {

CacheListing listing() {
  TuningRecord record;
  record.report.problem = "24x32:32x48 bias";
  record.report.medianMicroseconds = 2.5;
  record.report.noisy = true;
  CacheListing made;
  made.hash = "0123";
  made.bytes = 5000;
  made.modifiedNanoseconds = 1'800'000'000'999'999'999;
  made.entry.record = record.encode();
  made.entry.keyText = CacheKey({{"executor", "callers"}}).text();
  made.entry.requiredFeatures = {"avx2", "fma"};
  made.objectBytes = 4000;
  return made;
}

llvm::json::Object parsed(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  EXPECT_TRUE(bool(value)) << text;
  return value ? *value->getAsObject() : llvm::json::Object();
}

TEST(CacheReportTest, ALineHasTheFileAndTheChoice) {
  const std::string line = listingJson(listing());
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const llvm::json::Object object = parsed(line);
  EXPECT_EQ(object.getString("key"), "0123");
  EXPECT_EQ(object.getInteger("bytes"), 5000);
  EXPECT_EQ(object.getInteger("object_bytes"), 4000);
  EXPECT_EQ(object.getInteger("written"), 1'800'000'000);
  EXPECT_EQ(object.getString("executor"), "callers");
  EXPECT_EQ(object.getString("problem"), "24x32:32x48 bias");
  EXPECT_EQ(object.getNumber("median_us"), 2.5);
  EXPECT_EQ(object.getBoolean("noisy"), true);
  EXPECT_EQ(object.get("identity"), nullptr);
}

TEST(CacheReportTest, AnEntryHasItsRecordAndItsKeyAsWell) {
  const CacheListing whole = listing();
  const llvm::json::Object object = parsed(entryJson(whole));
  EXPECT_EQ(object.getString("identity"), whole.entry.keyText);
  EXPECT_EQ(object.getArray("needs")->size(), 2u);
  EXPECT_EQ(
      object.getObject("record")->getObject("report")->getString("problem"),
      "24x32:32x48 bias");
}

/// Which may hold any bytes.
TEST(CacheReportTest, ARecordThatCannotBeReadIsLeftOut) {
  CacheListing broken = listing();
  broken.entry.record = "{\"record\":1}}\xff";
  const llvm::json::Object object = parsed(entryJson(broken));
  EXPECT_TRUE(object.getString("error"));
  EXPECT_EQ(object.get("record"), nullptr);
  EXPECT_EQ(object.get("problem"), nullptr);
}

} // namespace
