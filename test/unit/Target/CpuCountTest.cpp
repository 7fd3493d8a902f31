// CPU quotas read from made-up control-group trees, and the real affinity mask.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/CpuCount.h"

#include "unit/Target/MadeUpRoot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <locale>
#include <sched.h>
#include <thread>
#include <unistd.h>

using namespace lintel;

namespace {

constexpr const char *kV2Mount =
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
constexpr const char *kV1Mount = "31 23 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - "
                                 "cgroup cgroup rw,cpu,cpuacct\n";

class CpuCountTest : public MadeUpRoot {
protected:
  std::optional<int64_t> limit() const { return cgroupCpuLimit(root); }
};

TEST_F(CpuCountTest, NoProcMeansNoLimit) { EXPECT_EQ(limit(), std::nullopt); }

TEST_F(CpuCountTest, Version2RoundsDownButNotBelowOne) {
  write("/proc/self/mountinfo", kV2Mount);
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "765000 100000\n");
  EXPECT_EQ(limit(), 7);
  write("/sys/fs/cgroup/a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(limit(), 1);
  write("/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
  EXPECT_EQ(limit(), 4);
  write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(limit(), std::nullopt);
}

/// Groups digits by blanks, as French does.
struct BlankGroups : std::numpunct<char> {
  char do_thousands_sep() const override { return ' '; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_F(CpuCountTest, DoesNotDependOnTheLocale) {
  write("/proc/self/mountinfo", kV2Mount);
  write("/proc/self/cgroup", "0::/a\n");
  write("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new BlankGroups));
  const std::optional<int64_t> found = limit();
  std::locale::global(before);
  EXPECT_EQ(found, 2);
}

TEST_F(CpuCountTest, TheTightestParentWins) {
  write("/proc/self/mountinfo", kV2Mount);
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
  EXPECT_EQ(limit(), 3);
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(limit(), 2);
}

TEST_F(CpuCountTest, Version1) {
  write("/proc/self/mountinfo", kV1Mount);
  write("/proc/self/cgroup", "7:memory:/other\n4:cpu,cpuacct:/job\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "350000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(limit(), 3);
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(limit(), std::nullopt);
}

TEST_F(CpuCountTest, ContainerThatSeesItsOwnGroupAsTheMount) {
  write("/proc/self/mountinfo",
        "31 23 0:27 /docker/x /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  write("/proc/self/cgroup", "4:cpu:/docker/x\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(limit(), 2);
  write("/proc/self/cgroup", "4:cpu:/../elsewhere\n");
  EXPECT_EQ(limit(), 2);
}

TEST_F(CpuCountTest, GroupsBesideTheMountedOneHaveItsLimit) {
  write("/proc/self/mountinfo",
        "31 23 0:27 /docker/x /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "100000\n");
  write("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  write("/proc/self/cgroup", "4:cpu:/docker/x/a\n");
  EXPECT_EQ(limit(), 1);
  // Longer, other and shorter names, and one as long, whose "/a" is another.
  for (const char *group :
       {"/docker/xy", "/docker/xy/a", "/other", "/d", "/", "/kubepods/a"}) {
    write("/proc/self/cgroup", std::string("4:cpu:") + group + "\n");
    EXPECT_EQ(limit(), 2) << group;
  }
}

TEST_F(CpuCountTest, MountPointsMayHoldBlanks) {
  write("/proc/self/mountinfo",
        "30 23 0:26 /my\\040job /sys/fs/c\\134group\\040x rw - cgroup2 none "
        "rw\n");
  write("/proc/self/cgroup", "0::/my job/part\n");
  write("/sys/fs/c\\group x/part/cpu.max", "300000 100000\n");
  EXPECT_EQ(limit(), 3);
}

TEST_F(CpuCountTest, NonsenseIsNoLimit) {
  write("/proc/self/mountinfo", "short line\n- - -\n" + std::string(kV2Mount));
  write("/proc/self/cgroup", "nonsense\n0::/a\n");
  for (const char *text :
       {"", "\n", "-5 100000", "100000 0", "abc", "nan nan"}) {
    write("/sys/fs/cgroup/a/cpu.max", text);
    EXPECT_EQ(limit(), std::nullopt) << text;
  }
  // More than any machine has, and than an integer holds.
  write("/sys/fs/cgroup/a/cpu.max", "1e300 1");
  EXPECT_EQ(limit(), 1'000'000);
}

/// Whose thread an OpenMP runtime may have bound: to a hyperthread, a core, a
/// last cache or a socket.
TEST(LeavesOutCpus, AsAPlaceOfAnySizeDoes) {
  CpuMask place;
  for (size_t cpu = 0; cpu < 256; ++cpu) {
    EXPECT_TRUE(leavesOutCpus(place, 256)) << cpu;
    place.set(cpu);
  }
  EXPECT_FALSE(leavesOutCpus(place, 256));
  EXPECT_GE(cpusOfMachine(), usableCpus());
}

TEST_F(CpuCountTest, FollowsTheAffinityMask) {
  EXPECT_GE(usableCpus(), 1);
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_LE(usableCpus(), CPU_COUNT(&before));
  // In a thread of its own, so that the mask of the others stays.
  int64_t pinned = 0;
  CpuMask expected, seen;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
      if (CPU_ISSET(cpu, &before)) {
        CPU_SET(cpu, &one);
        expected.set(size_t(cpu));
      }
    if (sched_setaffinity(0, sizeof one, &one) == 0) {
      pinned = usableCpus();
      seen = affinityOfThread();
    }
  }).join();
  EXPECT_EQ(pinned, 1);
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(affinityOfThread().count(), size_t(CPU_COUNT(&before)));
}

} // namespace
