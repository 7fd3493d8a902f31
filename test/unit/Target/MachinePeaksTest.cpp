// Measured peaks as text: one spelling, and nothing else is taken.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/MachinePeaks.h"

#include "Target/Fingerprint.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;

namespace {

MachinePeaks example() {
  MachinePeaks peaks;
  peaks.machine = "isa=avx512,cores=2,cpu=AMD EPYC";
  peaks.measuredUnixSeconds = 1764000000;
  peaks.put({2,
             {{{236.5, 230}, {}, {473, 472}}},
             {440, 430},
             {230, 229.25},
             {150, 140},
             {40, 30},
             1763000000});
  peaks.put(
      {1, {{{118.25, 118}}}, {220, 219}, {117, 116}, {86, 85}, {}, 1764000000});
  return peaks;
}

TEST(MachinePeaksTest, RowsAreInOrderAndReplaced) {
  MachinePeaks peaks = example();
  ASSERT_EQ(peaks.rows.size(), 2u);
  EXPECT_EQ(peaks.rows[0].threads, 1);
  ASSERT_TRUE(peaks.of(2));
  EXPECT_EQ(peaks.of(2)->gflops(ProductInstruction::fma).best, 236.5);
  EXPECT_EQ(peaks.of(2)->gflops(ProductInstruction::vdpbf16ps).best, 473);
  EXPECT_FALSE(peaks.of(3));
  peaks.put({2, {{{240, 239}}}, {}, {}, {}, {}});
  ASSERT_EQ(peaks.rows.size(), 2u);
  EXPECT_EQ(peaks.of(2)->gflops(ProductInstruction::fma).best, 240);
}

TEST(MachinePeaksTest, TextComesBack) {
  const MachinePeaks peaks = example();
  EXPECT_THAT(peaks.text(), HasSubstr("\nthreads=2 measured=1763000000 fma="));
  EXPECT_THAT(
      peaks.text(),
      HasSubstr(
          "\nthreads=1 measured=1764000000 fma=118.250/118.000 "
          "vfmadd231ph=0.000/0.000 "
          "vdpbf16ps=0.000/0.000 vpmaddwd=0.000/0.000 "
          "vpmaddubsw=0.000/0.000 "
          "vpdpbusd=0.000/0.000 tdpbf16ps=0.000/0.000 tdpfp16ps=0.000/0.000 "
          "tdpbusd=0.000/0.000 "
          "l1=220.000/219.000 l2=117.000/116.000 l3=86.000/85.000 "
          "memory=0.000/0.000\n"));
  Expected<MachinePeaks> read = MachinePeaks::parse(peaks.text());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, peaks);
}

TEST(MachinePeaksTest, NoNumberIsWrittenThatCouldNotBeRead) {
  MachinePeaks peaks = example();
  peaks.put({1, {{{HUGE_VAL, NAN}}}, {-1, -1}, {1e300, 1}, {1e-9, 1e-9}, {}});
  Expected<MachinePeaks> read = MachinePeaks::parse(peaks.text());
  ASSERT_TRUE(read) << peaks.text();
  EXPECT_EQ(read->text(), peaks.text());
}

TEST(MachinePeaksTest, AnotherVersionIsNotDamage) {
  // Versions 1 and 2 had the peaks of fewer instructions, 3 read in fewer
  // streams, 4 multiplied tiles with all registers in use, 5 had none of
  // vpmaddwd, 6 none of vpmaddubsw, 7 one time for all rows, 8 a file's name
  // without its version.
  for (const char *version : {"1", "2", "3", "4", "5", "6", "7", "8", "10"}) {
    std::string text = example().text();
    text.replace(text.find(" 9\n") + 1, 1, version);
    Expected<MachinePeaks> read = MachinePeaks::parse(text);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), ErrorCode::unsupported);
    EXPECT_THAT(read.error().message(),
                HasSubstr("version '" + std::string(version) + "'"));
  }
}

TEST(MachinePeaksTest, EveryCutIsRefused) {
  const std::string text = example().text();
  const size_t firstRow = text.find("threads=1"),
               secondRow = text.find("threads=2");
  for (size_t length = 0; length < text.size(); ++length)
    // A text that ends between rows is whole; the file's digest tells.
    EXPECT_EQ(bool(MachinePeaks::parse(text.substr(0, length))),
              length == firstRow || length == secondRow)
        << length;
}

