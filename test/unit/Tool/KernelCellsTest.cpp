// What a line of `lintel cache ls` says of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelCells.h"

#include "Codegen/Compiler.h"
#include "Engine/KernelKey.h"
#include "Engine/TuningRecord.h"
#include "Lintel/KernelABI.h"

#include <gmock/gmock.h>

using namespace lintel;
using namespace lintel::tool;
using testing::ElementsAre;

namespace {

TuningRecord record() {
  TuningRecord made;
  made.report.problem = "24x32:32x48 bias";
  made.report.threads = 2;
  made.report.isa = "avx2";
  made.report.medianMicroseconds = 2500;
  return made;
}

CacheEntry entryOf(const TuningRecord &record) {
  CacheEntry entry;
  entry.record = record.encode();
  entry.keyText =
      kernelKey({.problem = Problem::parse("24x32:32x48 bias").value(),
                 .target = {},
                 .codegenVersion = codegenVersion(),
                 .kernelAbiVersion = kKernelAbiVersion})
          .text();
  return entry;
}

TEST(KernelCellsTest, SayWhatItComputesAndHowFast) {
  EXPECT_THAT(
      kernelCells(entryOf(record())),
      ElementsAre("2.5000 ms", "avx2 threads=2", "f32", "24x32:32x48 bias"));
}

TEST(KernelCellsTest, EndInWhatSpeaksAgainstTheChoice) {
  TuningRecord doubtful = record();
  doubtful.report.noisy = true;
  EXPECT_EQ(kernelCells(entryOf(doubtful)).back(), "noisy");
  doubtful.report.interrupted = true;
  EXPECT_THAT(kernelCells(entryOf(doubtful)),
              ElementsAre("2.5000 ms", "avx2 threads=2", "f32",
                          "24x32:32x48 bias", "noisy", "interrupted"));
  doubtful.report.noisy = false;
  EXPECT_EQ(kernelCells(entryOf(doubtful)).back(), "interrupted");
}

TEST(KernelCellsTest, SayWhatThisBuildCannotFind) {
  CacheEntry entry = entryOf(record());
  entry.keyText = CacheKey({{"codegen", "llvm-1"}}).text();
  EXPECT_EQ(kernelCells(entry).back(), "of another build");
}

TEST(KernelCellsTest, ARecordThatCannotBeReadIsNamed) {
  EXPECT_THAT(kernelCells(CacheEntry()), ElementsAre("unreadable record"));
}

} // namespace
