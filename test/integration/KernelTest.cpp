// Running a kernel, and wording what went wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "Blockings.h"
#include "CrashReport.h"
#include "Schedule/Legality.h"
#include "Target/HostTarget.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <utility>

namespace lintel::integration {
namespace {

std::string identifier(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return !std::isalnum(c); }, '_');
  return text;
}

/// A command that compiles and checks the same kernel, and how the test ran it.
std::string reproduction(const Target &target, const GuardedCall &call,
                         const Schedule &schedule, const std::string &how) {
  const Problem &problem = call.workload().problem();
  return "LINTEL_ISA=" + std::string(toString(target.isa)) +
         " lintel check --dtype " + problem.types().text() + " --schedule " +
         schedule.text() + " \"" + describe(problem) + "\"  # " +
         target.text() + " " + call.text() + " " + how;
}

bool hasAll(const Target &target, const std::set<Extension> &extensions) {
  return std::all_of(
      extensions.begin(), extensions.end(),
      [&](Extension extension) { return target.has(extension); });
}

/// `host` with all of AMX, none of it in hardware.
std::optional<Target> emulatingTiles(Target host) {
  for (Extension extension : {Extension::amxTile, Extension::amxBf16,
                              Extension::amxFp16, Extension::amxInt8})
    host.extensions.erase(extension);
  Expected<Target> emulating = withEmulatedAmx(host);
  return emulating ? std::optional(*emulating) : std::nullopt;
}

} // namespace

std::shared_ptr<const Kernel> KernelChecks::kernelOf(const GuardedCall &call,
                                                     const Schedule &schedule) {
  const Problem &problem = call.workload().problem();
  if (Status legal = checkSchedule(schedule, problem, target); !legal) {
    ADD_FAILURE() << legal.error().message() << "\n  "
                  << reproduction(target, call, schedule, "");
    return nullptr;
  }
  Expected<std::shared_ptr<const Kernel>> kernel =
      kernelFor(target, problem, schedule);
  if (!kernel) {
    ADD_FAILURE() << kernel.error().message() << "\n  "
                  << reproduction(target, call, schedule, "");
    return nullptr;
  }
  return *kernel;
}

template <class Run>
bool KernelChecks::judge(GuardedCall &call, const Schedule &schedule,
                         const std::string &how, Run run) {
  const std::string trace = reproduction(target, call, schedule, how);
  CrashReport crash(trace);
  std::shared_ptr<const Kernel> kernel = kernelOf(call, schedule);
  if (!kernel)
    return false;
  Status status = run(*kernel);
  std::string fault = status ? call.fault() : status.error().message();
  if (fault.empty())
    return true;
  ADD_FAILURE() << fault << "\n  " << trace;
  return false;
}

bool KernelChecks::right(GuardedCall &call, const Schedule &schedule,
                         const Team &team) {
  return judge(call, schedule, team.text(), [&](const Kernel &kernel) {
    return call.run(kernel, schedule, target, team);
  });
}

void KernelChecks::checkInAwkwardBlockings(const std::vector<Schedule> &codes,
                                           const Problem &problem,
                                           int64_t rows) {
  const Workload work(problem, rows, Fill::exact, /*seed=*/22);
  GuardedCall call(work, rows, {.offset = 1});
  for (const Schedule &code : codes)
    for (const Schedule &schedule : awkwardBlockings(code, problem))
      if (!right(call, schedule, {.parts = 3}))
        return;
}

void KernelChecks::expectBits(const GuardedCall &call) {
  const Workload &work = call.workload();
  const int64_t columns = work.problem().n();
  const std::vector<float> outputs = call.outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const int64_t row = int64_t(i) / columns, column = int64_t(i) % columns;
    const auto expected = float(work.expected(0, row, column).value);
    if (std::isnan(expected) && std::isnan(outputs[i]))
      continue;
    ASSERT_EQ(std::bit_cast<uint32_t>(outputs[i]),
              std::bit_cast<uint32_t>(expected))
        << outputs[i] << " for " << expected << " at [" << row << ", " << column
        << "]";
  }
}