TEST(MachinePeaksTest, OtherSpellingsAndNonsenseAreRefused) {
  const std::string text = example().text();
  const auto with = [&](std::string_view what, std::string_view instead) {
    std::string changed = text;
    const size_t at = changed.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    changed.replace(at, what.size(), instead);
    return changed;
  };
  for (const std::string &bad : {
           text + "\n",
           text + "threads=2",
           with("threads=1", "threads=3"), // out of order
           with("threads=1", "threads=2"), // twice
           with("threads=1", "threads=0"),
           with("threads=1", "threads=-1"),
           with("threads=1", "threads=99999999999"),
           with("118.250", "118.25"),
           with("118.250", "+118.250"),
           with("118.250", "117.250"), // below the median
           with("118.250", "nan"),
           with("118.250", "inf"),
           with("118.250", "1e99"),
           with("118.250/118.000", "118.250/0.000"),
           with("118.250/118.000", "-118.250/-118.000"),
           with("measured 17", "measured -17"),
           with("measured 17", "measured 017"),
           with("measured=1764", "measured=-1764"),
           with("measured=1764", "measured=01764"),
           with(" measured=1764000000", ""),
           with(" l2=", " L2="),
           with(" vdpbf16ps=473.000/472.000", ""),
           with("vpdpbusd", "vpdpbusds"),
           with("lintel-peaks", "lintel-peak"),
           with("machine ", "machine\t"),
       }) {
    Expected<MachinePeaks> read = MachinePeaks::parse(bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().code(), ErrorCode::corrupt);
  }
}

TEST(MachinePeaksTest, ARateIsTheBestAndTheMiddleSample) {
  EXPECT_EQ(Rate::of({}), Rate());
  EXPECT_EQ(Rate::of({3}), (Rate{3, 3}));
  EXPECT_EQ(Rate::of({5, 1, 2, 9, 3}), (Rate{9, 3}));
}

TEST(FingerprintTest, TellsMachinesApart) {
  HostFacts facts;
  facts.model = "AMD EPYC, some";
  facts.family = 25;
  facts.familyModel = 17;
  Target target;
  target.isa = IsaLevel::avx2;
  target.cores = 2;
  const std::string machine = machineFingerprint(facts, target);
  EXPECT_EQ(machine, "isa=avx2,cores=2,l1=32768,l2=1048576,l3=16777216,"
                     "family=25,model=17,cpu=AMD EPYC, some");
  EXPECT_EQ(machineFingerprint(facts, target), machine);

  const auto differs = [&](const HostFacts &otherFacts,
                           const Target &otherTarget) {
    return machineFingerprint(otherFacts, otherTarget) != machine;
  };
  Target other = target;
  other.isa = IsaLevel::avx512;
  EXPECT_TRUE(differs(facts, other));
  other = target;
  other.cores = 1;
  EXPECT_TRUE(differs(facts, other));
  other = target;
  other.l3 *= 2;
  EXPECT_TRUE(differs(facts, other));
  HostFacts otherFacts = facts;
  otherFacts.familyModel = 1;
  EXPECT_TRUE(differs(otherFacts, target));
  otherFacts = facts;
  otherFacts.model = "AMD EPYC, another";
  EXPECT_TRUE(differs(otherFacts, target));
}

/// Peaks are measured on the CPU, which emulation does not change.
TEST(FingerprintTest, IsTheSameWhateverIsEmulated) {
  HostFacts facts;
  facts.model = "AMD EPYC";
  for (IsaLevel isa : {IsaLevel::avx2, IsaLevel::avx512}) {
    Target host;
    host.isa = isa;
    const Expected<Target> emulating = withEmulatedAmx(host);
    ASSERT_TRUE(emulating) << emulating.error().message();
    ASSERT_TRUE(emulating->emulatesTiles());
    EXPECT_EQ(emulating->emulatesVectors(), isa == IsaLevel::avx2);
    EXPECT_EQ(machineFingerprint(facts, *emulating),
              machineFingerprint(facts, host));
  }
}

TEST(FingerprintTest, IsOneLineWhateverTheBrandSays) {
  HostFacts facts;
  facts.model = "a\nb\xff\x01";
  const std::string machine = machineFingerprint(facts, Target());
  EXPECT_THAT(machine, HasSubstr("cpu=a?b??"));
  EXPECT_THAT(machine, Not(HasSubstr("\n")));
}

TEST(FingerprintTest, TheHostHasAFamily) {
  EXPECT_GT(readHostFacts().family, 0);
}

} // namespace
