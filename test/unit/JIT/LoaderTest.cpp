// Loading kernels into the process and letting them go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JIT/Loader.h"
#include "TileEmulation/TileEmulation.h"
#include "unit/JIT/Objects.h"
#include "unit/JIT/RunLayer.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <numeric>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

std::shared_ptr<Loader> newLoader() {
  auto loader = Loader::create();
  if (!loader) {
    ADD_FAILURE() << loader.error().message();
    return nullptr;
  }
  return std::move(*loader);
}

std::shared_ptr<const Kernel> load(Loader &loader, const Bytes &object) {
  auto kernel = loader.load(object, kKernelSymbol);
  if (!kernel) {
    ADD_FAILURE() << kernel.error().message();
    return nullptr;
  }
  return std::move(*kernel);
}

/// From here on this process may make nothing executable, as where a policy
/// says so.
bool forbidExecutableMemory() {
  constexpr uint32_t kDenied = SECCOMP_RET_ERRNO | EACCES;
  const auto field = [](size_t offset) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset));
  };
  sock_filter filter[] = {
      field(offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      field(offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kDenied),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// What a kernel made by storingKernel stores.
int storedBy(const Kernel &kernel) {
  int stored = -1;
  KernelArgs args = {};
  args.workspace = &stored;
  kernel.function()(&args, 0, 1);
  return stored;
}

struct Mapping {
  uintptr_t begin, end;
  std::string permissions;
};

std::vector<Mapping> mappings() {
  std::ifstream maps("/proc/self/maps");
  std::vector<Mapping> found;
  std::string line;
  while (std::getline(maps, line)) {
    Mapping mapping;
    char permissions[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &mapping.begin, &mapping.end,
                    permissions) != 3)
      continue;
    mapping.permissions = permissions;
    found.push_back(mapping);
  }
  return found;
}

/// The first in the process, so that LLVM's back end is registered here.
TEST(LoaderTest, ManyAreMadeAtOnce) {
  constexpr int kThreads = 8;
  std::atomic<int> waiting{kThreads};
  std::vector<std::string> faults(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::string &fault : faults)
      threads.emplace_back([&] {
        for (--waiting; waiting > 0;)
          ;
        if (auto loader = Loader::create(); !loader)
          fault = loader.error().message();
      });
  }
  EXPECT_THAT(faults, Each(IsEmpty()));
}

TEST(Loader, RunsAKernel) {
  auto loader = newLoader();
  auto kernel = load(*loader, objectOfIr(storingKernel(7)));
  EXPECT_EQ(storedBy(*kernel), 7);
}

TEST(Loader, KeepsKernelsOfTheSameSymbolApart) {
  auto loader = newLoader();
  auto first = load(*loader, objectOfIr(storingKernel(1)));
  auto second = load(*loader, objectOfIr(storingKernel(2)));
  auto again = load(*loader, objectOfIr(storingKernel(1)));
  EXPECT_EQ(storedBy(*first), 1);
  EXPECT_EQ(storedBy(*second), 2);
  EXPECT_EQ(storedBy(*again), 1);
  EXPECT_NE(first->function(), again->function());
  second.reset();
  EXPECT_EQ(storedBy(*first), 1);
}

TEST(Loader, BindsTheEmulation) {
  auto loader = newLoader();
  auto kernel = load(*loader, objectOfIr("declare void @lintel_tmm_zero(i32)\n"
                                         "define void @lintel_kernel() {\n"
                                         "  call void @lintel_tmm_zero(i32 8)\n"
                                         "  ret void\n}"));
  const uint64_t before = tileFaults();
  kernel->function()(nullptr, 0, 1);
  EXPECT_EQ(tileFaults(), before + 1) << "there is no tile 8";
}

TEST(Loader, KernelsOutliveTheirLoader) {
  auto loader = newLoader();
  auto kernel = load(*loader, objectOfIr(storingKernel(9)));
  std::weak_ptr<Loader> watched = loader;
  loader.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(storedBy(*kernel), 9);
}

