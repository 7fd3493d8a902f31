// FILE[:TENSOR] references and atomic output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/TensorFile.h"
#include "formats/OutputFile.h"

#include "Console.h"
#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

#include <climits>
#include <sys/stat.h>
#include <unistd.h>

using namespace lintel;
using namespace lintel::tool;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

namespace {

class TensorFileTest : public testing::Test {
protected:
  Tensor tensor(float value) {
    Tensor made = std::move(Tensor::allocate({1, 2})).value();
    made.floats()[0] = made.floats()[1] = value;
    return made;
  }
  std::string messageOf(const std::string &reference) {
    auto read = readTensor(reference);
    return read ? "no error" : read.error().message();
  }
  /// A .safetensors file of empty tensors.
  std::string emptyTensors(const std::vector<std::string> &names) {
    std::string header;
    for (const std::string &name : names)
      header += (header.empty() ? "{\"" : ",\"") + name +
                R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    header += "}";
    std::string contents(1, char(header.size()));
    contents += std::string(7, '\0') + header;
    return directory.write("empty.safetensors", contents);
  }
  TemporaryDirectory directory;
};

TEST_F(TensorFileTest, RoundTripsBothFormats) {
  for (const char *name : {"a.npy", "a.safetensors"}) {
    ASSERT_TRUE(writeTensor(directory.file(name), tensor(3)));
    auto read = readTensor(directory.file(name));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->floats()[1], 3.0f);
  }
  auto named = readTensor(directory.file("a.safetensors") + ":output");
  EXPECT_TRUE(named) << named.error().message();
}

TEST_F(TensorFileTest, ColonsInFileNames) {
  ASSERT_TRUE(writeTensor(directory.file("a:b.npy"), tensor(3)));
  EXPECT_EQ(messageOf(directory.file("a:b.npy")), "no error");
}

TEST_F(TensorFileTest, TensorsThatAreNotThere) {
  ASSERT_TRUE(writeTensor(directory.file("a.npy"), tensor(3)));
  ASSERT_TRUE(writeTensor(directory.file("a.safetensors"), tensor(3)));
  EXPECT_THAT(messageOf(directory.file("a.npy:x")),
              HasSubstr("leave out ':x'"));
  EXPECT_THAT(messageOf(directory.file("a.safetensors:x")),
              HasSubstr("has no tensor 'x'; it holds output"));
  EXPECT_THAT(
      messageOf(directory.file("a.safetensors:ouput")),
      HasSubstr("has no tensor 'ouput'; did you mean output? it holds"));
  EXPECT_THAT(messageOf(directory.file("none.npy")),
              HasSubstr("none.npy: cannot open: No such file"));
  EXPECT_THAT(messageOf(directory.file("")), HasSubstr("not a regular file"));
  EXPECT_THAT(messageOf(""), HasSubstr("name of a file to read is empty"));
}

TEST_F(TensorFileTest, AmbiguousTensorIsAskedFor) {
  const std::string path = emptyTensors({"a", "b"});
  EXPECT_THAT(messageOf(path), HasSubstr("say which tensor"));
  EXPECT_THAT(messageOf(path), HasSubstr("it holds a, b"));
  EXPECT_EQ(messageOf(path + ":b"), "no error");
}

/// The bias has the shorter name.
TEST_F(TensorFileTest, AModuleStandsForItsWeight) {
  const std::string path = emptyTensors({"m.0.fc.bias", "m.0.fc.weight"});
  const auto meant = [&](const std::string &name, std::string_view suffix) {
    const auto read = readTensor(path + ":" + name, suffix);
    return read ? "no error" : read.error().message();
  };
  for (const char *name : {"m.0.fc", "m.0.fcc", "m.0.fc.weigth"})
    EXPECT_THAT(meant(name, kWeightSuffix),
                HasSubstr(std::string("has no tensor '") + name +
                          "'; did you mean m.0.fc.weight? it holds"));
  EXPECT_THAT(meant("m.0.fc", kBiasSuffix),
              HasSubstr("did you mean m.0.fc.bias? it holds"));
  EXPECT_THAT(meant("m.0.fc.bais", kWeightSuffix),
              HasSubstr("did you mean m.0.fc.bias? it holds"));
  EXPECT_THAT(meant("other", kWeightSuffix), Not(HasSubstr("did you mean")));
  EXPECT_THAT(meant("m.0.fc.wieght", kNoSuffix),
              HasSubstr("did you mean m.0.fc.weight? it holds"));
  EXPECT_THAT(meant("m.0", kNoSuffix), Not(HasSubstr("did you mean")));
}

