// Rows of x that are transposed or widened as they are packed, and broadcast by
// multiply-adds: strips of every height, any K, blocks of any depth, every
// type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "Schedule/Legality.h"
#include "Schedule/RegisterTiles.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

class PackedRowsTest : public KernelTest {
protected:
  /// One vector wide, where there are registers for strips of nine rows.
  Schedule tile(int64_t rows) const {
    Schedule schedule = Schedule::parse("tile=1x16,pack=block").value();
    schedule.mr = rows;
    schedule.nr = target.lanes();
    schedule.group = depthOfLane(types.weight, target, accumulate());
    schedule.accumulate = accumulate();
    return schedule;
  }

  void check(const Problem &problem, int64_t rows) {
    constexpr int64_t kHeights[] = {3, 4, 5, 7, 8, 9};
    const int64_t tallest = maxTileRows(types.weight, target, 1, accumulate());
    std::vector<Schedule> codes;
    for (size_t i = 0; i < std::size(kHeights); ++i)
      if (takes(i) && kHeights[i] <= tallest)
        codes.push_back(tile(kHeights[i]));
    ASSERT_FALSE(codes.empty());
    // Packed once for all of K rows are not widened.
    codes.push_back(codes.back());
    codes.back().pack = PackA::whole;
    checkInAwkwardBlockings(codes, problem, rows);
  }
};

// Strips of as many rows as the tile has, and of one less. Rows and elements of
// K that are transposed together divide the first, are done twice at the ends
// of the second, and are more than the third has.
TEST_P(PackedRowsTest, OfWholeGroups) { check(problem(72, 20, 64), 72); }
TEST_P(PackedRowsTest, OfGroupsThatOverlap) { check(problem(41, 20, 77), 41); }
TEST_P(PackedRowsTest, OfLessThanAGroup) { check(problem(17, 20, 3), 17); }
TEST_P(PackedRowsTest, OfHalfAGroupMore) { check(problem(23, 20, 70), 23); }
TEST_P(PackedRowsTest, OfAnyNumber) {
  for (int64_t rows : {1, 4, 30})
    check(problem(std::nullopt, 20, 35), rows);
}
TEST_P(PackedRowsTest, WithoutAnyDepth) { check(problem(9, 20, 0), 9); }

LINTEL_ON(allKernels(), PackedRowsTest);
LINTEL_ON_NARROW_TYPES(PackedRowsTest);
LINTEL_ON_INTEGERS(PackedRowsTest);

class EmbeddedRowsTest : public KernelTest {
protected:
  /// Some rows and all of them, of tiles of two and three vectors, the epilogue
  /// in registers and on a tile, the panels asked for or not.
  void check(const Problem &problem, int64_t rows) {
    std::vector<Schedule> codes;
    for (const char *text :
         {"tile=14x32,embed=9", "tile=5x48,embed=5,prefetch=512,share=1",
          "tile=9x48,embed=4,epilogue=tile,share=3"})
      codes.push_back(
          Schedule::parse("pack=block," + std::string(text)).value());
    checkInAwkwardBlockings(codes, problem, rows);
  }
};

TEST_P(EmbeddedRowsTest, OfSomeStrips) { check(problem(33, 133, 71), 33); }
TEST_P(EmbeddedRowsTest, OfOneStrip) { check(problem(4, 70, 200), 4); }
TEST_P(EmbeddedRowsTest, OfManyStrips) { check(problem(150, 40, 5), 150); }
TEST_P(EmbeddedRowsTest, OfAnyNumberOfStrips) {
  for (int64_t rows : {1, 13, 40})
    check(problem(std::nullopt, 37, 66), rows);
}
TEST_P(EmbeddedRowsTest, WithoutAnyDepth) { check(problem(5, 33, 0), 5); }

std::vector<KernelCase> kernelsWithMaskRegisters() {
  std::vector<KernelCase> cases = allKernels();
  std::erase_if(
      cases, [](const KernelCase &one) { return one.isa != IsaLevel::avx512; });
  return cases;
}

LINTEL_ON(kernelsWithMaskRegisters(), EmbeddedRowsTest);

/// Of panels that were widened, rows lie as far apart as all of K is deep.
class EmbeddedWidenedRowsTest : public KernelTest {};

/// Three strips of 11, and two of 11 and one of 12.
TEST_P(EmbeddedWidenedRowsTest, OfSomeStrips) {
  for (int64_t rows : {33, 34}) {
    const Problem layer = problem(rows, 70, 71);
    Schedule schedule = Schedule::parse("tile=14x32,embed=9,pack=block,"
                                        "widen=panel,tiles=nm,mc=20,nc=64")
                            .value();
    schedule.group = interleaveOf(layer.types().weight);
    ASSERT_TRUE(checkSchedule(schedule, layer, target));
    const Workload workload(layer, rows, Fill::exact, /*seed=*/113);
    GuardedCall call(workload, rows, {.offset = 1});
    right(call, schedule);
  }
}

std::vector<KernelCase> kernelsThatWiden() {
  std::vector<KernelCase> cases = narrowKernels();
  std::erase_if(cases, [](const KernelCase &one) {
    return one.isa != IsaLevel::avx512 ||
           one.extensions.contains(Extension::avx512Bf16);
  });
  return cases;
}

LINTEL_ON(kernelsThatWiden(), EmbeddedWidenedRowsTest);

} // namespace
