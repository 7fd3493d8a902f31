// The public API: engine, tuned linear layers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a function that returns lintel::Status:
//
//   auto engine = lintel::Engine::create();
//   if (!engine)
//     return engine.error();
//   auto problem = lintel::Problem::parse("?x768:768x3072 bias+gelu_erf");
//   if (!problem)
//     return problem.error();
//   auto layer = (*engine)->compile(*problem); // from the cache, or tuned
//   if (!layer)
//     return layer.error();
//   if (auto packed = layer->setWeight(weight, /*ldw=*/768); !packed)
//     return packed;
//   return layer->run({x, 768}, rows, {{bias, 0}}, {{out, 3072}});
#pragma once

#include "lintel/Error.h"
#include "lintel/Executor.h"
#include "lintel/Problem.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lintel {

/// A matrix the caller owns; `stride` elements lie between rows (between
/// elements of an operand that has one for each row; ignored for one that is a
/// row, as a bias is, or a number).
struct TensorRef {
  void *data = nullptr;
  int64_t stride = 0;
};
struct ConstTensorRef {
  const void *data = nullptr;
  int64_t stride = 0;
};

/// Where a kernel came from.
enum class KernelSource { tuned, cache, pinned };
std::string_view toString(KernelSource source);

/// Which measurement of the peak a share of it refers to: the one kept by
/// `lintel doctor --measure`, or one of the same run.
enum class PeakSource { stored, run };
std::string_view toString(PeakSource source);

/// One candidate of a race. `status` is winner, timed, dropped, wrong or
/// failed.
struct CandidateReport {
  std::string schedule;
  std::string status;
  double medianMicroseconds = 0; ///< 0: not timed
  std::string reason;            ///< for wrong, failed and some dropped
  /// The time is no measurement of the whole call, but scaled up from a part of
  /// its rows or columns.
  bool promised = false;
};

/// What a shape of the packed weight's panels costs a layer with several
/// kernels.
struct PanelReport {
  int64_t columns = 0; ///< the NR of a tile
  int64_t group = 1;   ///< elements of K side by side
  /// Mean over kernels of the best time with this panel over the best with any.
  double slowdown = 1;
};

/// How a layer came to its kernel: the record that the cache keeps.
struct TuningReport {
  std::string problem; ///< canonical text
  RowRange rows;       ///< that the kernel, or the layer, takes
  DataTypes types;
  int threads = 1;
  std::string isa;
  std::string cpu;
  KernelSource source = KernelSource::tuned;
  /// Hash of the cache key; "" without a cache, of a pinned schedule and where
  /// nothing could be written.
  std::string key;
  std::string schedule; ///< the winner's
  double medianMicroseconds = 0, minMicroseconds = 0;
  /// These are no measurements of the whole call, but scaled up from a part of
  /// its rows or columns.
  bool promised = false;
  double gflops = 0; ///< 1e9 operations a second: 2 * rows * N * K a call
  double gbps = 0;   ///< 1e9 bytes a second: every tensor once
  /// Of the peak of the best instruction for `types` (docs/tuning.md, The
  /// peak); at most 1.
  double peakFraction = 0;
  PeakSource peakSource = PeakSource::run;
  std::vector<CandidateReport> candidates; ///< best first
  int objectsCompiled = 0;
  /// Timings scattered, or were too few: tuning again may choose better.
  bool noisy = false;
  bool interrupted = false; ///< the race was stopped; its best so far won
  double maxError = 0;      ///< normalised; <= 1 is right (docs/tuning.md)
  double compileMilliseconds = 0, verifyMilliseconds = 0, timeMilliseconds = 0,
         totalMilliseconds = 0;

  /// Of a problem with '?' rows: the report of each of its kernels, fewest rows
  /// first. The report itself then has the schedule, times, candidates and key
  /// of the last, the sums of milliseconds and objects, and the largest error.
  std::vector<TuningReport> buckets;
  /// The panels that the buckets were raced with; the chosen one first.
  std::vector<PanelReport> panels;

