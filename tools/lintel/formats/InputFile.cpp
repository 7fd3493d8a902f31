// A regular file opened for reading, every range checked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/InputFile.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lintel::tool {

namespace {

Error systemError(const std::string &path, std::string_view what) {
  return Error(ErrorCode::io, path + ": " + std::string(what) + ": " +
                                  std::generic_category().message(errno));
}

} // namespace

InputFile::InputFile(int descriptor, std::string path, uint64_t bytes)
    : descriptor(descriptor), filePath(std::move(path)), bytes(bytes) {}

InputFile::InputFile(InputFile &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)),
      filePath(std::move(other.filePath)), bytes(other.bytes) {}

InputFile &InputFile::operator=(InputFile &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  std::swap(filePath, other.filePath);
  std::swap(bytes, other.bytes);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Expected<InputFile> InputFile::open(const std::string &path) {
  if (path.empty())
    return Error(ErrorCode::io, "the name of a file to read is empty");
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError(path, "cannot open");
  struct stat status;
  if (::fstat(descriptor, &status) != 0) {
    Error error = systemError(path, "cannot read its size");
    ::close(descriptor);
    return error;
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return Error(ErrorCode::io,
                 path + ": not a regular file; Lintel reads regular files");
  }
  return InputFile(descriptor, path, uint64_t(status.st_size));
}

Status InputFile::read(uint64_t offset, std::span<std::byte> destination,
                       std::string_view what) const {
  if (offset > bytes || destination.size() > bytes - offset)
    return Error(ErrorCode::parse,
                 filePath + ": " + std::string(what) + " needs " +
                     std::to_string(destination.size()) + " bytes at offset " +
                     std::to_string(offset) + ", but the file has " +
                     std::to_string(bytes) + " in all; it is cut short");
  while (!destination.empty()) {
    ssize_t count = ::pread(descriptor, destination.data(), destination.size(),
                            off_t(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError(filePath, "cannot read");
    if (count == 0)
      return Error(ErrorCode::io,
                   filePath + ": became shorter while it was read");
    destination = destination.subspan(size_t(count));
    offset += uint64_t(count);
  }
  return {};
}

Expected<std::string> InputFile::readText(uint64_t limit) const {
  if (bytes > limit)
    return Error(ErrorCode::parse, filePath + ": has " + std::to_string(bytes) +
                                       " bytes; at most " +
                                       std::to_string(limit) + " are read");
  std::string text(bytes, '\0');
  Status status =
      read(0, std::as_writable_bytes(std::span(text)), "the contents");
  if (!status)
    return status.error();
  if (text.starts_with("\xEF\xBB\xBF"))
    return Error(ErrorCode::parse,
                 filePath + ": begins with a byte order mark; save it as UTF-8 "
                            "without one");
  return text;
}

} // namespace lintel::tool
