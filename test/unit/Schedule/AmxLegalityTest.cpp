// Legality of schedules on tile registers: what messages recommend.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/Schedule/Refusal.h"

#include <gmock/gmock.h>

using namespace lintel;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

TEST(CheckAmxSchedule, NamesWhatIsWrongWithStreamsAndWhatIsRight) {
  const auto check = [](const std::string &fields) {
    return refusal("unit=amx,group=2,epilogue=tile," + fields,
                   "512x4096:4096x4096", sapphireRapids(), "bf16");
  };
  EXPECT_THAT(check("tile=32x32,streams=3,prefetch=192"),
              AllOf(HasSubstr("streams"),
                    EndsWith("that divide nr = 32 "
                             "(1, 2, 4, 8, 16), not 3"),
                    Not(HasSubstr("192"))));
  EXPECT_THAT(check("tile=16x48,streams=5,prefetch=320"),
              EndsWith("(1, 2, 3, 4, 6, 8, 12, 16), not 5"));
  EXPECT_THAT(check("tile=32x32,streams=8,prefetch=576"),
              AllOf(HasSubstr("with 8 streams"),
                    EndsWith("prefetch in multiples of 512 bytes, a line of "
                             "each, not 576"),
                    Not(HasSubstr("nr"))));
  EXPECT_THAT(check("tile=32x32,streams=4"),
              EndsWith("multiples of 256 bytes, a line of each, not 0"));
  // As recommended.
  for (const char *legal : {"tile=32x32,streams=4,prefetch=256",
                            "tile=16x48,streams=3,prefetch=192",
                            "tile=32x32,streams=8,prefetch=512"})
    EXPECT_EQ(check(legal), "accepted") << legal;
}

TEST(CheckAmxSchedule, NamesTheExtensionThatIsMissing) {
  const auto check = [](const char *types, const Target &target) {
    return refusal("tile=32x32,unit=amx,group=2,epilogue=tile", "64x64:64x64",
                   target, types);
  };
  const Target zen = zen4WithPairs();
  EXPECT_THAT(check("bf16", zen),
              AllOf(HasSubstr("the target does not have for bf16: it lacks "
                              "the extension amx-bf16; "),
                    HasSubstr("'lintel doctor' says why"),
                    HasSubstr("LINTEL_EMULATE_AMX=1 emulates it")));
  EXPECT_THAT(check("u8s8", zen), HasSubstr("lacks the extension amx-int8"));
  // One that has AMX need not have all of it, which is not emulated then.
  EXPECT_THAT(
      check("f16", sapphireRapids()),
      EndsWith("lacks the extension amx-fp16; widen=panel splits f16 into two "
               "bf16 each, which it has"));
  EXPECT_THAT(check("f32", sapphireRapids()),
              EndsWith("does not have for f32, nor has any other"));
  EXPECT_EQ(check("bf16", sapphireRapids()), "accepted");
}

TEST(CheckAmxSchedule, SplitsF16ForStripsThatPassItsPanels) {
  const auto check = [](const std::string &fields, const char *types,
                        const Target &target) {
    return refusal("tile=32x32,unit=amx,epilogue=tile,widen=panel" + fields,
                   "64x64:64x64", target, types);
  };
  const std::string right = ",pack=block,tiles=nm";
  EXPECT_EQ(check(right, "f16", sapphireRapids()), "accepted");
  EXPECT_EQ(check(right + ",prefetch=1024", "f16", sapphireRapids()),
            "accepted");
  for (const char *types : {"bf16", "u8s8", "f32"})
    EXPECT_THAT(check(right, types, sapphireRapids()),
                HasSubstr("with widen=panel takes x and w of f16"));
  EXPECT_THAT(check(right, "f16", zen4WithPairs()),
              HasSubstr("a target with amx-bf16, not f16 and isa=avx512"));
  EXPECT_THAT(check(right + ",group=2", "f16", sapphireRapids()),
              EndsWith("takes group=1 for f16 with widen=panel, not 2"));
  for (const char *odd :
       {"", ",pack=block", ",tiles=nm", ",pack=whole,tiles=nm,kc=32",
        ",pack=block,tiles=nm,ahead=1024"})
    EXPECT_THAT(check(odd, "f16", sapphireRapids()),
                EndsWith("takes pack=block, tiles=nm and no ahead"))
        << odd;
}

} // namespace
