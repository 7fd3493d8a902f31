// The text of schedules and targets, and what is legal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lintel/Schedule.h"
#include "Lintel/Target.h"
#include "Schedule/Legality.h"
#include "Schedule/SearchSpace.h"
#include "Schedule/Workspace.h"
#include "fuzz/Harness.h"
#include "fuzz/Properties.h"
#include "unit/Schedule/TestTargets.h"

namespace lintel::fuzz {
namespace {

const std::vector<Problem> &problems() {
  static const std::vector<Problem> list = {
      problemOf("128x768:768x3072 bias+gelu_erf"),
      problemOf("?x31:31x17"),
      problemOf("1x0:0x5 relu"),
      problemOf("0..9x4096:4096x4096 residual", "bf16"),
      problemOf("2147483648x16:16x16"),
      problemOf("7x1025:1025x65", "f16:f32,accumulate=f16"),
      problemOf("64x256:256x128 bias+quant", "u8s8:u8,accumulate=s16"),
      problemOf("3x8192:8192x8 dequant(x=row,xzero=row)", "s8s8"),
  };
  return list;
}

const std::vector<Target> &targets() {
  static const std::vector<Target> list = {Target(), zen3(), zen4WithQuads(),
                                           sapphireRapids(),
                                           withHalfArithmetic()};
  return list;
}

/// What is legal can be planned for.
void checkLegal(const Schedule &schedule, const Problem &problem,
                const Target &target) {
  const int64_t rows = problem.rows().typical;
  check(workspaceBytesPerThread(schedule, problem, target, rows) >= 0,
        "a workspace has a size", schedule.text());
  const std::optional<Schedule> twin = streamingTwin(schedule, problem, target);
  check(!twin || bool(checkSchedule(*twin, problem, target)),
        "the streaming twin of a legal schedule is legal", schedule.text());
}

void checkLegality(const Schedule &schedule, const Target &target) {
  for (const Problem &problem : problems()) {
    const Status legal = checkSchedule(schedule, problem, target);
    if (!legal)
      checkMessage(legal.error());
    else
      checkLegal(schedule, problem, target);
  }
}

void checkText(const Schedule &schedule) {
  const Expected<Schedule> again = Schedule::parse(schedule.text());
  check(bool(again), "the text of a schedule parses", schedule.text());
  check(*again == schedule, "the text of a schedule reads back equal",
        schedule.text());
  checkSame("the text of a schedule is canonical", again->text(),
            schedule.text());
  check(bool(schedule.check()), "what was parsed is in range", schedule.text());
  check(schedule.code().code() == schedule.code(),
        "the code of a schedule is its own code", schedule.text());
}

void checkText(const Target &target) {
  const Expected<Target> again = Target::parse(target.text());
  check(bool(again), "the text of a target parses", target.text());
  check(*again == target, "the text of a target reads back equal",
        target.text());
  checkSame("the text of a target is canonical", again->text(), target.text());
  check(!target.features().empty(), "a target has features", target.text());
}

/// A schedule on the first line, a target on the second.
void fuzzSchedule(Input input) {
  const std::string_view text = textOf(input);
  const size_t end = std::min(text.find('\n'), text.size());
  std::vector<Target> tried = targets();
  const Expected<Target> target =
      Target::parse(text.substr(std::min(end + 1, text.size())));
  if (const Target *read = valueOf(target, checkShownMessage)) {
    checkText(*read);
    tried.push_back(*read);
  }
  const Expected<Schedule> schedule = Schedule::parse(text.substr(0, end));
  const Schedule *read = valueOf(schedule, checkShownMessage);
  if (!read)
    return;
  checkText(*read);
  for (const Target &one : tried)
    checkLegality(*read, one);
}

std::vector<Bytes> taken() {
  constexpr std::string_view kTexts[] = {
      "tile=8x48,pack=none,epilogue=registers,mc=128,nc=384,kc=768,blocks=mn,"
      "tiles=nm,grid=1x2\nisa=avx512,cpu=znver4,l1=32768,l2=1048576,"
      "l3=33554432,cores=2",
      "tile=2x16",
      "tile=6x16,pack=block,mc=whole,kc=64,grid=2x3x4,deal=dynamic\nisa=avx2",
      "tile=1x16,group=8,epilogue=tile\nisa=avx2,extensions=avx-vnni",
      "tile=8x48,group=2,prefetch=512,ahead=4096,share=4,streams=2,pack=whole,"
      "embed=4,widen=panel,store=stream\nisa=x86_64,cpu=generic",
      "tile=32x32,unit=amx,group=2,hint=b,prefetch=64,epilogue=next\n"
      "isa=avx512,extensions=amx-tile+amx-bf16+amx-emulation",
      "tile=7x64,accumulate=f16\nisa=avx512,extensions=avx512fp16",
      "tile=4x32,group=4,accumulate=s16",
      "\nisa=x86_64,l1=1,l2=1,l3=1,cores=1",
  };
  return bytesOf(kTexts);
}

std::vector<Bytes> refused() {
  using namespace std::string_view_literals;
  constexpr std::string_view kTexts[] = {
      ""sv,
      "\n"sv,
      "tile=0x16"sv,
      "tile=1048577x1"sv,
      "tile=8x48,tile=8x48"sv,
      "tile=8x48,\nisa=avx2,"sv,
      "tile=8\0x48"sv,
      "grid=1x1"sv,
      "tile=8x48,kc=-0\nisa=avx2,extensions=amx-tile"sv,
      "\x1b]0;=\nisa=avx512,extensions=amx-bf16"sv,
  };
  return bytesOf(kTexts);
}

} // namespace

const Harness &scheduleHarness() {
  static const Harness harness = {"schedule",
                                  fuzzSchedule,
                                  taken,
                                  refused,
                                  {"tile=",
                                   "unit=amx",
                                   "accumulate=",
                                   "f16",
                                   "s16",
                                   "hint=a",
                                   "group=",
                                   "prefetch=",
                                   "ahead=",
                                   "share=",
                                   "streams=",
                                   "pack=block",
                                   "embed=",
                                   "widen=panel",
                                   "epilogue=tile",
                                   "store=stream",
                                   "mc=",
                                   "nc=",
                                   "kc=",
                                   "whole",
                                   "blocks=nm",
                                   "tiles=mn",
                                   "grid=",
                                   "deal=dynamic",
                                   "isa=avx512",
                                   "cpu=",
                                   "l1=",
                                   "l3=",
                                   "cores=",
                                   "extensions=",
                                   "amx-tile",
                                   "amx-int8",
                                   "avx512bf16",
                                   "avx512vnni",
                                   ",",
                                   "=",
                                   "x",
                                   "+",
                                   "\n",
                                   "1",
                                   "64",
                                   "1024",
                                   "1048576",
                                   "65536",
                                   "1099511627776"},
                                  6000};
  return harness;
}

} // namespace lintel::fuzz
