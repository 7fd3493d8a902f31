// A directory that lives as long as a test.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace lintel::tool {

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "lintel-tool-XXXXXX")
            .string();
    path = ::mkdtemp(pattern.data()) ? pattern : "";
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path.empty())
      std::filesystem::remove_all(path, ignored);
  }

  std::string file(std::string_view name) const {
    return path + "/" + std::string(name);
  }
  /// Writes `contents` and returns the path.
  std::string write(std::string_view name, std::string_view contents) const {
    std::ofstream(file(name), std::ios::binary) << contents;
    return file(name);
  }
  std::string read(std::string_view name) const {
    std::ifstream stream(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  size_t count() const {
    return size_t(std::distance(std::filesystem::directory_iterator(path), {}));
  }

private:
  std::string path;
};

} // namespace lintel::tool
