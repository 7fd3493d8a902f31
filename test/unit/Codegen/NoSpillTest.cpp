// No register tile of the search space spills in its k loop, on any target.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/Prefetching.h"
#include "Schedule/SearchSpace.h"
#include "Schedule/VectorSchedules.h"
#include "unit/Codegen/AssemblyText.h"
#include "unit/Codegen/Machines.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <set>

using namespace lintel;

namespace {

struct Machine {
  IsaLevel isa;
  const char *cpu; ///< the scheduling model decides about spills too
  const char *types = "f32";
  std::set<Extension> extensions = {};
  /// GoogleTest would show its bytes, which differ from run to run.
  friend void PrintTo(const Machine &machine, std::ostream *stream) {
    *stream << machine.cpu << " " << machine.types;
  }
};

/// For which numbers of rows there are micro-kernels.
enum class Heights {
  all,    ///< from the fewest rows up to the tile's, as a dynamic M has
  tallest ///< the tile's
};

std::string nameOf(const ::testing::TestParamInfo<Machine> &info) {
  const Machine &machine = info.param;
  std::string name = std::string(toString(machine.isa)) + "_" + machine.cpu +
                     "_" + machine.types;
  for (char separator : {':', ',', '='})
    std::ranges::replace(name, separator, '_');
  for (Extension extension : machine.extensions)
    name += "_" + std::string(toString(extension));
  return name;
}

/// What code that differs from others in its registers is made of.
struct Panel {
  PanelShape shape;
  Accumulate accumulate;
  int64_t streams;
  Widen widen;
  friend auto operator<=>(const Panel &, const Panel &) = default;
};

struct Tile {
  int64_t mr = 0;
  int64_t fewestRows = std::numeric_limits<int64_t>::max();
  bool shares = false; ///< whether some ask for the next panel
};

/// For each panel width that enumerateSchedules uses, over shapes that reach
/// all of its tiles: the tallest tile.
std::map<Panel, Tile> tallestTiles(const Target &target,
                                   const DataTypes &types) {
  std::map<Panel, Tile> tallest;
  for (const char *shape :
       {"?x64:64x1024", "1x768:768x3072", "5x33:33x7", "17x100:100x120",
        "128x256:256x96", "224x64:64x16", "4x2048:2048x1024",
        "6x2048:2048x1024", "8x2048:2048x1024", "16x2048:2048x1024",
        "224x2048:2048x1024", "1..8x2048:2048x1024", "1x300:300x3072",
        "2..7x300:300x3072", "1..8x300:300x3072", "1x700:700x3072",
        "2..7x700:700x3072", "1..8x700:700x3072"}) {
    const Problem problem = *Problem::parse(shape, types);
    for (const Schedule &schedule : enumerateSchedules(problem, target, 1)) {
      Tile &tile = tallest[{schedule.panel(), schedule.accumulate,
                            schedule.streams, schedule.widen}];
      tile.mr = std::max(tile.mr, schedule.mr);
      tile.fewestRows =
          std::min(tile.fewestRows,
                   std::clamp<int64_t>(problem.rows().least, 1, schedule.mr));
      tile.shares |= schedule.share > 0;
    }
  }
  return tallest;
}

class NoSpill : public ::testing::TestWithParam<Machine> {
protected:
  void SetUp() override {
    target.isa = GetParam().isa;
    target.cpu = GetParam().cpu;
    target.extensions = GetParam().extensions;
    types = *DataTypes::parse(GetParam().types);
    compiler = std::move(*Compiler::create(target));
  }

