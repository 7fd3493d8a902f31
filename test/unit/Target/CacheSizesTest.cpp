// Cache sizes decoded from CPUID leaves and /sys trees of other machines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/CacheSizes.h"

#include "Lintel/Target.h"

#include "unit/Target/MadeUpRoot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <unistd.h>
#include <vector>

using namespace lintel;
namespace fs = std::filesystem;

namespace {

enum CacheType : uint32_t { none = 0, data = 1, instruction = 2, unified = 3 };

CpuidRegisters cache(CacheType type, uint32_t level, uint32_t lineSize,
                     uint32_t ways, uint32_t sets, uint32_t threads = 1,
                     uint32_t partitions = 1) {
  return {type | level << 5 | (threads - 1) << 14,
          (ways - 1) << 22 | (partitions - 1) << 12 | (lineSize - 1), sets - 1,
          0};
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

TEST(CacheSizesTest, APartitionHoldsAsMuchAsTheNext) {
  // Two, an odd number, and the most that CPUID can tell.
  const CacheSizes sizes = decode({cache(data, 1, 64, 8, 64, 1, 2),
                                   cache(unified, 2, 64, 8, 1024, 1, 3),
                                   cache(unified, 3, 64, 16, 32, 1, 1024)});
  EXPECT_EQ(sizes.l1, 64 << 10);
  EXPECT_EQ(sizes.l2, 1536 << 10);
  EXPECT_EQ(sizes.l3, 32 << 20);
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

TEST(CacheSizesTest, MoreThanATargetTakesIsUnknown) {
  constexpr uint32_t kMost = 0xffffffff; // a product of 2^64
  for (uint32_t level : {1, 2, 3}) {
    const CacheSizes sizes =
        decode({CpuidRegisters{data | level << 5, kMost, kMost, 0}});
    EXPECT_EQ(sizes.l1, 0);
    EXPECT_EQ(sizes.l2, 0);
    EXPECT_EQ(sizes.l3, 0);
  }
  // 2^40 bytes, and a line more.
  EXPECT_EQ(decode({cache(unified, 3, 64, 1024, 1 << 24)}).l3, int64_t(1)
                                                                   << 40);
  EXPECT_EQ(decode({cache(unified, 3, 64, 1024, (1 << 24) + 1)}).l3, 0);
  Target target;
  target.l3 = int64_t(1) << 40;
  EXPECT_TRUE(target.check());
  ++target.l3;
  EXPECT_FALSE(target.check());
}

TEST(CacheSizesTest, AnEndlessListEnds) {
  CacheSizes sizes =
      cacheSizesFromLeaf([](uint32_t) { return cache(data, 1, 64, 8, 64); });
  EXPECT_EQ(sizes.l1, 32 << 10);
}

/// CPUs in a made-up /sys.
class CachesOfCpus : public MadeUpRoot {
protected:
  void put(int cpu, int level, const std::string &size,
           const std::string &sharing) {
    const std::string directory =
        "/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(level);
    write(directory + "/level", std::to_string(level) + "\n");
    write(directory + "/type", level == 1 ? "Data\n" : "Unified\n");
    write(directory + "/size", size + "\n");
    write(directory + "/shared_cpu_list", sharing + "\n");
  }
  static CpuMask maskOf(std::initializer_list<size_t> cpus) {
    CpuMask mask;
    for (size_t cpu : cpus)
      mask.set(cpu);
    return mask;
  }
  CacheSizes sizesOf(std::initializer_list<size_t> cpus,
                     const CacheSizes &fromCpuid = {}) {
    return cacheSizesOfAll(root, maskOf(cpus), fromCpuid);
  }
};

TEST_F(CachesOfCpus, MoreThanATargetTakesIsUnknown) {
  put(0, 1, "1048576M", "0");
  put(0, 2, "1048577M", "0");
  put(0, 3, "1099511627776M", "0"); // 2^60
  EXPECT_EQ(sizesOf({0}).l1, int64_t(1) << 40);
  EXPECT_EQ(sizesOf({0}).l2, 0);
  EXPECT_EQ(sizesOf({0}).l3, 0);
}

TEST_F(CachesOfCpus, OfCoresOfSeveralKindsTheSmallestCount) {
  put(0, 1, "48K", "0-1");
  put(0, 2, "1280K", "0-1");
  put(0, 3, "30M", "0-11");
  put(8, 1, "32K", "8");
  put(8, 2, "4M", "8-11"); // a module of four
  put(8, 3, "30M", "0-11");
  put(9, 1, "16K", "nonsense");
  const CacheSizes big = {48 << 10, 1280 << 10, 30 << 20},
                   small = {32 << 10, 1 << 20, 30 << 20};
  for (const CacheSizes &running : {big, small, CacheSizes()}) {
    const CacheSizes sizes = sizesOf({0, 8}, running);
    EXPECT_EQ(sizes.l1, 32 << 10);
    EXPECT_EQ(sizes.l2, 1 << 20);
    EXPECT_EQ(sizes.l3, 30 << 20);
  }
  EXPECT_EQ(sizesOf({0}).l2, 1280 << 10);
  EXPECT_EQ(sizesOf({0, 8, 9}).l1, 16 << 10);
  EXPECT_EQ(sizesOf({}).l1, 0);
}

TEST_F(CachesOfCpus, DiesThatDifferInTheirL3HaveTheSmaller) {
  // A 7950X3D: one die has 96 MiB, the other 32, and no bit of CPUID says so.
  for (int cpu = 0; cpu < 32; ++cpu) {
    const bool isStacked = cpu % 16 < 8;
    const std::string core =
        std::to_string(cpu % 16) + "," + std::to_string(cpu % 16 + 16);
    put(cpu, 1, "32K", core);
    put(cpu, 2, "1024K", core);
    put(cpu, 3, isStacked ? "98304K" : "32768K",
        isStacked ? "0-7,16-23" : "8-15,24-31");
  }
  const CpuMask all = 0xffffffffu;
  EXPECT_EQ(cpusOfEachL3(root, all), maskOf({0, 8}));
  // Of those that are on.
  EXPECT_EQ(cpusOfEachL3(root, all << 4 & all), maskOf({4, 8}));
  for (int64_t l3 : {96 << 20, 32 << 20}) {
    const CacheSizes sizes = sizesOf({0, 8}, {32 << 10, 1 << 20, l3});
    EXPECT_EQ(sizes.l1, 32 << 10);
    EXPECT_EQ(sizes.l2, 1 << 20);
    EXPECT_EQ(sizes.l3, 32 << 20);
  }
}

TEST_F(CachesOfCpus, WhereTheyAgreeCpuidCounts) {
  for (int cpu = 0; cpu < 4; ++cpu)
    put(cpu, 3, "32M", cpu < 2 ? "0-1" : "2-3");
  const CacheSizes sizes = sizesOf({0, 2}, {48 << 10, 2 << 20, 30 << 20});
  EXPECT_EQ(sizes.l1, 48 << 10);
  EXPECT_EQ(sizes.l2, 2 << 20);
  EXPECT_EQ(sizes.l3, 30 << 20);
  EXPECT_EQ(sizesOf({0, 2}).l3, 32 << 20);
}

TEST_F(CachesOfCpus, ThoseWithoutAnL3AreLookedAtOneByOne) {
  put(0, 3, "32M", "0-1");
  put(1, 3, "32M", "0-1");
  put(2, 2, "2M", "2-3"); // as of cores outside the ring
  put(3, 2, "2M", "2-3");
  put(4, 3, "32M", "0-99999999999"); // nonsense
  EXPECT_EQ(cpusOfEachL3(root, 0b11111), maskOf({0, 2, 3, 4}));
  EXPECT_EQ(cpusOfEachL3(root, {}), maskOf({}));
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
  const CacheSizes all = readCacheSizes();
  const std::string cpusDirectory = "/sys/devices/system/cpu";
  const CacheSizes sys = cacheSizesOfAll(cpusDirectory, affinityOfThread(), {});
  if (sys.l1 == 0)
    GTEST_SKIP() << "this machine shows no caches in /sys";
  EXPECT_EQ(all.l1, sys.l1);
  EXPECT_EQ(all.l2, sys.l2);
}

} // namespace
