// Which OpenMP runtime is taken, and what happens after fork.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime/OpenMP.h"

#include "lintel/Executor.h"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <link.h>
#include <sched.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace lintel;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Outcome {
  int exitStatus = -1;
  std::string output; ///< stdout and stderr
};

/// Runs one test of this binary in a fresh process, one that has not chosen a
/// runtime yet, with `variables` set.
Outcome runFresh(const std::string &variables, const std::string &test) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    return {};
  // The thread sanitizer sees half of what a runtime does and takes it for
  // races. The test may be in another shard than the one that runs it.
  std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX "
                        "TSAN_OPTIONS=ignore_noninstrumented_modules=1 " +
                        variables + " '" + self + "' --gtest_filter=" + test +
                        " 2>&1";
  Outcome outcome;
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return outcome;
  char part[4096];
  while (size_t got = fread(part, 1, sizeof part, pipe))
    outcome.output.append(part, got);
  outcome.exitStatus = pclose(pipe);
  return outcome;
}

bool isInstalled(const char *library) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle)
    dlclose(handle);
  return handle != nullptr;
}

void countParts(void *context, int32_t, int32_t nthreads) {
  __atomic_store_n(static_cast<int32_t *>(context), nthreads, __ATOMIC_RELAXED);
}
int32_t teamSize() {
  int32_t team = 0;
  openMPExecutor()->run(2, countParts, &team);
  return team;
}

//===----------------------------------------------------------------------===//
// Run in the fresh process
//===----------------------------------------------------------------------===//

TEST(OpenMPChild, PrintsItsRuntime) {
  int32_t team = teamSize();
  EXPECT_TRUE(team == 1 || team == 2);
  printf("runtime=%s team=%d\n", openMPRuntimePath().c_str(), team);
}

/// Runs a region in the parent if asked to, then two in a forked child; prints
/// the team sizes.
TEST(OpenMPChild, Forks) {
  constexpr unsigned kSecondsBeforeItHangs = 20;
  int32_t inParent = getenv("LINTEL_TEST_PARENT_RUNS") ? teamSize() : 0;
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(kSecondsBeforeItHangs);
    int32_t first = teamSize(), second = teamSize();
    dprintf(STDOUT_FILENO, "child=%d,%d\n", first, second);
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "the child hung";
  printf("parent=%d,%d\n", inParent, teamSize());
}

/// Holds the loader's lock, under which libraries are looked through.
int holdLock(dl_phdr_info *, size_t, void *data) {
  auto &[isHeld, mayEnd] =
      *static_cast<std::array<std::atomic<bool>, 2> *>(data);
  isHeld = true;
  isHeld.notify_all();
  mayEnd.wait(false);
  return 1;
}

/// Forks while a thread holds the loader's lock, which nobody gives back in the
/// child.
TEST(OpenMPChild, ForksWhileTheLoaderIsLocked) {
  constexpr unsigned kSecondsBeforeItHangs = 10;
  std::array<std::atomic<bool>, 2> lock = {};
  std::thread holder([&] { dl_iterate_phdr(holdLock, &lock); });
  lock[0].wait(false);
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsBeforeItHangs);
    dprintf(STDOUT_FILENO, "child=%d,%s,%d\n", teamSize(),
            openMPRuntimePath().c_str(), int(cpusOfBindingOpenMP()));
    _exit(0);
  }
  lock[1] = true;
  lock[1].notify_all();
  holder.join();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "the child hung";
  printf("parent=%d\n", teamSize());
}

/// Asks for a team with no descriptor left, and again with some.
TEST(OpenMPChild, RunsShortOfDescriptors) {
  rlimit few = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &few), 0);
  few.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<int> taken;
  for (int next; (next = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;)
    taken.push_back(next);
  const int32_t before = teamSize(), again = teamSize();
  for (int descriptor : taken)
    close(descriptor);
  printf("teams=%d,%d,%d\n", before, again, teamSize());
}

