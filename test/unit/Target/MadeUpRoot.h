// A root directory with control groups as a test wants them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace lintel {

/// With just the files that a test writes.
class MadeUpRoot : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "lintel-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    const std::string whole = root + path;
    std::filesystem::create_directories(whole.substr(0, whole.rfind('/')));
    std::ofstream(whole) << text;
  }

  std::string root;
};

} // namespace lintel
