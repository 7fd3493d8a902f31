// What using AMX takes, on machines real and made up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target/AmxSupport.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace lintel;
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
  facts.permitted = true;
  return facts;
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
             [](AmxFacts &facts) { facts.permitted = false; }}}) {
    AmxFacts facts = usable();
    c.spoil(facts);
    EXPECT_THAT(missing(facts), testing::ElementsAre(c.name));
    for (const AmxCheck &check : checkAmx(facts))
      if (!check.holds)
        EXPECT_THAT(check.detail, HasSubstr(c.detail));
    EXPECT_THAT(amxFeatures(facts), Each(Pair(testing::_, false))) << c.name;
  }
  EXPECT_EQ(missing(AmxFacts()).size(), 4u);
  AmxFacts without;
  without.asked = true;
  EXPECT_THAT(checkAmx(without).back().detail,
              HasSubstr("since there are no tiles to use"));
}

TEST(AmxSupport, WhoIsNotAskedPermitsNothing) {
  AmxFacts facts = usable();
  facts.permitted = facts.asked = false;
  EXPECT_THAT(missing(facts), testing::ElementsAre("permission"));
  EXPECT_THAT(checkAmx(facts).back().detail, HasSubstr("LINTEL_ISA is below"));
  const AmxFacts here = readAmxFacts(TilePermission::leave);
  EXPECT_FALSE(here.asked);
  EXPECT_FALSE(here.permitted);
  EXPECT_FALSE(amxFeatures(here)["amx-tile"]);
}

TEST(AmxSupport, ThisMachine) {
  // Linux lists a feature that the CPU has and the kernel supports.
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::stringstream text;
  text << cpuinfo.rdbuf();
  const bool listed = text.str().find("amx_tile") != std::string::npos;
  const AmxFacts facts = readAmxFacts(TilePermission::request);
  EXPECT_EQ(amxFeatures(facts)["amx-tile"], listed);
  EXPECT_NE(facts.xcr0 & 3, 0u) << "x87 and SSE state are always saved";
}

} // namespace