bool KernelChecks::right(GuardedCall &call, const Schedule &schedule,
                         Executor &executor, int32_t threads) {
  return judge(call, schedule, "threads=" + std::to_string(threads),
               [&](const Kernel &kernel) {
                 return call.run(kernel, schedule, target, executor, threads);
               });
}

bool KernelChecks::chooseLevel(IsaLevel isa,
                               const std::set<Extension> &extensions) {
  const bool takesTiles = extensions.contains(Extension::amxTile);
  std::optional<Target> host = hostTarget(isa);
  if (!host && takesTiles)
    host = hostTarget(IsaLevel::avx2);
  turn = size_t(isa);
  if (!host)
    return false;
  // AMX-FP16 is emulated on CPUs that have other tile instructions, too.
  if (takesTiles && !hasAll(*host, extensions))
    host = emulatingTiles(*host).value_or(*host);
  target = *host;
  target.extensions = extensions;
  if (takesTiles)
    for (Extension emulation :
         {Extension::amxEmulation, Extension::avx512Emulation})
      if (host->has(emulation))
        target.extensions.insert(emulation);
  return hasAll(*host, extensions);
}

void LevelTest::SetUp() {
  if (!chooseLevel(GetParam().isa))
    GTEST_SKIP() << "this machine cannot run " << toString(GetParam().isa);
}

void KernelTest::SetUp() {
  if (!chooseLevel(GetParam().isa, GetParam().extensions))
    GTEST_SKIP() << "this machine cannot run "
                 << testing::PrintToString(GetParam());
  types = *DataTypes::parse(GetParam().types);
  epilogue = epilogueNamed(GetParam().epilogue, types);
  part = GetParam().part;
  sharers = std::max<size_t>(1, GetParam().alike.size());
  turn += size_t(std::find(std::begin(kEpilogues), std::end(kEpilogues),
                           GetParam().epilogue) -
                 std::begin(kEpilogues));
}

void PrintTo(const LevelCase &instance, std::ostream *out) {
  *out << toString(instance.isa);
}

void PrintTo(const KernelCase &instance, std::ostream *out) {
  *out << toString(instance.isa) << "_" << identifier(instance.epilogue);
  if (instance.types != "f32")
    *out << "_" << identifier(instance.types);
  for (Extension extension : instance.extensions)
    *out << "_" << identifier(std::string(toString(extension)));
}

static bool areAlike(const KernelCase &a, const KernelCase &b) {
  const DataTypes ofA = *DataTypes::parse(a.types);
  const DataTypes ofB = *DataTypes::parse(b.types);
  return a.isa == b.isa && a.extensions == b.extensions &&
         ofA.activation == ofB.activation && ofA.weight == ofB.weight &&
         ofA.accumulate == ofB.accumulate;
}

/// `cases`, told who shares with whom.
static std::vector<KernelCase> sharing(std::vector<KernelCase> cases) {
  for (auto one = cases.begin(); one != cases.end(); ++one) {
    const auto isAlike = [&](const KernelCase &other) {
      return areAlike(*one, other);
    };
    one->part = size_t(std::count_if(cases.begin(), one, isAlike));
    one->alike.clear();
    for (const KernelCase &other : cases)
      if (isAlike(other))
        one->alike.push_back({other.epilogue, other.types});
  }
  return cases;
}

std::vector<LevelCase> allLevels() {
  std::vector<LevelCase> cases;
  for (IsaLevel isa : kIsaLevels)
    cases.push_back({isa});
  return cases;
}

std::vector<KernelCase> allKernels() {
  std::vector<KernelCase> cases;
  for (IsaLevel isa : kIsaLevels)
    for (const char *epilogue : kEpilogues)
      cases.push_back({isa, epilogue});
  return sharing(std::move(cases));
}