  /// Where K takes few steps LLVM optimizes micro-kernels, where it takes many
  /// it is to leave most of them alone. One kernel of all heights covers every
  /// lower tile of that width, but for those whose turns take fewer steps.
  void check(const Schedule &schedule, int64_t fewestRows,
             const std::string &epilogue, Heights heights) {
    const std::string code = schedule.code().text() + " " + epilogue;
    const std::string most = std::to_string(schedule.mr);
    const std::string rows = heights == Heights::all
                                 ? std::to_string(fewestRows) + ".." + most
                                 : most;
    auto few = compiler->compile(
        *Problem::parse(rows + "x32:32x1000 " + epilogue, types), schedule);
    ASSERT_TRUE(few) << code << ": " << few.error().message();
    EXPECT_EQ(few->loopSpills, 0) << code << ", K = 32";
    auto many = compiler->explain(
        *Problem::parse(rows + "x256:256x1000 " + epilogue, types), schedule,
        Forms::assembly);
    ASSERT_TRUE(many) << code << ": " << many.error().message();
    EXPECT_EQ(many->loopSpills, 0) << code << ", K = 256";
    ASSERT_EQ(many->stages.back().stage, "assembly");
    EXPECT_EQ(checkAssembly(many->stages.back().text, schedule, code),
              heights == Heights::all ? schedule.mr - fewestRows + 1 : 1)
        << code;
  }

  /// Returns the number of micro-kernels.
  int64_t checkAssembly(const std::string &assembly, const Schedule &schedule,
                        const std::string &what) const {
    const bool leavesSome =
        stepsOf(schedule) > 1 && schedule.depth() == Depth::cut;
    int64_t microkernels = 0;
    for (const AssemblyFunction &function : functionsOf(assembly)) {
      if (function.name.find("_microkernel_") == std::string::npos)
        continue;
      ++microkernels;
      auto loops = loopsOf(function);
      // Runs of K are a loop around that over k, with several jumps back;
      // streams leave some of K to a second one, as do turns of two steps of a
      // depth that is an argument.
      if (schedule.sumsRunsInHalf())
        EXPECT_GE(loops.size(), 2u) << what << ", " << function.name;
      else if (schedule.streams > 1)
        EXPECT_GE(loops.size(), 1u) << what << ", " << function.name;
      else
        EXPECT_EQ(loops.size(), leavesSome ? 2u : 1u)
            << what << ", " << function.name;
      for (const AssemblyLines &loop : loops)
        for (const std::string &line : loop)
          EXPECT_FALSE(touchesStackWithVector(line))
              << what << ", " << function.name << ":" << line;
    }
    return microkernels;
  }

  int64_t stepsOf(const Schedule &schedule) const {
    return stepsOfTurn(schedule, schedule.typeOfPanels(types.weight), target);
  }

  /// Where other code takes more registers, the tallest tile has the fewest
  /// left.
  void checkTile(Schedule schedule, const Tile &tile) {
    if (schedule.vectorsAlongK(types.weight)) {
      schedule.epilogue = EpiloguePlacement::tile;
      check(schedule, tile.fewestRows, "bias+relu", Heights::all);
      return;
    }
    if (schedule.sumsRunsInHalf())
      schedule.epilogue = EpiloguePlacement::tile;
    // Asking for all of the next panel takes more registers than not asking.
    if (tile.shares)
      schedule.share = linesOfTurn(schedule, types.weight, target);
    if (schedule.widensPanels()) {
      schedule.pack = PackA::block;
      schedule.tiles = LoopOrder::nm;
    }
    check(schedule, tile.fewestRows, "bias+relu", Heights::all);
    schedule.pack = PackA::block;
    schedule.epilogue = EpiloguePlacement::tile;
    if (!schedule.takesWholeDepth(types.weight))
      schedule.kc = 16;
    check(schedule, tile.fewestRows, "none", Heights::tallest);
    // With a pointer for each vector there are fewer registers for the rest.
    schedule.prefetch = 8192;
    schedule.embed = rowsToEmbed(schedule, types, target);
    if (schedule.embed == 0)
      return;
    check(schedule, tile.fewestRows, "none", Heights::tallest);
    schedule.epilogue = EpiloguePlacement::registers;
    schedule.kc = Schedule::kWhole;
    check(schedule, tile.fewestRows, "bias+relu", Heights::tallest);
  }