TEST(Loader, RunsACompiledLayer) {
  auto loader = newLoader();
  LayerData layer = {/*m=*/5, /*n=*/20, /*k=*/7, /*nr=*/8, {}, {}, {}};
  layer.x.resize(5 * 7);
  layer.w.resize(20 * 7);
  layer.operand.resize(20);
  std::iota(layer.x.begin(), layer.x.end(), -9.0f);
  std::iota(layer.w.begin(), layer.w.end(), -70.0f);
  std::iota(layer.operand.begin(), layer.operand.end(), 1000.0f);
  for (const char *schedule :
       {"tile=3x8", "tile=3x8,kc=3,pack=block", "tile=3x8,epilogue=tile"}) {
    auto kernel = load(*loader, objectOfLayer("5x7:7x20 bias", schedule));
    auto output = runLayer(*kernel, layer);
    for (int64_t row = 0; row < 5; ++row)
      for (int64_t column = 0; column < 20; ++column) {
        float sum = layer.operand[column]; // small integers: exact in any order
        for (int64_t depth = 0; depth < 7; ++depth)
          sum += layer.x[row * 7 + depth] * layer.w[column * 7 + depth];
        EXPECT_EQ(output[row * 20 + column], sum)
            << schedule << ": " << row << ", " << column;
      }
  }
}

TEST(Loader, RefusesWhatIsNoKernel) {
  auto loader = newLoader();
  Bytes object = objectOfIr(storingKernel(3));
  auto other = loader->load(object, "other");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::corrupt);
  object.resize(object.size() / 2);
  EXPECT_FALSE(loader->load(object, kKernelSymbol));
  EXPECT_FALSE(loader->load({}, kKernelSymbol));
  EXPECT_EQ(storedBy(*load(*loader, objectOfIr(storingKernel(4)))), 4)
      << "a refusal must leave the loader usable";
}

/// validateObject lets this pass; that the address does not fit is the linker's
/// to see.
TEST(Loader, ReportsWhatTheLinkerRefuses) {
  auto loader = newLoader();
  Bytes object = objectWithAssembly(
      {".text", "far: .long 0", ".reloc far, R_X86_64_32, lintel_kernel"});
  ASSERT_TRUE(validateObject(object, kKernelSymbol));
  auto kernel = loader->load(object, kKernelSymbol);
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code(), ErrorCode::compile);
  EXPECT_THAT(kernel.error().message(),
              AllOf(HasSubstr("does not link"), HasSubstr("out of range")));
}

/// Any thread may link what another asked for.
TEST(Loader, ReportsEachThreadItsOwnReason) {
  auto loader = newLoader();
  auto refused = [](const std::string &relocation) {
    return objectWithAssembly(
        {".text", "far: .long 0",
         ".reloc far, " + relocation + ", lintel_kernel"});
  };
  const std::vector<std::pair<Bytes, std::string>> cases = {
      {refused("R_X86_64_32"), "out of range of Pointer32 fixup"},
      {refused("R_X86_64_32S"), "out of range of Pointer32Signed fixup"},
      {objectOfIr(storingKernel(1)), ""}};
  std::atomic<int> right = 0;
  constexpr int kRounds = 25;
  {
    std::vector<std::jthread> threads;
    for (const auto &[object, reason] : cases)
      for (int i = 0; i < 2; ++i)
        threads.emplace_back([&] {
          for (int round = 0; round < kRounds; ++round) {
            auto kernel = loader->load(object, kKernelSymbol);
            const std::string message = kernel ? "" : kernel.error().message();
            right += bool(kernel) == reason.empty() &&
                     message.find(reason) != std::string::npos;
          }
        });
  }
  EXPECT_EQ(right, kRounds * int(2 * cases.size()));
}

