// What the estimate knows about a core and its caches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Schedule/CoreModel.h"

namespace lintel {

/// What another hyperthread leaves of the multiply-adds of a core, whatever the
/// count of instructions: k loops on Emerald Rapids of 9x48, 12x32 and 14x32
/// with embedded rows took 1.21 to 1.27 times as long in busy milliseconds as
/// in quiet ones (decision 113).
static constexpr double kLeftOfProducts = 1 / 1.2;
/// What it leaves of `vectorLoads`: layers in f32 on tiles of 22x16 to 28x16
/// took 1.07 to 1.21 times as long as on wider ones in quiet minutes, 1.44 to
/// 1.56 times in busy ones (decision 114).
static constexpr double kLeftOfLoads = 0.65;
/// What it leaves of what L3 and memory deliver: a guess.
static constexpr double kLeftFromAfar = 0.5;

/// Zen 3 in four streams of one row takes 0.77 of the time that one stream
/// does, in eight 0.84; asked for ahead 1.23 into L2 and 1.28 into L1 (K and N
/// of 4096 in f32, one thread; two gain half of that; decision 127). Panels of
/// 1x256:256x128 took 0.88 of that time in two streams, of two pages each.
static constexpr StreamReading kReadingOfZen3 = {.streams = 4,
                                                 .streamsOfShallow = 2,
                                                 .mostRowsUnasked = 8,
                                                 .fewestRowsAskedIntoL2 = 6,
                                                 .mostRowsAskedIntoL1 = 0,
                                                 .mostRowsAskedFarIntoL1 = 0,
                                                 .placesFollowed = 12};

/// Zen 3 as it was met, on virtual machines alone, where another tenant has
/// half of the six instructions a cycle that a core takes, and such loops leave
/// the caches time: of 17 schedules each of six layers in f32, one thread, the
/// one put first is 4.4 % behind the best with this, 14.8 % with the figures of
/// a core of one's own. Of 32 MiB of L3 rows of 2.7 MB were found again, and
/// those of 4.0 MB not; with that 2.0 % (decision 128). Zen 1 and 2 are taken
/// for as busy.
static CoreModel besideTenants(CoreModel core) {
  core.uops = 3;
  core.memory = 6;
  core.shareOfL3 = 0.12;
  core.mostUnhidden = 0.1;
  return core;
}

static bool isOneOfFirstZens(const Target &target) {
  return target.isa == IsaLevel::avx2 &&
         (target.cpu == "znver1" || target.cpu == "znver2" ||
          target.cpu == "znver3");
}

CoreModel CoreModel::of(const Target &target) {
  CoreModel core;
  core.vectorBytes = static_cast<double>(target.vectorBytes());
  // CPUs with tile registers have larger L2 caches, and an L3 cache on a mesh
  // that is hardly faster than memory (Emerald Rapids: 136, 16, 17 and 138
  // GB/s).
  if (target.has(Extension::amxTile)) {
    core.l2 = 45;
    core.l3 = core.memory = 6;
    core.allMemory = 46;
  }
  if (target.cpu.starts_with("znver")) {
    core.uops = 6;
    core.rowsReadUnasked = 1;
  } else if (target.isa >= IsaLevel::avx512) {
    // Measured on Emerald Rapids alone.
    core.reading.streams = 8;
    core.vectorLoads = 1.75;
    core.uopsBesideHyperthread = 2.7;
  }
  if (isOneOfFirstZens(target)) {
    core = besideTenants(core);
    core.reading = kReadingOfZen3;
  }
  if (target.cpu == "znver4") {
    core.rowsReadUnasked = 5; // measured with avx512
    // Which runs on 256-bit units.
    if (target.isa >= IsaLevel::avx512)
      core.fmas = core.vectorLoads = 1;
  }
  // Loads alone draw 63 bytes from L2 and 29 from L3 a cycle on servers; beside
  // products less. Versions of it for laptops, whose units are those of Zen 4,
  // have the same name.
  if (target.cpu == "znver5") {
    core.uops = 8;
    core.l2 = 56;
    core.l3 = 22;
  }
  // Without FMA the multiply and the add of most cores share two ports.
  if (!target.hasFma())
    core.fmas = 1;
  return core;
}

CoreModel CoreModel::besideHyperthread() const {
  CoreModel busy = *this;
  if (uopsBesideHyperthread > 0) {
    busy.uops = uopsBesideHyperthread;
    busy.fmas *= kLeftOfProducts;
    busy.vectorLoads *= kLeftOfLoads;
    busy.l3 *= kLeftFromAfar;
    busy.memory *= kLeftFromAfar;
    busy.allMemory *= kLeftFromAfar;
  }
  return busy;
}

} // namespace lintel
