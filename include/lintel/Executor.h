// Who runs the threads of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

namespace lintel {

/// One part of a parallel call: part `tid` of `nthreads`. Must not throw.
using ParallelBody = void (*)(void *context, int32_t tid, int32_t nthreads);

/// Runs a body on some threads. An embedder with a pool of its own derives from
/// this.
///
/// Contract: run() calls body(context, tid, n) once for each tid in [0, n),
/// with one n between 1 and maxThreads, in any order and on any threads (also
/// all on the caller), and returns when all have finished and their writes are
/// visible to the caller; a call whose executor leaves parts out or asks for
/// others fails, and its outputs hold anything. It may be called from several
/// threads at once. A call of a layer calls run() once at most, and not at all
/// on one thread. Setting a weight whose packed form takes 2 MiB or more calls
/// it once.
///
/// Kernels of an engine of several threads are cached where its executor ran
/// that many parts on as many threads while they were tuned: one that takes
/// turns, or a pool whose threads get no CPU of their own, has them tuned anew
/// by each process, with a warning. Such an engine should have fewer threads
/// (EngineOptions::threads; 1 for sequentialExecutor()).
///
/// Where threads share K, parts wait for each other without sleeping, up to
/// twice as long as each of them computed: bodies that follow each other on
/// fewer threads than parts are right and may take three times their time.
///
/// run() comes back on the thread that called it, also in a host with fibers.
/// While it waits it may run other tasks of its pool, but none that compiles
/// with the engine: such a call would wait for the one that waits for it, and
/// is an error but for layers that the engine has.
///
/// maxThreads differs from run to run: a pool that ends threads which it is not
/// asked for should ask for all of the engine's each time and leave the rest
/// idle.
class Executor {
public:
  virtual ~Executor();
  virtual void run(int32_t maxThreads, ParallelBody body, void *context) = 0;
};

/// Runs every part on the calling thread.
std::shared_ptr<Executor> sequentialExecutor();

/// Runs the parts in one OpenMP parallel region of the runtime already loaded
/// in the process, else of libgomp or libomp; on one thread where there is
/// none. Inside another parallel region it runs on the caller. In a forked
/// child whose parent had other threads it falls back to the sequential
/// executor, since runtimes may hang there. Where Lintel is loaded in the child
/// it cannot know: give the child's engine sequentialExecutor() or one thread.
std::shared_ptr<Executor> openMPExecutor();

/// The same, but every region asks for at least `teamThreads` threads, of which
/// those without a part do nothing; 1024 at most, and below 2 it is as without.
/// libgomp ends the threads that a region does not ask for, and whoever asks
/// for them next, in a call of Lintel's or not, waits until they are made anew,
/// which takes longer than most layers. An engine therefore asks for its number
/// of threads each time. A run of one part has no region.
std::shared_ptr<Executor> openMPExecutor(int32_t teamThreads);

} // namespace lintel