std::vector<KernelCase> narrowKernels() {
  std::vector<KernelCase> cases;
  for (IsaLevel isa : kIsaLevels) {
    cases.push_back({isa, "bias+gelu_erf+residual", "bf16"});
    cases.push_back({isa, kRegionEpilogue, "bf16:f32"});
    cases.push_back({isa, "bias+relu", "f16"});
    cases.push_back({isa, "none", "f16:f32"});
  }
  for (const char *epilogue : {"none", "bias+gelu_erf+residual"})
    cases.push_back(
        {IsaLevel::avx512, epilogue, "bf16", {Extension::avx512Bf16}});
  return sharing(std::move(cases));
}

std::vector<KernelCase> someNarrowKernels() {
  std::vector<KernelCase> cases = narrowKernels();
  std::erase_if(cases, [](const KernelCase &some) {
    return some.types == "bf16:f32" || some.types == "f16" ||
           (!some.extensions.empty() && some.epilogue == "none");
  });
  return sharing(std::move(cases));
}

std::vector<KernelCase> halfSumKernels() {
  const std::set<Extension> extensions = {Extension::avx512Fp16};
  return sharing(
      {{IsaLevel::avx512, "none", "f16:f32,accumulate=f16", extensions},
       {IsaLevel::avx512, "bias+gelu_erf+residual", "f16,accumulate=f16",
        extensions}});
}

std::vector<KernelCase> amxKernels() {
  const std::set<Extension> ofBf16 = {Extension::amxTile, Extension::amxBf16};
  const std::set<Extension> ofFp16 = {Extension::amxTile, Extension::amxFp16};
  const std::set<Extension> ofInt8 = {Extension::amxTile, Extension::amxInt8};
  return sharing(
      {{IsaLevel::avx512, "none", "bf16:f32", ofBf16},
       {IsaLevel::avx512, "bias+gelu_erf+residual", "bf16", ofBf16},
       {IsaLevel::avx512, kRegionEpilogue, "bf16:f32", ofBf16},
       {IsaLevel::avx512, "bias+relu", "f16", ofFp16},
       {IsaLevel::avx512, "none", "f16:f32", ofBf16},
       {IsaLevel::avx512, "bias+gelu_erf+residual", "f16", ofBf16},
       {IsaLevel::avx512, "bias+relu", "u8s8", ofInt8},
       {IsaLevel::avx512, "dequant(x=row,xzero=row,wzero=column)+bias+mul",
        "s8s8:s8", ofInt8}});
}

std::vector<KernelCase> integerKernels() {
  const KernelCase layers[] = {
      {{}, "bias+gelu_erf+residual", "u8s8"},
      {{}, "bias+relu", "s8s8:s8"},
      {{}, "dequant(x=row,xzero=row,wzero=column)+bias+mul", "u8s8:u8"},
      {{}, "dequant(w=tensor,xzero=tensor,wzero=tensor)+residual", "s8s8:bf16"},
  };
  // Products of quads get all of them, the levels without one of each sign.
  std::vector<KernelCase> cases;
  for (size_t i = 0; i < std::size(layers); ++i) {
    KernelCase one = layers[i];
    one.isa = IsaLevel::avx512;
    one.extensions = {Extension::avx512Vnni};
    cases.push_back(one);
    one.isa = IsaLevel::avx2;
    one.extensions = {Extension::avxVnni};
    cases.push_back(one);
    one.extensions = {};
    for (IsaLevel isa : kIsaLevels) {
      one.isa = isa;
      if (i / 2 == size_t(isa) % 2)
        cases.push_back(one);
    }
  }
  // Sums of pairs in s16, where nothing adds up quads.
  for (IsaLevel isa : {IsaLevel::avx2, IsaLevel::avx512}) {
    cases.push_back({isa, "bias+gelu_erf+residual", "u8s8,accumulate=s16"});
    cases.push_back({isa,
                     "dequant(w=tensor,xzero=tensor,wzero=tensor)+residual",
                     "s8s8:bf16,accumulate=s16"});
  }
  return sharing(std::move(cases));
}

} // namespace lintel::integration