  /// One line of JSON with the keys documented in docs/tuning.md.
  std::string json() const;
};

/// Options of an engine; the defaults suit most processes.
struct EngineOptions {
  /// An absolute path; default: from the environment.
  std::optional<std::string> cacheDirectory = {};
  bool useCache = true;
  /// Parts of a call at most, and threads of each OpenMP region; 0:
  /// LINTEL_THREADS, else the CPUs that the thread which creates the engine may
  /// use. 1 with OpenMP in a child forked beside other threads, whatever is
  /// asked for.
  int threads = 0;
  std::shared_ptr<Executor> executor = {}; ///< null: openMPExecutor(threads)
};

/// Options of one compilation. All members have initializers, so that compilers
/// do not warn of designated ones that leave some out.
struct CompileOptions {
  /// For timing, finite and more than 0; noise may take several times as much.
  double budgetMilliseconds = 300;
  std::string schedule = {}; ///< pins one (docs/tuning.md) when not empty
  /// For a problem with '?' rows, not '?@64': the numbers of rows that calls
  /// will have, at most 8. There is a kernel tuned for each, and their packed
  /// weight is laid out for the mix. Empty: 1, 4, 16, 64 and 512. Not together
  /// with a schedule, which makes one kernel for any number.
  std::vector<int64_t> rows = {};
  /// Tune again, replacing what is kept and cached; a pinned schedule is
  /// compiled and timed again.
  bool retune = false;
  /// (done, total, what) as work goes on; may be empty.
  std::function<void(size_t, size_t, std::string_view)> progress = {};
  /// Asked between measurements, where true keeps the best so far (also in the
  /// cache, and instead of what `retune` passes over), and while another
  /// thread tunes, where true cancels. This and progress are called on the
  /// thread that called compile(), and may compile nothing with the engine but
  /// layers that it has. What one of
  /// them throws ends the compilation: compile() returns it as an
  /// ErrorCode::internal with the exception's text.
  std::function<bool()> stop = {};
};

/// A compiled layer over one packed weight. Movable. run() may be called from
/// several threads at once; setWeight() must not overlap with run(). It may
/// outlive its engine, whose executor it keeps.
class Linear {
public:
  Linear(Linear &&) noexcept;
  Linear &operator=(Linear &&) noexcept;
  ~Linear();

  const Problem &problem() const;
  const TuningReport &report() const;
  /// Packs w [N, K] with ldw >= K elements between rows; w is not kept. Large
  /// weights on the executor's threads. Errors: w is null, ldw is less than K,
  /// or so large that no memory holds the rows (invalidArgument); no memory for
  /// the packed weight (io); an executor that does not keep its contract
  /// (internal). The layer then keeps the weight that it had. One without rows
  /// or columns looks at neither argument.
  Status setWeight(const void *w, int64_t ldw);
  /// Computes `rows` rows of every output. x: [rows, K], stride >= K. operands
  /// in the order of problem().epilogue().operands(); outputs: one per result,
  /// stride >= N. A full operand (rows x N) may be the same memory as an output
  /// if their types and strides agree; x and other outputs may not overlap with
  /// it, nor other operands. Errors: wrong counts, null pointers, an output
  /// that begins where one of these does, strides too small or too large for
  /// any memory, rows that differ from the problem's M, no weight set, an
  /// executor that does not keep its contract. Allocates nothing in the steady
  /// state with up to 16 operands and outputs. Any alignment works; kernels are
  /// chosen for tensors aligned to 64 bytes, and AMX loads rows of x that
  /// straddle cache lines at half the speed, or a quarter.
  Status run(ConstTensorRef x, int64_t rows,
             std::span<const ConstTensorRef> operands,
             std::span<const TensorRef> outputs) const;
  Status run(ConstTensorRef x, int64_t rows,
             std::initializer_list<ConstTensorRef> operands,
             std::initializer_list<TensorRef> outputs) const {
    return run(x, rows, std::span(operands.begin(), operands.size()),
               std::span(outputs.begin(), outputs.size()));
  }

