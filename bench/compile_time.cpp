// From schedule to callable code: how long one object takes, warm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CommandLine.h"
#include "MachineTarget.h"
#include "Measure.h"

#include "Codegen/Compiler.h"
#include "JIT/Loader.h"
#include "Runtime/Clock.h"
#include "Schedule/Ranking.h"
#include "Tuning/Statistics.h"
#include "lintel/Problem.h"

namespace lintel::bench {
namespace {

constexpr size_t kObjects = 10;

constexpr const char *kUsage =
    R"(compile_time [TARGET] [rounds=N] [[TYPES] PROBLEM...]

Compiles and loads the objects that a race for each PROBLEM would; some typical
ones by default. TARGET, as in isa=avx512,extensions=amx-bf16+amx-tile, is the
machine at hand if not named, and need not be; N, 3 if not named, is how often
each is made after a first time that does not count; TYPES, as in bf16 or u8s8, are
those of the problems after them.)";

// The last five are what an engine compiles for ?x768:768x768 bias.
const char *const kProblems[] = {"128x768:768x3072 bias+gelu_erf",
                                 "512x1024:1024x1024",
                                 "1x768:768x768 bias",
                                 "2..4x768:768x768 bias",
                                 "5..16x768:768x768 bias",
                                 "17..64x768:768x768 bias",
                                 "65..?x768:768x768 bias"};

/// Milliseconds of the two halves of one object's way.
struct ObjectTime {
  double compile = 0;
  double load = 0;
};

/// Compiles and loads objects with tools that stay warm.
struct Workshop {
  std::unique_ptr<Compiler> compiler;
  std::shared_ptr<Loader> loader;

  static Expected<Workshop> create(const Target &target) {
    auto compiler = Compiler::create(target);
    if (!compiler)
      return compiler.error();
    auto loader = Loader::create();
    if (!loader)
      return loader.error();
    return Workshop{std::move(*compiler), std::move(*loader)};
  }

  Expected<ObjectTime> make(const Problem &problem, const Schedule &schedule) {
    const Clock::time_point start = Clock::now();
    auto object = compiler->compile(problem, schedule);
    if (!object)
      return object.error().in(schedule.text());
    const double compiled = millisecondsSince(start);
    auto kernel = loader->load(object->bytes, kKernelSymbol);
    if (!kernel)
      return kernel.error().in(schedule.text());
    const double loaded = millisecondsSince(start);
    return ObjectTime{compiled, loaded - compiled};
  }
};

/// One schedule for each object that a race would compile.
std::vector<Schedule> distinctObjects(const Problem &problem,
                                      const Target &target) {
  std::vector<Schedule> distinct;
  for (const Schedule &candidate : selectCandidates(
           problem, target, /*threads=*/1, 4 * kObjects, kObjects)) {
    const auto sameCode = [&](const Schedule &other) {
      return other.code() == candidate.code();
    };
    if (std::none_of(distinct.begin(), distinct.end(), sameCode))
      distinct.push_back(candidate);
  }
  return distinct;
}

int measure(Workshop &workshop, const Target &target, const Problem &problem,
            int rounds) {
  const std::vector<Schedule> objects = distinctObjects(problem, target);
  std::vector<double> compile, load, total;
  for (int round = 0; round <= rounds; ++round)
    for (const Schedule &schedule : objects) {
      auto time = workshop.make(problem, schedule);
      if (!time)
        return fail(time.error().in(problem.text()));
      if (round == 0) // warms the tools up
        continue;
      compile.push_back(time->compile);
      load.push_back(time->load);
      total.push_back(time->compile + time->load);
    }
  if (total.empty())
    return fail(
        Error(ErrorCode::internal, "no candidate for " + problem.text()));
  std::printf("| %s | %s | %zu | %.2f ms | %.2f ms | %.2f ms | %.2f ms |\n",
              problem.text().c_str(), problem.types().text().c_str(),
              objects.size(), medianOf(compile), medianOf(load),
              medianOf(total), *std::max_element(total.begin(), total.end()));
  std::fflush(stdout);
  return 0;
}

int run(const std::vector<std::string> &arguments) {
  CommandLine line(kUsage, arguments);
  const std::optional<Target> named = line.target();
  const int rounds = line.rounds(3);
  const std::vector<Problem> problems = line.problems(kProblems);
  if (line.exitStatus())
    return *line.exitStatus();
  const HostFacts facts = readHostFacts();
  const Expected<Target> target =
      named ? Expected<Target>(*named) : machineTarget(facts);
  if (!target)
    return fail(target.error());
  auto workshop = Workshop::create(*target);
  if (!workshop)
    return fail(workshop.error());
  std::printf("on %s, for %s\n\n", facts.model.c_str(), target->text().c_str());
  std::printf(
      "| problem | types | objects | compile | load | both (median) | both "
      "(worst) |\n|---|---|---|---|---|---|---|\n");
  int code = 0;
  for (const Problem &problem : problems) // after one that fails, the others
    code = std::max(code, measure(*workshop, *target, problem, rounds));
  return code;
}

} // namespace
} // namespace lintel::bench

int main(int argc, char **argv) {
  using namespace lintel::bench;
  return finishOutput(run({argv + 1, argv + argc}));
}
