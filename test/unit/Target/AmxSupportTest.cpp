// What using AMX takes, on machines real and made up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/AmxSupport.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace lintel;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Pair;

namespace {

/// A CPU with all but amx-fp16, under an operating system that allows it.
AmxFacts usable() {
  AmxFacts facts;
  facts.cpuid7Edx = 1u << 22 | 1u << 24 | 1u << 25;
  facts.xcr0 = 0x602e7;
  facts.maxPalette = 1;
  facts.answer = 0;
  return facts;
}

std::string detailOfPermission(const AmxFacts &facts) {
  return checkAmx(facts).back().detail;
}

/// The names of the checks that do not hold.
std::vector<std::string> missing(const AmxFacts &facts) {
  std::vector<std::string> names;
  for (const AmxCheck &check : checkAmx(facts))
    if (!check.holds)
      names.emplace_back(check.name);
  return names;
}

TEST(AmxSupport, EveryCheckHolds) {
  EXPECT_THAT(missing(usable()), testing::IsEmpty());
  EXPECT_EQ(checkAmx(usable()).front().detail, "amx-tile amx-bf16 amx-int8");
  EXPECT_THAT(
      amxFeatures(usable()),
      testing::ElementsAre(Pair("amx-bf16", true), Pair("amx-fp16", false),
                           Pair("amx-int8", true), Pair("amx-tile", true)));
  AmxFacts newer = usable();
  newer.cpuid7Sub1Eax = 1u << 21;
  EXPECT_TRUE(amxFeatures(newer)["amx-fp16"]);
}

TEST(AmxSupport, EachCheckIsNeeded) {
  struct Case {
    const char *name, *detail;
    void (*spoil)(AmxFacts &);
  };
  for (const Case &c :
       {Case{"cpuid", "does not report amx-tile",
             [](AmxFacts &facts) { facts.cpuid7Edx &= ~(1u << 24); }},
        Case{"xcr0", "XCR0 bits 17 and 18",
             [](AmxFacts &facts) { facts.xcr0 &= ~uint64_t(1 << 17); }},
        Case{"xcr0", "XCR0 bits 17 and 18",
             [](AmxFacts &facts) { facts.xcr0 &= ~uint64_t(1 << 18); }},
        Case{"palette", "0x1D", [](AmxFacts &facts) { facts.maxPalette = 0; }},
        Case{"permission", "ARCH_REQ_XCOMP_PERM",
             [](AmxFacts &facts) { facts.answer = EPERM; }}}) {
    AmxFacts facts = usable();
    c.spoil(facts);
    EXPECT_THAT(missing(facts), testing::ElementsAre(c.name));
    for (const AmxCheck &check : checkAmx(facts))
      if (!check.holds)
        EXPECT_THAT(check.detail, HasSubstr(c.detail));
    EXPECT_THAT(amxFeatures(facts), Each(Pair(testing::_, false))) << c.name;
  }
  EXPECT_EQ(missing(AmxFacts()).size(), 4u);
  EXPECT_THAT(detailOfPermission(AmxFacts()),
              HasSubstr("since there are no tiles to use"));
}

TEST(AmxSupport, SaysWhatTheKernelMeans) {
  const auto refusedWith = [](int error) {
    AmxFacts facts = usable();
    facts.answer = error;
    return detailOfPermission(facts);
  };
  EXPECT_THAT(refusedWith(ENOSPC),
              AllOf(HasSubstr("ARCH_REQ_XCOMP_PERM 18"), HasSubstr("ENOSPC"),
                    HasSubstr("(sigaltstack) too small"),
                    HasSubstr("getauxval(AT_MINSIGSTKSZ) bytes or more"),
                    HasSubstr("create the engine before")));
  EXPECT_THAT(refusedWith(EPERM),
              AllOf(HasSubstr("EPERM"), HasSubstr("forbids arch_prctl")));
  EXPECT_THAT(refusedWith(ENOSYS),
              AllOf(HasSubstr("ENOSYS"), HasSubstr("arch_prctl is missing")));
  EXPECT_THAT(refusedWith(EINVAL),
              AllOf(HasSubstr("EINVAL"), HasSubstr("from 5.16 on")));
  EXPECT_THAT(refusedWith(EOPNOTSUPP), HasSubstr("without tile data"));
  EXPECT_THAT(refusedWith(E2BIG), HasSubstr("errno " + std::to_string(E2BIG)));
}

TEST(AmxSupport, AsksWhereThereAreTilesToUse) {
  const auto answer = [](void (*spoil)(AmxFacts &)) {
    AmxFacts facts = usable();
    facts.answer = {};
    spoil(facts);
    askForTileData(facts, [] { return ENOSPC; });
    return facts.answer;
  };
  EXPECT_EQ(answer([](AmxFacts &) {}), ENOSPC);
  // The request makes signal frames larger for good, so not for nothing.
  EXPECT_EQ(answer([](AmxFacts &facts) { facts.maxPalette = 0; }),
            std::nullopt);
  EXPECT_EQ(answer([](AmxFacts &facts) { facts.xcr0 = 7; }), std::nullopt);
  EXPECT_EQ(answer([](AmxFacts &facts) { facts.cpuid7Edx = 0; }), std::nullopt);
  EXPECT_EQ(answer([](AmxFacts &facts) { facts.asked = false; }), std::nullopt);
}

TEST(AmxSupport, WhoIsNotAskedPermitsNothing) {
  AmxFacts facts = usable();
  facts.asked = false;
  facts.answer = {};
  EXPECT_THAT(missing(facts), testing::ElementsAre("permission"));
  EXPECT_THAT(detailOfPermission(facts), HasSubstr("LINTEL_ISA is below"));
  const AmxFacts here = readAmxFacts(TilePermission::leave);
  EXPECT_FALSE(here.asked);
  EXPECT_EQ(here.answer, std::nullopt);
  EXPECT_FALSE(amxFeatures(here)["amx-tile"]);
}

/// Linux lists a feature that the CPU has and the kernel supports.
bool linuxListsTiles() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::stringstream text;
  text << cpuinfo.rdbuf();
  return text.str().find("amx_tile") != std::string::npos;
}

