// Memory that made-up machines and control groups leave.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/FreeMemory.h"

#include "unit/Target/MadeUpRoot.h"

#include <unistd.h>

using namespace lintel;

namespace {

class FreeMemoryTest : public MadeUpRoot {
protected:
  std::optional<int64_t> left() const { return cgroupFreeMemory(root); }
};

TEST_F(FreeMemoryTest, WithoutGroupsThereIsNoLimit) {
  EXPECT_EQ(left(), std::nullopt);
}

TEST_F(FreeMemoryTest, Version2LeavesWhatIsNotUsedOrCanBeDropped) {
  write("/proc/self/mountinfo",
        "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/proc/self/cgroup", "0::/a/b\n");
  write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  write("/sys/fs/cgroup/a/b/memory.current", "500\n");
  EXPECT_EQ(left(), std::nullopt);
  write("/sys/fs/cgroup/a/memory.max", "1000\n");
  write("/sys/fs/cgroup/a/memory.current", "600\n");
  EXPECT_EQ(left(), 400);
  write("/sys/fs/cgroup/a/memory.stat",
        "anon 500\ninactive_file 70\nactive_file 5\nslab_reclaimable 4\n");
  EXPECT_EQ(left(), 479);
  write("/sys/fs/cgroup/a/b/memory.max", "450\n");
  EXPECT_EQ(left(), 0);
}

TEST_F(FreeMemoryTest, Version1) {
  write("/proc/self/mountinfo", "31 23 0:27 / /sys/fs/cgroup/memory rw - "
                                "cgroup cgroup rw,memory\n");
  write("/proc/self/cgroup", "4:cpu:/elsewhere\n5:memory:/a\n");
  const std::string directory = "/sys/fs/cgroup/memory/a/";
  write(directory + "memory.limit_in_bytes", "9223372036854771712\n");
  write(directory + "memory.usage_in_bytes", "600\n");
  EXPECT_EQ(left(), std::nullopt);
  write(directory + "memory.limit_in_bytes", "1000\n");
  EXPECT_EQ(left(), 400);
  write(directory + "memory.stat",
        "inactive_file 1\ntotal_inactive_file 30\ntotal_active_file 7\n");
  EXPECT_EQ(left(), 437);
}

TEST_F(FreeMemoryTest, TheMachineSaysWhatIsAvailable) {
  EXPECT_EQ(freeMemoryOfMachine(root), std::nullopt);
  // Before Linux 3.14 there is no such line.
  const std::string others = "MemTotal:       16384000 kB\n"
                             "HugePages_Total:       0\n"
                             "MemFree:          500000 kB\n";
  write("/proc/meminfo", others);
  EXPECT_EQ(freeMemoryOfMachine(root), std::nullopt);
  write("/proc/meminfo", others + "MemAvailable:    7000000 kB\n"
                                  "Buffers:           90000 kB\n");
  EXPECT_EQ(freeMemoryOfMachine(root), int64_t(7'000'000) * 1024);
}

TEST_F(FreeMemoryTest, NonsenseIsAsIfNothingWereSaid) {
  for (const char *number :
       {"", "abc", "nan", "-1", "-9223372036854775808", "9007199254740992",
        "9223372036854775807", "99999999999999999999999"}) {
    write("/proc/meminfo", std::string("MemAvailable: ") + number + " kB\n");
    EXPECT_EQ(freeMemoryOfMachine(root), std::nullopt) << number;
  }
  // The most that 64 bits count in bytes, and none.
  write("/proc/meminfo", "MemAvailable: 9007199254740991 kB\n");
  EXPECT_EQ(freeMemoryOfMachine(root), 9007199254740991 * 1024);
  write("/proc/meminfo", "MemAvailable: 0 kB\n");
  EXPECT_EQ(freeMemoryOfMachine(root), 0);
}

TEST_F(FreeMemoryTest, TheLeastOfAllIsAvailable) {
  const int64_t physical =
      int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  EXPECT_EQ(availableMemory(root), physical);
  write("/proc/meminfo", "MemAvailable: 8 kB\n");
  EXPECT_EQ(availableMemory(root), 8192);
  write("/proc/self/mountinfo",
        "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/proc/self/cgroup", "0::/a\n");
  write("/sys/fs/cgroup/a/memory.max", "9000\n");
  write("/sys/fs/cgroup/a/memory.current", "1000\n");
  EXPECT_EQ(availableMemory(root), 8000);
  write("/proc/meminfo", "MemAvailable: -1 kB\n");
  EXPECT_EQ(availableMemory(root), 8000);
  write("/proc/meminfo", "MemAvailable: 7 kB\n");
  EXPECT_EQ(availableMemory(root), 7168);
  // Neither gives more than there is.
  write("/proc/meminfo", "MemAvailable: 9007199254740991 kB\n");
  write("/sys/fs/cgroup/a/memory.max", "100000000000000000\n");
  EXPECT_EQ(availableMemory(root), physical);
}

TEST(AvailableMemory, IsSomeAndNotMoreThanThereIs) {
  EXPECT_GT(availableMemory(), int64_t(1) << 20);
  EXPECT_LT(availableMemory(), int64_t(1) << 50);
}

} // namespace
