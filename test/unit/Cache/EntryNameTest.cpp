// Names of files in a cache directory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cache/EntryName.h"

#include <gtest/gtest.h>

namespace lintel {
namespace {

const std::string kHash = "0123456789abcdef0123456789abcdef";

TEST(EntryName, NamesAreRecognisedAsWhatTheyAre) {
  EXPECT_EQ(entryName(kHash), kHash + ".lintel");
  EXPECT_EQ(kindOfFile(entryName(kHash)), FileKind::entry);
  EXPECT_EQ(hashInName(entryName(kHash)), kHash);
  EXPECT_EQ(quarantineName(entryName(kHash)), kHash + ".lintel.bad");
  EXPECT_EQ(kindOfFile(quarantineName(entryName(kHash))),
            FileKind::quarantined);
  EXPECT_EQ(temporaryName(kHash, 0xbeef), kHash + ".000000000000beef.tmp");
  EXPECT_EQ(temporaryName(kHash, UINT64_MAX), kHash + ".ffffffffffffffff.tmp");
  EXPECT_EQ(kindOfFile(temporaryName(kHash, 7)), FileKind::temporary);
  EXPECT_EQ(peaksName(kHash, "9"), kHash + ".9.peaks");
  EXPECT_EQ(kindOfFile(peaksName(kHash, "10")), FileKind::peaks);
  EXPECT_EQ(hashInName(peaksName(kHash, "10")), kHash);
  EXPECT_EQ(kindOfFile(kHash + ".peaks"), FileKind::peaks);
}

TEST(EntryName, EverythingElseIsForeign) {
  for (const std::string &name : {std::string(),
                                  std::string("."),
                                  std::string(".."),
                                  std::string("README"),
                                  kHash,
                                  kHash + ".",
                                  kHash + ".tmp",
                                  kHash + ".lintel2",
                                  kHash + ".lintelx",
                                  kHash + ".lintel.bad2",
                                  kHash + "0.lintel",
                                  kHash + "/x.lintel",
                                  kHash.substr(1) + ".lintel",
                                  "G" + kHash.substr(1) + ".lintel",
                                  "A" + kHash.substr(1) + ".lintel",
                                  kHash + "..peaks",
                                  kHash + ".x.peaks",
                                  kHash + "9.peaks",
                                  kHash + ".9.9.peaks",
                                  kHash + ".000000000000beeg.tmp",
                                  kHash + ".00000000000beef.tmp",
                                  kHash + "x000000000000beef.tmp",
                                  kHash + ".000000000000beef.tmq",
                                  std::string(".lintel")})
    EXPECT_EQ(kindOfFile(name), FileKind::foreign) << name;
}

TEST(EntryName, LowerHex) {
  EXPECT_TRUE(isLowerHex("09af"));
  EXPECT_FALSE(isLowerHex("09aF"));
  EXPECT_FALSE(isLowerHex("09ag"));
}

} // namespace
} // namespace lintel
