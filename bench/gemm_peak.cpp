// Tuned layers against the machine's peak, measured in turns in one process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The peak is that of the best instruction for the types, f32 if not named.
// A machine's clock drifts, so each sample of the kernel is followed by one of
// the peak loop, and the share is the median of the ratios of such pairs.
#include "CommandLine.h"
#include "Measure.h"

#include "Engine/MadeUpCall.h"
#include "Runtime/Clock.h"
#include "Target/ProductPeak.h"
#include "Tuning/Statistics.h"
#include "lintel/Engine.h"
#include "lintel/Executor.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

namespace lintel::bench {
namespace {

constexpr const char *kUsage = R"(gemm_peak THREADS [TYPES] PROBLEM...

Times the tuned kernel of each PROBLEM, as in 512x1024:1024x1024, in turns with the
peak of the best instruction for TYPES, as in bf16 or u8s8; f32 by default. For f16
that may be a quarter of the peak of bf16 on tile registers, for four products.)";

constexpr double kSampleSeconds = 0.0015;
constexpr int kRounds = 300;

/// What the layers are compared with.
struct Peak {
  ProductInstruction instruction;
  int64_t parts; ///< of its products, that make one of the layer's
  IsaLevel isa;
};

struct PeakCall {
  Peak peak;
  int64_t iterations;
  std::atomic<int64_t> operations{0};
};

/// Floating-point operations of one sample on all threads.
double runPeak(Executor &executor, int threads, const Peak &peak,
               int64_t iterations) {
  PeakCall call{peak, iterations};
  executor.run(
      threads,
      [](void *context, int32_t, int32_t) {
        auto &call = *static_cast<PeakCall *>(context);
        call.operations += runProductLoop(call.peak.instruction, call.peak.isa,
                                          call.iterations);
      },
      &call);
  return static_cast<double>(call.operations / peak.parts);
}

struct Comparison {
  double kernelGflops = 0; ///< median
  double peakGflops = 0;   ///< median
  double share = 0;        ///< median over pairs of samples
  double bestShare = 0;    ///< best kernel sample over best peak sample
};

Expected<Comparison> compare(const Linear &layer, const MadeUpCall &data,
                             int threads, const Peak &peak) {
  const Problem &problem = layer.problem();
  const double operations = 2.0 * static_cast<double>(*problem.m()) *
                            static_cast<double>(problem.n()) *
                            static_cast<double>(problem.k());
  auto executor = openMPExecutor(threads);
  Status ran; // a call that fails is fast
  const auto callKernel = [&] {
    if (Status status = data.run(layer); !status)
      ran = std::move(status);
  };
  const int64_t calls = batchFor(kSampleSeconds, callKernel);
  // Counted on one thread: a region of threads costs too much for short loops.
  constexpr int64_t kPeakUnit = 100;
  const int64_t iterations =
      kPeakUnit * batchFor(kSampleSeconds, [&] {
        (void)runProductLoop(peak.instruction, peak.isa, kPeakUnit);
      });

  std::vector<double> kernel, peaks, shares;
  for (int round = 0; round < kRounds; ++round) {
    const double seconds = timeBatch(calls, callKernel);
    kernel.push_back(operations * static_cast<double>(calls) / seconds / 1e9);
    const Clock::time_point start = Clock::now();
    const double done = runPeak(*executor, threads, peak, iterations);
    peaks.push_back(done / millisecondsSince(start) / 1e6);
    shares.push_back(kernel.back() / peaks.back());
  }
  if (!ran)
    return ran.error();
  return Comparison{medianOf(kernel), medianOf(peaks), medianOf(shares),
                    *std::max_element(kernel.begin(), kernel.end()) /
                        *std::max_element(peaks.begin(), peaks.end())};
}

Status checkSizes(const Problem &problem) {
  if (!problem.m())
    return Error(ErrorCode::invalidArgument,
                 problem.text() + ": M must be one number of rows");
  if (problem.k() == 0)
    return Error(ErrorCode::invalidArgument,
                 problem.text() + ": K must be at least 1");
  return {};
}

int measure(Engine &engine, const Peak &peak, const Problem &problem) {
  const std::string text = problem.text();
  auto layer = engine.compile(problem);
  if (!layer)
    return fail(layer.error().in(text));
  const Expected<MadeUpCall> data = MadeUpCall::create(problem, *problem.m());
  if (!data)
    return fail(data.error().in(text));
  if (Status status = data->setWeight(*layer); !status)
    return fail(status.error().in(text));
  if (Status status = data->run(*layer); !status)
    return fail(status.error().in(text));
  const Expected<Comparison> compared =
      compare(*layer, *data, engine.threads(), peak);
  if (!compared)
    return fail(compared.error().in(text));
  const Comparison &result = *compared;
  std::printf("| %s | %d | %.1f | %.1f | %.1f %% | %.1f %% | `%s` |\n",
              text.c_str(), engine.threads(), result.kernelGflops,
              result.peakGflops, 100 * result.share, 100 * result.bestShare,
              layer->report().schedule.c_str());
  std::fflush(stdout);
  return 0;
}

/// The problems, all of one kind of types, since there is one peak.
std::vector<Problem> readProblems(CommandLine &line) {
  if (line.left() == 0)
    line.refuse("a number of threads and a problem are needed");
  const std::vector<Problem> problems = line.problems({});
  for (const Problem &problem : problems)
    if (const DataTypes &types = problem.types();
        types != problems.front().types())
      line.refuse("there can be one kind of types, not also '" + types.text() +
                  "'");
  return problems;
}

int run(const std::vector<std::string> &arguments) {
  CommandLine line(kUsage, arguments);
  EngineOptions options;
  options.threads = line.threads();
  const std::vector<Problem> problems = readProblems(line);
  if (line.exitStatus())
    return *line.exitStatus();
  for (const Problem &problem : problems)
    if (Status fits = checkSizes(problem); !fits)
      return fail(fits.error());
  const DataTypes types = problems.front().types();
  auto engine = Engine::create(options);
  if (!engine)
    return fail(engine.error());
  const HostReport host = (*engine)->host();
  auto target = Target::parse(host.target);
  if (!target)
    return fail(target.error());
  const Peak peak = {bestInstruction(*target, types),
                     partsOfProduct(*target, types), target->levelOfCode()};
  std::printf("%s, %s, %s, %speak of %s\n\n", host.cpu.c_str(),
              host.isa.c_str(), types.text().c_str(),
              peak.parts > 1 ? "a quarter of the " : "",
              std::string(toString(peak.instruction)).c_str());
  std::printf("| problem | threads | GFLOP/s | peak | share | best share | "
              "schedule |\n|---|---|---|---|---|---|---|\n");
  int code = 0;
  for (const Problem &problem : problems) // after one that fails, the others
    code = std::max(code, measure(**engine, peak, problem));
  return code;
}

} // namespace
} // namespace lintel::bench

int main(int argc, char **argv) {
  using namespace lintel::bench;
  return finishOutput(run({argv + 1, argv + argc}));
}