  Target target;
  DataTypes types;
  std::unique_ptr<Compiler> compiler;
};

TEST_P(NoSpill, EveryTile) {
  auto tiles = tallestTiles(target, types);
  ASSERT_GE(tiles.size(), 2u) << "the space has become suspiciously small";
  for (auto [panel, tile] : tiles) {
    Schedule schedule;
    schedule.mr = tile.mr;
    schedule.nr = panel.shape.columns;
    schedule.group = panel.shape.group;
    schedule.accumulate = panel.accumulate;
    schedule.streams = panel.streams;
    schedule.widen = panel.widen;
    schedule.ahead = panel.streams > 1 ? 2048 : 0;
    schedule.kc = Schedule::kWhole;
    schedule.mc = 64; // keeps the workspace bounded for any M
    checkTile(schedule, tile);
    if (stepsOf(schedule) == 1)
      continue;
    while (stepsOf(schedule) > 1 && schedule.mr > tile.fewestRows)
      --schedule.mr;
    checkTile(schedule, tile);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Machines, NoSpill,
    ::testing::Values(
        Machine{IsaLevel::x86_64, "generic"},
        Machine{IsaLevel::avx2, "generic"}, Machine{IsaLevel::avx2, "haswell"},
        Machine{IsaLevel::avx2, "znver3"}, Machine{IsaLevel::avx512, "generic"},
        Machine{IsaLevel::avx512, "znver4"},
        Machine{IsaLevel::avx512, "znver5"},
        Machine{IsaLevel::avx512, "cascadelake"},
        Machine{IsaLevel::avx512, "sapphirerapids"},
        Machine{IsaLevel::x86_64, "generic", "bf16"},
        Machine{IsaLevel::avx2, "znver3", "bf16"},
        Machine{IsaLevel::avx512, "cascadelake", "bf16"},
        Machine{IsaLevel::avx512, "znver4", "bf16", {Extension::avx512Bf16}},
        Machine{IsaLevel::avx512, "znver5", "bf16", {Extension::avx512Bf16}},
        Machine{IsaLevel::avx512,
                "sapphirerapids",
                "bf16",
                {Extension::avx512Bf16}},
        Machine{IsaLevel::x86_64, "generic", "f16"},
        Machine{IsaLevel::avx2, "haswell", "f16"},
        Machine{IsaLevel::avx2, "znver3", "f16"},
        Machine{IsaLevel::avx512, "znver4", "f16"},
        Machine{IsaLevel::avx512, "znver5", "f16"},
        Machine{IsaLevel::avx512,
                "sapphirerapids",
                "f16,accumulate=f16",
                {Extension::avx512Fp16}},
        Machine{IsaLevel::avx512, "sapphirerapids", "f16"},
        Machine{IsaLevel::x86_64, "generic", "s8s8"},
        Machine{IsaLevel::avx2, "alderlake", "s8s8", {Extension::avxVnni}},
        Machine{IsaLevel::avx2, "haswell", "u8s8:u8"},
        Machine{IsaLevel::avx2, "haswell", "u8s8,accumulate=s16"},
        Machine{IsaLevel::avx2, "znver3", "s8s8"},
        Machine{IsaLevel::avx2, "znver3", "s8s8,accumulate=s16"},
        Machine{IsaLevel::avx512, "cascadelake", "u8s8,accumulate=s16"},
        Machine{IsaLevel::avx512, "cascadelake", "s8s8"},
        Machine{
            IsaLevel::avx512, "cascadelake", "u8s8", {Extension::avx512Vnni}},
        Machine{IsaLevel::avx512, "znver4", "u8s8:u8", {Extension::avx512Vnni}},
        Machine{IsaLevel::avx512, "znver4", "s8s8", {Extension::avx512Vnni}},
        Machine{IsaLevel::avx512, "znver5", "s8s8", {Extension::avx512Vnni}},
        Machine{IsaLevel::avx512,
                "sapphirerapids",
                "s8s8",
                {Extension::avx512Vnni}}),
    nameOf);

} // namespace