/// Runs a region of the host, of which Lintel sees nothing, and one of its own
/// in a forked child.
TEST(OpenMPChild, ForksAfterARegionOfTheHost) {
  constexpr unsigned kSecondsBeforeItHangs = 20;
  using Parallel = void (*)(void (*)(void *), void *, unsigned, unsigned);
  auto parallel =
      reinterpret_cast<Parallel>(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
  if (!parallel && isInstalled("libgomp.so.1"))
    parallel = reinterpret_cast<Parallel>(
        dlsym(dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL), "GOMP_parallel"));
  if (!parallel)
    GTEST_SKIP() << "no OpenMP runtime on this machine";
  parallel([](void *) {}, nullptr, 2, 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsBeforeItHangs);
    dprintf(STDOUT_FILENO, "child=%d\n", teamSize());
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "the child hung";
  printf("parent=%d\n", teamSize());
}

TEST(OpenMPChild, PrintsTheCpusOfARuntimeThatBinds) {
  printf("cpus=%d\n", int(cpusOfBindingOpenMP()));
}

//===----------------------------------------------------------------------===//
// The tests
//===----------------------------------------------------------------------===//

TEST(OpenMPTest, PrefersLibgompWhenNothingIsLoaded) {
  if (!isInstalled("libgomp.so.1"))
    GTEST_SKIP() << "no libgomp on this machine";
  Outcome outcome = runFresh("", "OpenMPChild.PrintsItsRuntime");
  EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("libgomp.so.1"));
  EXPECT_THAT(outcome.output, HasSubstr("team=2"));
}

TEST(OpenMPTest, TakesTheRuntimeThatIsLoaded) {
  for (const char *library : {"libomp.so.5", "libiomp5.so", "libgomp.so.1"}) {
    if (!isInstalled(library))
      continue;
    Outcome outcome = runFresh("LD_PRELOAD=" + std::string(library),
                               "OpenMPChild.PrintsItsRuntime");
    EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("/" + std::string(library)));
    EXPECT_THAT(outcome.output, HasSubstr("team=2"));
  }
}

TEST(OpenMPTest, TheTeamMayBeSmallerThanAsked) {
  Outcome outcome =
      runFresh("OMP_THREAD_LIMIT=1", "OpenMPChild.PrintsItsRuntime");
  EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("team=1"));
}

TEST(OpenMPTest, ForkAfterARegionRunsSequentiallyAndSaysSoOnce) {
  for (const char *library : {"libgomp.so.1", "libomp.so.5"}) {
    if (!isInstalled(library))
      continue;
    Outcome outcome =
        runFresh("LINTEL_TEST_PARENT_RUNS=1 LD_PRELOAD=" + std::string(library),
                 "OpenMPChild.Forks");
    EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("child=1,1\n"));
    EXPECT_THAT(outcome.output, HasSubstr("parent=2,2\n"));
    size_t first = outcome.output.find("[lintel] [warn] forked");
    ASSERT_NE(first, std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find("[lintel] [warn] forked", first + 1),
              std::string::npos);
  }
}

TEST(OpenMPTest, ForkAfterARegionOfTheHostRunsSequentially) {
  for (const char *library : {"libgomp.so.1", "libomp.so.5"}) {
    if (!isInstalled(library))
      continue;
    const Outcome outcome = runFresh("LD_PRELOAD=" + std::string(library),
                                     "OpenMPChild.ForksAfterARegionOfTheHost");
    EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("child=1\n"));
    EXPECT_THAT(outcome.output, HasSubstr("[lintel] [warn] forked"));
    EXPECT_THAT(outcome.output, HasSubstr("parent=2\n"));
  }
}

// The thread that loads a runtime which binds is bound to one CPU.
TEST(OpenMPTest, ARuntimeThatBindsTellsItsCpus) {
  cpu_set_t cpus;
  ASSERT_EQ(sched_getaffinity(0, sizeof cpus, &cpus), 0);
  const std::string all = "cpus=" + std::to_string(CPU_COUNT(&cpus));
  for (const char *library : {"libgomp.so.1", "libomp.so.5"}) {
    if (!isInstalled(library))
      continue;
    const std::string preload = "LD_PRELOAD=" + std::string(library);
    const std::string child = "OpenMPChild.PrintsTheCpusOfARuntimeThatBinds";
    for (const std::string binding : {"OMP_PROC_BIND=true", "OMP_PLACES=cores"})
      EXPECT_THAT(runFresh(binding + " " + preload, child).output,
                  HasSubstr(all + "\n"));
    EXPECT_THAT(runFresh("OMP_PROC_BIND=false " + preload, child).output,
                HasSubstr("cpus=0\n"));
  }
  EXPECT_THAT(runFresh("OMP_PROC_BIND=true",
                       "OpenMPChild.PrintsTheCpusOfARuntimeThatBinds")
                  .output,
              HasSubstr("cpus=0\n"));
}