/// Bytes that pass validateObject may still be nonsense to the linker: it must
/// say so, or link them. Nothing here runs the result.
TEST(Loader, SurvivesDamagedBytes) {
  auto loader = newLoader();
  const Bytes good = objectOfLayer("3x5:5x7 tanh", "tile=1x4");
  size_t linked = 0;
  for (size_t position = 0; position < good.size(); ++position)
    for (unsigned flip : {0x01u, 0x10u, 0xffu}) {
      Bytes damaged(good);
      damaged[position] ^= std::byte(flip);
      linked += bool(loader->load(damaged, kKernelSymbol));
    }
  EXPECT_GT(linked, 0u) << "flips in instructions go unseen";
  EXPECT_LT(linked, 3 * good.size());
}

TEST(Loader, UnloadingGivesMemoryBack) {
  auto loader = newLoader();
  const Bytes object = objectOfLayer("20x32:32x96 bias+gelu_erf", "tile=2x16");
  auto cycle = [&](int count) {
    for (int i = 0; i < count; ++i)
      ASSERT_TRUE(load(*loader, object));
  };
  cycle(20);
  const size_t before = mappings().size();
  cycle(200);
  EXPECT_LE(mappings().size(), before + 4)
      << "one mapping a cycle would be 200";
}

TEST(Loader, LoadsFromSeveralThreads) {
  auto loader = newLoader();
  constexpr int kThreads = 4, kRounds = 25;
  std::vector<Bytes> objects;
  for (int value = 0; value < kThreads; ++value)
    objects.push_back(objectOfIr(storingKernel(100 + value)));
  std::vector<int> right(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      std::shared_ptr<const Kernel> kept;
      for (int round = 0; round < kRounds; ++round) {
        auto kernel = loader->load(objects[thread], kKernelSymbol);
        if (!kernel)
          return;
        kept = std::move(*kernel);
        right[thread] += storedBy(*kept) == 100 + thread;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_THAT(right, ::testing::Each(kRounds));
}

TEST(Loader, LeavesNoPageWritableAndExecutable) {
  auto loader = newLoader();
  auto kernel =
      load(*loader, objectOfLayer("20x32:32x96 bias+gelu_erf", "tile=2x16"));
  auto address = reinterpret_cast<uintptr_t>(kernel->function());
  bool found = false;
  for (const Mapping &mapping : mappings()) {
    EXPECT_FALSE(mapping.permissions[1] == 'w' && mapping.permissions[2] == 'x')
        << std::hex << mapping.begin << " " << mapping.permissions;
    if (mapping.begin <= address && address < mapping.end) {
      EXPECT_EQ(mapping.permissions, "r-xp");
      found = true;
    }
  }
  EXPECT_TRUE(found);
}

TEST(Loader, SaysWhereAPolicyForbidsCode) {
  constexpr int kNoSeccomp = 77;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (!forbidExecutableMemory())
      _exit(kNoSeccomp);
    const auto loader = Loader::create();
    const std::string said = loader ? "none" : loader.error().message();
    _exit(write(ends[1], said.data(), said.size()) == ssize_t(said.size()) ? 0
                                                                           : 1);
  }
  close(ends[1]);
  std::string said(4096, '\0');
  said.resize(
      size_t(std::max<ssize_t>(0, read(ends[0], said.data(), said.size()))));
  close(ends[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WEXITSTATUS(status) == kNoSeccomp)
    GTEST_SKIP() << "the system takes no filter of system calls";
  EXPECT_EQ(status, 0);
  EXPECT_THAT(said,
              AllOf(HasSubstr("make memory executable (Permission denied)"),
                    HasSubstr("MemoryDenyWriteExecute")));
}

// The session may be locked by a thread that the child does not have.
TEST(Loader, LeavesTheKernelsOfAParentAlone) {
  auto loader = newLoader();
  auto kernel = load(*loader, objectOfIr(storingKernel(7)));
  const auto isMapped = [entry =
                             reinterpret_cast<uintptr_t>(kernel->function())] {
    for (const Mapping &mapping : mappings())
      if (entry >= mapping.begin && entry < mapping.end)
        return true;
    return false;
  };
  const pid_t child = fork();
  if (child == 0) {
    kernel.reset();
    loader.reset();
    _exit(isMapped() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  kernel.reset();
  loader.reset();
  EXPECT_FALSE(isMapped());
}

} // namespace
