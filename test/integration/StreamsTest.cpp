// K read in several places at once: any K, any number of places, every type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Blockings.h"
#include "KernelTest.h"

using namespace lintel;
using namespace lintel::integration;

namespace {

class StreamsTest : public KernelTest {
protected:
  /// Narrow and wide tiles, rows in place and packed, the epilogue in registers
  /// and on a tile.
  std::vector<Schedule> codes(const Problem &problem, int64_t streams) const {
    const DType weight = problem.types().weight;
    std::vector<Schedule> codes;
    for (const char *rest :
         {"", ",pack=block,ahead=2048", ",epilogue=tile,prefetch=512"})
      for (int64_t vectors : {1, 2}) {
        Schedule schedule =
            Schedule::parse(std::string("tile=2x16") + rest).value();
        schedule.nr = vectors * target.lanes();
        schedule.group = depthOfLane(weight, target, Accumulate::f32);
        schedule.streams = streams;
        codes.push_back(schedule);
      }
    return codes;
  }

  void check(const Problem &problem, int64_t rows) {
    constexpr int64_t kStreams[] = {2, 3, 8, 16};
    for (size_t i = 0; i < std::size(kStreams); ++i)
      if (takes(i))
        checkInAwkwardBlockings(codes(problem, kStreams[i]), problem, rows);
  }
};

// As deep as streams of whole steps, a little deeper, and too shallow for any.
TEST_P(StreamsTest, OfWholeSteps) { check(problem(3, 33, 192), 3); }
TEST_P(StreamsTest, WithARestOfSteps) { check(problem(3, 33, 207), 3); }
TEST_P(StreamsTest, WithoutASingleStep) { check(problem(3, 33, 1), 3); }
TEST_P(StreamsTest, WithoutAnyDepth) { check(problem(3, 33, 0), 3); }

LINTEL_ON(allKernels(), StreamsTest);
LINTEL_ON_SOME_NARROW_TYPES(StreamsTest);
LINTEL_ON_INTEGERS(StreamsTest);

/// Tiles that ask for the next panel in several places: of one strip and of
/// several, for one line of each and for more.
class TileStreamsTest : public KernelTest {
protected:
  void check(const Problem &problem, int64_t rows) {
    std::vector<Schedule> codes;
    for (const char *text :
         {"tile=32x32,streams=8,prefetch=512,epilogue=tile",
          "tile=16x48,streams=2,prefetch=768,epilogue=tile",
          "tile=16x16,streams=16,prefetch=1024,epilogue=next"}) {
      codes.push_back(Schedule::parse(std::string("unit=amx,") + text).value());
      placeOnTiles(codes.back(), problem.types().weight, target);
    }
    checkInAwkwardBlockings(codes, problem, rows);
  }
};

TEST_P(TileStreamsTest, OfOneStrip) { check(problem(5, 70, 192), 5); }
TEST_P(TileStreamsTest, OfSeveralStrips) { check(problem(70, 100, 207), 70); }
TEST_P(TileStreamsTest, WithoutAnyDepth) { check(problem(5, 33, 0), 5); }

LINTEL_ON_TILE_REGISTERS(TileStreamsTest);

} // namespace