/// A copy of libgomp that the loader takes for another library.
std::string copyOfLibgomp(const std::string &directory,
                          const std::string &file) {
  void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_LOCAL);
  Dl_info origin = {};
  if (!library || !dladdr(dlsym(library, "GOMP_parallel"), &origin))
    return "";
  std::ifstream original(origin.dli_fname, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(original), {});
  dlclose(library);
  const std::string_view soname = "libgomp.so.1", other = "libgomp.so.x";
  for (size_t at; (at = bytes.find(soname)) != bytes.npos;)
    bytes.replace(at, soname.size(), other);
  const std::string path = directory + "/" + file;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(OpenMPTest, OfTwoRuntimesPyTorchsIsTaken) {
  if (!isInstalled("libgomp.so.1"))
    GTEST_SKIP() << "no libgomp on this machine";
  std::string directory = testing::TempDir() + "lintelXXXXXX";
  ASSERT_TRUE(mkdtemp(directory.data()));
  // The second stands for what depends on the runtime that it is to have.
  const std::string another = copyOfLibgomp(directory, "libgomp-1234.so.1"),
                    torch = copyOfLibgomp(directory, "libtorch_cpu.so");
  for (const std::string &path : {another, torch}) {
    const Outcome outcome =
        runFresh("LINTEL_LOG=info LD_PRELOAD=libgomp.so.1:" + path,
                 "OpenMPChild.PrintsItsRuntime");
    EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("team=2"));
    if (path == torch)
      EXPECT_THAT(outcome.output, HasSubstr("runtime=" + torch));
    else
      EXPECT_THAT(outcome.output, HasSubstr("/libgomp.so.1 team"));
  }
  std::filesystem::remove_all(directory);
}

TEST(OpenMPTest, ForkWhileTheLoaderIsLockedRunsSequentially) {
  if (!isInstalled("libgomp.so.1"))
    GTEST_SKIP() << "no libgomp on this machine";
  const Outcome outcome =
      runFresh("", "OpenMPChild.ForksWhileTheLoaderIsLocked");
  EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("child=1,none,0\n"));
  EXPECT_THAT(outcome.output, HasSubstr("[lintel] [warn] forked"));
  EXPECT_THAT(outcome.output, HasSubstr("parent=2\n"));
}

TEST(OpenMPTest, ARuntimeThatCouldNotBeOpenedIsTriedAgain) {
  if (!isInstalled("libgomp.so.1"))
    GTEST_SKIP() << "no libgomp on this machine";
  const Outcome outcome = runFresh("", "OpenMPChild.RunsShortOfDescriptors");
  EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("teams=1,1,2\n"));
  const std::string warning = "[lintel] [warn] no OpenMP runtime";
  const size_t said = outcome.output.find(warning);
  ASSERT_NE(said, std::string::npos) << outcome.output;
  EXPECT_THAT(outcome.output.substr(said), HasSubstr("libgomp.so.1: "));
  EXPECT_EQ(outcome.output.find(warning, said + 1), std::string::npos);
}

TEST(OpenMPTest, ForkBeforeAnyRegionKeepsTheThreads) {
  if (!isInstalled("libgomp.so.1"))
    GTEST_SKIP() << "no libgomp on this machine";
  Outcome outcome = runFresh("", "OpenMPChild.Forks");
  EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("child=2,2\n"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("forked")));
}

TEST(OpenMPTest, NestedRegionsStayOnTheirCallerWhateverTheHostAllows) {
  for (const char *library : {"libgomp.so.1", "libomp.so.5"}) {
    if (!isInstalled(library))
      continue;
    Outcome outcome =
        runFresh("OMP_MAX_ACTIVE_LEVELS=4 LD_PRELOAD=" + std::string(library),
                 "All/ExecutorTest.NestedRegionsRunOnTheirCaller/openmp");
    EXPECT_EQ(outcome.exitStatus, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("[  PASSED  ] 1 test."));
  }
}

TEST(OpenMPTest, PathIsAFileOrNone) {
  std::string path = openMPRuntimePath();
  EXPECT_TRUE(path == "none" || access(path.c_str(), R_OK) == 0) << path;
  EXPECT_EQ(path == "none", openMPRuntime() == nullptr);
}

} // namespace
