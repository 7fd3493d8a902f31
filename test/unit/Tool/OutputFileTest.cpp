// Files in whose place no other can be put: known before, and refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/OutputFile.h"

#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lintel;
using namespace lintel::tool;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

/// Has a flag of chattr set on a file while it lives, where that is permitted.
class FlaggedFile {
public:
  FlaggedFile(const std::string &path, int flag)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    isFlagged = ::ioctl(descriptor, FS_IOC_GETFLAGS, &before) == 0 &&
                set(before | flag);
  }
  FlaggedFile(const FlaggedFile &) = delete;
  FlaggedFile &operator=(const FlaggedFile &) = delete;
  ~FlaggedFile() {
    if (isFlagged)
      set(before);
    ::close(descriptor);
  }

  bool permitted() const { return isFlagged; }

private:
  bool set(int flags) {
    return ::ioctl(descriptor, FS_IOC_SETFLAGS, &flags) == 0;
  }

  int descriptor;
  int before = 0;
  bool isFlagged = false;
};

class OutputFileTest : public testing::Test {
protected:
  /// The same before and at the end.
  static std::string messageOf(const std::string &path) {
    const Status before = checkCanBeWritten(path), end = writeFile(path, {});
    const std::string said = before ? "no error" : before.error().message();
    EXPECT_EQ(said, end ? "no error" : end.error().message());
    return said;
  }
  /// Whether this user may see the file.
  static bool canReach(const std::string &path, uid_t user) {
    if (::seteuid(user) != 0)
      return false;
    struct stat status;
    const bool reached = ::stat(path.c_str(), &status) == 0;
    EXPECT_EQ(::seteuid(0), 0);
    return reached;
  }
  TemporaryDirectory directory;
};

TEST_F(OutputFileTest, FilesThatAreFlaggedStay) {
  for (const auto &[flag, said] :
       {std::pair(FS_IMMUTABLE_FL, "is immutable (chattr +i)"),
        {FS_APPEND_FL, "can only be appended to (chattr +a)"}}) {
    const std::string path = directory.write("a.npy", "old");
    const FlaggedFile flagged(path, flag);
    if (!flagged.permitted())
      GTEST_SKIP() << "this user or file system sets no such flags";
    EXPECT_EQ(messageOf(path),
              path + ": " + said + "; name another file to write");
    EXPECT_EQ(directory.read("a.npy"), "old");
  }
}

TEST_F(OutputFileTest, FilesOfOthersInAStickyFolderStay) {
  constexpr uid_t kOther = 65534;
  const std::string folder = directory.file("");
  const std::string path = directory.write("a.npy", "old");
  ASSERT_EQ(::chmod(folder.c_str(), 01777), 0);
  // Not so in user namespaces, nor in folders of root's alone.
  if (::geteuid() != 0 || ::chown(path.c_str(), kOther, kOther) != 0 ||
      ::chown(path.c_str(), 0, 0) != 0 || !canReach(path, kOther))
    GTEST_SKIP() << "this user makes no files of others, or they see none";
  const auto messageOfOther = [&] {
    EXPECT_EQ(::seteuid(kOther), 0);
    const std::string said = messageOf(path);
    EXPECT_EQ(::seteuid(0), 0);
    return said;
  };
  EXPECT_THAT(messageOfOther(),
              EndsWith("a.npy: is another user's, in a sticky folder, where "
                       "only its owner may replace it; name another file to "
                       "write"));
  EXPECT_EQ(messageOf(path), "no error") << "root may";
  ASSERT_EQ(::chown(path.c_str(), kOther, kOther), 0);
  EXPECT_EQ(messageOfOther(), "no error") << "it is its own";
  ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
  EXPECT_EQ(messageOfOther(), "no error") << "the folder is not sticky";
}

TEST_F(OutputFileTest, FoldersThatAreOnlyAppendedToTakeNone) {
  const std::string folder = directory.file("");
  {
    const FlaggedFile flagged(folder, FS_APPEND_FL);
    if (!flagged.permitted())
      GTEST_SKIP() << "this user or file system sets no such flags";
    const Status before = checkCanBeWritten(directory.file("a.npy"));
    ASSERT_FALSE(before);
    EXPECT_THAT(before.error().message(),
                HasSubstr("a.npy: cannot remove the temporary file "));
  }
}

TEST_F(OutputFileTest, MountPointsStay) {
  const std::string path = directory.write("a.npy", "old");
  constexpr int kNotPermitted = 2;
  // The mount is in a child alone, and goes with it.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount(path.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0)
      ::_exit(kNotPermitted);
    const std::string said = path + ": is a mount point, in whose place no "
                                    "file can be put; name another file to "
                                    "write";
    ::_exit(messageOf(path) == said ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kNotPermitted)
    GTEST_SKIP() << "this user can mount nothing";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// Else what leads to it, /dev/stdout say, would be replaced.
TEST_F(OutputFileTest, AFileWithoutANameIsNoTarget) {
  const std::string path = directory.write("a.npy", "old");
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::unlink(path.c_str()), 0);
  EXPECT_THAT(messageOf("/proc/self/fd/" + std::to_string(descriptor)),
              HasSubstr("leads to a file without a name"));
  ::close(descriptor);
}

TEST_F(OutputFileTest, AnEmptyNameIsNone) {
  EXPECT_EQ(messageOf(""), "the name of a file to write is empty");
}

} // namespace
