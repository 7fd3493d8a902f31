// The C ABI: the log.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/CAPI/CApiFixture.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

using namespace lintel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

using Messages = std::vector<std::pair<lintel_log_level, std::string>>;

void keep(void *messages, lintel_log_level level, const char *message) {
  static_cast<Messages *>(messages)->emplace_back(level, message);
}

class CApiLogTest : public testing::Test {
protected:
  void TearDown() override { lintel_set_log(nullptr, nullptr); }

  /// An engine whose cache cannot be used warns.
  void warn() {
    lintel_engine_options options = engineOptions();
    options.disable_cache = 0;
    options.cache_directory = "/dev/null";
    lintel_engine *engine = nullptr;
    ASSERT_EQ(lintel_engine_create(&options, &engine), LINTEL_OK)
        << lintel_last_error();
    lintel_engine_free(engine);
  }
};

TEST_F(CApiLogTest, MessagesGoToWhoAsksForThem) {
  Messages messages;
  ASSERT_EQ(lintel_set_log(keep, &messages), LINTEL_OK);
  testing::internal::CaptureStderr();
  warn();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(messages,
              ElementsAre(Pair(LINTEL_LOG_WARN, HasSubstr("/dev/null"))));
}

TEST_F(CApiLogTest, NobodyMeansStderr) {
  Messages messages;
  ASSERT_EQ(lintel_set_log(keep, &messages), LINTEL_OK);
  ASSERT_EQ(lintel_set_log(nullptr, &messages), LINTEL_OK);
  testing::internal::CaptureStderr();
  warn();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("[lintel] [warn] "));
  EXPECT_TRUE(messages.empty());
}

} // namespace