TEST(AmxSupport, ThisMachine) {
  const AmxFacts facts = readAmxFacts(TilePermission::request);
  EXPECT_EQ(amxFeatures(facts)["amx-tile"],
            linuxListsTiles() && facts.maxPalette != 0 && facts.answer == 0);
  EXPECT_NE(facts.xcr0 & 3, 0u) << "x87 and SSE state are always saved";
}

/// What the kernel answers a process whose signal stack is `flags` and 2 KiB,
/// the least that Linux takes.
std::optional<int> answerBeside(int flags) {
  static char memory[2048];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  stack.ss_flags = flags;
  return sigaltstack(&stack, nullptr) == 0
             ? readAmxFacts(TilePermission::request).answer
             : errno;
}

[[noreturn]] void exitAsSmallSignalStackIsRefused() {
  AmxFacts facts = usable();
  facts.answer = answerBeside(/*flags=*/0);
  std::fputs(detailOfPermission(facts).c_str(), stderr);
  std::exit(answerBeside(SS_DISABLE).value_or(-1));
}

TEST(AmxSupportDeathTest, SmallSignalStackIsRefusedAsLongAsItIsThere) {
  if (!linuxListsTiles() || readAmxFacts(TilePermission::leave).maxPalette == 0)
    GTEST_SKIP() << "this machine has no tile registers";
  // Runs the program anew: a process that was granted tile data, or is the
  // child of one, has no such stack.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exitAsSmallSignalStackIsRefused(), testing::ExitedWithCode(0),
              "sigaltstack");
}

} // namespace