TEST_F(TensorFileTest, AFileMayHoldNone) {
  const std::string path = directory.write(
      "none.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
  for (const std::string &reference : {path, path + ":a"})
    EXPECT_EQ(messageOf(reference),
              path + ": holds no tensor; name a file with one");
}

TEST_F(TensorFileTest, OutputFormatsAreKnownByEnding) {
  Status status = checkOutputPath("out.txt");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr(".npy or .safetensors"));
  EXPECT_FALSE(writeTensor(directory.file("out.txt"), tensor(1)));
  EXPECT_EQ(directory.count(), 0u);
}

TEST_F(TensorFileTest, Bf16GoesToSafetensorsAlone) {
  const auto messageFor = [](const char *path, const char *types) {
    const Status status =
        checkOutputType(path, DataTypes::parse(types).value());
    return status ? "no error" : status.error().message();
  };
  EXPECT_EQ(messageFor("a.safetensors", "bf16"), "no error");
  EXPECT_EQ(messageFor("a.npy", "f16"), "no error");
  EXPECT_EQ(messageFor("a.npy", "bf16:f32"), "no error");
  EXPECT_EQ(messageFor("a.npy", "bf16"),
            "a.npy: NumPy has no bf16; write a .safetensors file, or a result "
            "in f32 with --dtype bf16:f32");
}

/// The types of the files cannot change.
TEST_F(TensorFileTest, AResultInF32IsThatOfTheSameLayer) {
  for (const auto &[types, wide] :
       {std::pair("u8s8:bf16", "u8s8"),
        {"s8s8:bf16,accumulate=s16", "s8s8,accumulate=s16"}}) {
    const Status refused =
        checkOutputType("a.npy", DataTypes::parse(types).value());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message(),
                EndsWith(std::string("a result in f32 with --dtype ") + wide));
  }
}

TEST_F(TensorFileTest, AFailedWriteLeavesNothing) {
  EXPECT_FALSE(writeTensor(directory.file("no/such/dir.npy"), tensor(1)));
  ASSERT_EQ(::mkdir(directory.file("dir.npy").c_str(), 0700), 0);
  Status status = writeTensor(directory.file("dir.npy"), tensor(1));
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("not a regular file"));
  EXPECT_EQ(directory.count(), 1u);
}

TEST_F(TensorFileTest, WhatCannotBeWrittenIsKnownBefore) {
  ASSERT_EQ(::mkdir(directory.file("dir.npy").c_str(), 0700), 0);
  const Status isFolder = checkCanBeWritten(directory.file("dir.npy"));
  ASSERT_FALSE(isFolder);
  EXPECT_THAT(isFolder.error().message(), HasSubstr("not a regular file"));
  const Status noFolder = checkCanBeWritten(directory.file("no/such.npy"));
  ASSERT_FALSE(noFolder);
  EXPECT_THAT(noFolder.error().message(),
              HasSubstr("cannot create the temporary file"));
  EXPECT_TRUE(checkCanBeWritten(directory.file("new.npy")));
  EXPECT_EQ(directory.count(), 1u);
  const std::string longName = std::string(NAME_MAX - 3, 'y') + ".npy";
  std::filesystem::create_symlink(longName, directory.file("link.npy"));
  for (const std::string &name : {longName, std::string("link.npy")}) {
    const Status tooLong = checkCanBeWritten(directory.file(name));
    ASSERT_FALSE(tooLong);
    EXPECT_THAT(tooLong.error().message(),
                HasSubstr("File name too long; name a shorter one to write"));
  }
  EXPECT_EQ(directory.count(), 2u);
}

