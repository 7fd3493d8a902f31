// Memory limits read from made-up control-group trees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/FreeMemory.h"

#include "unit/Target/MadeUpRoot.h"

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

TEST(AvailableMemory, IsSomeAndNotMoreThanThereIs) {
  EXPECT_GT(availableMemory(), int64_t(1) << 20);
  EXPECT_LT(availableMemory(), int64_t(1) << 50);
}

} // namespace
