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
                     uint32_t ways, uint32_t sets) {
  return {type | level << 5, (ways - 1) << 22 | (lineSize - 1), sets - 1, 0};
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
  CacheSizes sys = cacheSizesFromSys("/sys/devices/system/cpu/cpu0");
  if (sys.l1 == 0)
    GTEST_SKIP() << "this machine shows no caches in /sys";
  EXPECT_EQ(all.l1, sys.l1);
  EXPECT_EQ(all.l2, sys.l2);
}

} // namespace