TEST_F(TensorFileTest, ReplacesWhatALinkPointsTo) {
  ASSERT_TRUE(writeTensor(directory.file("real.npy"), tensor(1)));
  std::filesystem::create_symlink("real.npy", directory.file("link.npy"));
  ASSERT_TRUE(writeTensor(directory.file("link.npy"), tensor(2)));
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link.npy")));
  EXPECT_EQ(readTensor(directory.file("real.npy"))->floats()[0], 2.0f);
}

TEST_F(TensorFileTest, WritesWhereALinkPointsToBeforeThereIsAFile) {
  std::filesystem::create_symlink("real.npy", directory.file("near.npy"));
  std::filesystem::create_symlink(directory.file("near.npy"),
                                  directory.file("far.npy"));
  EXPECT_TRUE(checkCanBeWritten(directory.file("far.npy")));
  EXPECT_EQ(directory.count(), 2u);
  ASSERT_TRUE(writeTensor(directory.file("far.npy"), tensor(2)));
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("far.npy")));
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("near.npy")));
  EXPECT_FALSE(std::filesystem::is_symlink(directory.file("real.npy")));
  EXPECT_EQ(readTensor(directory.file("real.npy"))->floats()[0], 2.0f);
}

TEST_F(TensorFileTest, ALinkToItselfIsNoFileToWrite) {
  std::filesystem::create_symlink("loop.npy", directory.file("loop.npy"));
  for (const Status &status :
       {checkCanBeWritten(directory.file("loop.npy")),
        writeTensor(directory.file("loop.npy"), tensor(1))}) {
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message(), HasSubstr("symbolic links"));
  }
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("loop.npy")));
}

TEST_F(TensorFileTest, TooLittleMemoryIsNoBadInput) {
  constexpr int64_t kMany = int64_t(1) << 50; // 2^52 bytes
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{kMany}, std::vector<int64_t>{kMany, kMany}}) {
    const Expected<Tensor> none = Tensor::allocate(shape);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message(), HasSubstr("memory"));
    EXPECT_EQ(exitCodeOf(none.error()), kFailed);
  }
}

/// In a container every run may have the same process id.
TEST_F(TensorFileTest, StepsAsideForATemporaryLeftBehind) {
  const std::string left = directory.write(
      ".lintel-" + std::to_string(::getpid()) + ".tmp", "cut off");
  Status status = writeTensor(directory.file("a.npy"), tensor(1));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(readTensor(directory.file("a.npy"))->floats()[0], 1.0f);
  EXPECT_TRUE(std::filesystem::exists(left)) << "it may be another's";
  EXPECT_EQ(directory.count(), 2u);
}

TEST_F(TensorFileTest, FailuresNameTheTemporary) {
  Status status = writeFile(directory.file("no/dir"), {});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("no/.lintel-"));
}

TEST_F(TensorFileTest, NamesMayBeAsLongAsTheSystemHasThem) {
  const std::string path =
      directory.file(std::string(NAME_MAX - 4, 'y') + ".npy");
  Status status = writeTensor(path, tensor(1));
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(directory.count(), 1u);
}

TEST_F(TensorFileTest, KeepsTheModeOfWhatItReplaces) {
  using enum std::filesystem::perms;
  const std::string path = directory.write("a.npy", "old");
  for (std::filesystem::perms mode :
       {owner_read | owner_write,
        owner_read | owner_write | group_write | others_write}) {
    std::filesystem::permissions(path, mode);
    ASSERT_TRUE(writeTensor(path, tensor(1)));
    EXPECT_EQ(std::filesystem::status(path).permissions(), mode);
  }
}

TEST_F(TensorFileTest, WritesPartsInOrder) {
  const std::string first = "ab", second = "cd";
  ASSERT_TRUE(
      writeFile(directory.file("parts"), {std::as_bytes(std::span(first)),
                                          std::as_bytes(std::span(second))}));
  EXPECT_EQ(directory.read("parts"), "abcd");
}

} // namespace
