// Cache sizes decoded from CPUID leaves and /sys trees of other machines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/CacheSizes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <vector>

using namespace lintel;
namespace fs = std::filesystem;

namespace {

enum CacheType : uint32_t { none = 0, data = 1, instruction = 2, unified = 3 };

CpuidRegisters cache(CacheType type, uint32_t level, uint32_t lineSize,
                     uint32_t ways, uint32_t sets, uint32_t threads = 1) {
  return {type | level << 5 | (threads - 1) << 14,
          (ways - 1) << 22 | (lineSize - 1), sets - 1, 0};
}

CacheSizes decode(const std::vector<CpuidRegisters> &leaves) {
  return cacheSizesFromLeaf([&](uint32_t subleaf) {
    return subleaf < leaves.size() ? leaves[subleaf] : CpuidRegisters();
  });
}

TEST(CacheSizesTest, DecodesACascadeLake) {
  CacheSizes sizes = decode(
      {cache(data, 1, 64, 8, 64), cache(instruction, 1, 64, 16, 128),
       cache(unified, 2, 64, 16, 1024), cache(unified, 3, 64, 11, 53248)});
  EXPECT_EQ(sizes.l1, 32 << 10);
  EXPECT_EQ(sizes.l2, 1 << 20);
  EXPECT_EQ(sizes.l3, 64 * 11 * 53248);
}

TEST(CacheSizesTest, CoresThatShareAnL2HaveTheirPart) {
  // A module of Sierra Forest: four cores of one thread, 4 MiB.
  EXPECT_EQ(
      decode({cache(data, 1, 64, 8, 64), cache(unified, 2, 64, 16, 4096, 4)})
          .l2,
      1 << 20);
  // Two threads of one core.
  EXPECT_EQ(decode({cache(data, 1, 64, 12, 64, 2),
                    cache(unified, 2, 64, 16, 2048, 2)})
                .l2,
            2 << 20);
  // All CPUs of a virtual machine, which is hard to believe.
  EXPECT_EQ(
      decode({cache(data, 1, 64, 8, 64), cache(unified, 2, 64, 16, 512, 64)})
          .l2,
      256 << 10);
  EXPECT_EQ(
      decode({cache(data, 1, 64, 8, 64), cache(unified, 2, 64, 4, 512, 64)}).l2,
      128 << 10);
}

TEST(CacheSizesTest, StopsAtTheEndAndIgnoresStrangeLevels) {
  EXPECT_EQ(decode({}).l1, 0);
  CacheSizes sizes =
      decode({cache(unified, 4, 64, 16, 1 << 20), cache(data, 1, 64, 12, 64),
              CpuidRegisters(), cache(unified, 2, 64, 16, 1024)});
  EXPECT_EQ(sizes.l1, 48 << 10);
  EXPECT_EQ(sizes.l2, 0);
  EXPECT_EQ(sizes.l3, 0);
}

TEST(CacheSizesTest, AnEndlessListEnds) {
  CacheSizes sizes =
      cacheSizesFromLeaf([](uint32_t) { return cache(data, 1, 64, 8, 64); });
  EXPECT_EQ(sizes.l1, 32 << 10);
}

TEST(CacheSizesTest, OfCoresOfSeveralKindsTheSmallestCount) {
  std::string root = (fs::temp_directory_path() / "lintel-XXXXXX").string();
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  const auto write = [&](int cpu, int level, const char *size,
                         const char *sharing) {
    const std::string directory = root + "/cpu" + std::to_string(cpu) +
                                  "/cache/index" + std::to_string(level);
    fs::create_directories(directory);
    std::ofstream(directory + "/level") << level << '\n';
    std::ofstream(directory + "/type") << (level == 1 ? "Data" : "Unified");
    std::ofstream(directory + "/size") << size << '\n';
    std::ofstream(directory + "/shared_cpu_list") << sharing << '\n';
  };
  write(0, 1, "48K", "0-1");
  write(0, 2, "1280K", "0-1");
  write(0, 3, "30M", "0-11");
  write(8, 1, "32K", "8");
  write(8, 2, "4M", "8-11"); // a module of four
  write(9, 1, "16K", "nonsense");
  CacheSizes sizes = smallestCacheSizes(root, 9);
  EXPECT_EQ(sizes.l1, 32 << 10);
  EXPECT_EQ(sizes.l2, 1 << 20);
  EXPECT_EQ(sizes.l3, 30 << 20);
  EXPECT_EQ(smallestCacheSizes(root, 1).l2, 1280 << 10);
  EXPECT_EQ(smallestCacheSizes(root, 12).l1, 16 << 10);
  EXPECT_EQ(smallestCacheSizes(root, 0).l1, 0);
  fs::remove_all(root);
}

TEST(CacheSizesTest, ReadsSys) {
  std::string root = (fs::temp_directory_path() / "lintel-XXXXXX").string();
  ASSERT_NE(mkdtemp(root.data()), nullptr);
  EXPECT_EQ(cacheSizesFromSys(root).l1, 0);
  auto index = [&](int number, const char *level, const char *type,
                   const char *size) {
    std::string directory = root + "/cache/index" + std::to_string(number);
    fs::create_directories(directory);
    std::ofstream(directory + "/level") << level << '\n';
    std::ofstream(directory + "/type") << type << '\n';
    std::ofstream(directory + "/size") << size << '\n';
  };
  index(0, "1", "Data", "48K");
  index(1, "1", "Instruction", "64K");
  index(2, "2", "Unified", "2M");
  index(3, "3", "Unified", "nonsense");
  CacheSizes sizes = cacheSizesFromSys(root);
  EXPECT_EQ(sizes.l1, 48 << 10);
  EXPECT_EQ(sizes.l2, 2 << 20);
  EXPECT_EQ(sizes.l3, 0);
  fs::remove_all(root);
}

TEST(CacheSizesTest, ThisMachineAgreesWithItself) {
  CacheSizes all = readCacheSizes();
  const CacheSizes sys = smallestCacheSizes("/sys/devices/system/cpu",
                                            sysconf(_SC_NPROCESSORS_CONF));
  if (sys.l1 == 0)
    GTEST_SKIP() << "this machine shows no caches in /sys";
  EXPECT_EQ(all.l1, sys.l1);
  EXPECT_EQ(all.l2, sys.l2);
}

} // namespace