  struct Impl;
  explicit Linear(std::unique_ptr<Impl> impl);

private:
  std::unique_ptr<Impl> impl;
};

/// What a number of threads reach together at most, as `lintel doctor
/// --measure` found it; 0 where it was not measured.
struct PeakReport {
  int threads = 1;
  /// By the instruction that multiplies: "fma" of f32, then those of other
  /// types that the machine has, such as "vdpbf16ps". Integer operations count
  /// as floating-point ones.
  std::vector<std::pair<std::string, double>> gflops;
  double l1Gbps = 0, l2Gbps = 0, l3Gbps = 0, memoryGbps = 0; ///< reading
};

/// One condition that the machine meets or not.
struct HostCheck {
  std::string name;
  bool holds = false;
  std::string detail; ///< what is there, or what is missing
};

/// What the machine has and what of it is usable, for `lintel doctor`.
struct HostReport {
  std::string cpu;    ///< brand string
  std::string isa;    ///< level in use
  std::string target; ///< canonical text
  std::vector<std::pair<std::string, bool>>
      features;                  ///< of the levels and extensions Lintel knows
  std::vector<HostCheck> amx;    ///< what using AMX takes
  int threads = 1;               ///< of the engine
  std::string openmp;            ///< path of the runtime in use, or "none", as
                                 ///< with an executor that was given
  std::string cacheDirectory;    ///< "" when there is none
  std::string cacheProblem;      ///< why the cache is off, or was of no use so
                                 ///< far, or ""
  std::vector<PeakReport> peaks; ///< kept for this machine, by threads

  /// One line of JSON with the keys documented in docs/c-api.md.
  std::string json() const;
};

/// Compiles, tunes and caches layers for the machine at hand. Thread-safe.
class Engine {
public:
  /// Looks at the machine and opens the cache; measures nothing. Errors: a
  /// number of threads that is none, a cache directory that is no absolute
  /// path, LINTEL_* variables with wrong values (invalidArgument); a level or
  /// emulation that the machine cannot have, a policy against making memory
  /// executable (unsupported). A cache that cannot be used is none: it is
  /// logged, and in the report of host().
  static Expected<std::unique_ptr<Engine>> create(EngineOptions options = {});
  ~Engine();

  /// The layer for `problem`: from the cache, else tuned and cached; or, with
  /// CompileOptions::schedule, pinned. The engine keeps every layer in memory,
  /// so that compiling one again, with the same schedule, takes no time, unless
  /// CompileOptions::retune is set. Errors: options that contradict the problem
  /// or each other, an epilogue that is none, a schedule that is illegal for it
  /// (invalidArgument), a region that is no MLIR, or no schedule's text
  /// (parse); an epilogue that the reference cannot evaluate (unsupported); no
  /// candidate that compiles or is right (compile, wrongResult, internal); too
  /// little memory; `stop` before anything was verified (cancelled); a call by
  /// one of its own callbacks, but for a layer that the engine has
  /// (invalidArgument), or in a child forked while the parent was in a call
  /// (unsupported).
  Expected<Linear> compile(const Problem &problem,
                           const CompileOptions &options = {});
  /// Decides on the OpenMP runtime, if no parallel call has done so yet, and
  /// loads one if the process has none; not with an executor of your own.
  HostReport host() const;
  int threads() const;
  /// The rate that the engine's threads reach together now with the best
  /// instruction that multiplies these types, in GFLOP/s; of f16 a quarter of
  /// that of bf16 where tile registers multiply bf16 alone. Takes about 50 ms,
  /// and waits for a race that is going on. Errors: types that no layer has (as
  /// DataTypes::check says), a call by a callback of another one to the engine
  /// (invalidArgument), a forked process that compile() would refuse
  /// (unsupported), an executor that throws or does not keep its contract
  /// (internal).
  Expected<double> measurePeak(const DataTypes &types = {});

  struct Impl;
  /// For Lintel's own tools; not part of the stable API.
  Impl &internals() { return *impl; }

private:
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace lintel
