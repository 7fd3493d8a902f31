// Reading and writing safetensors files, whole and damaged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/Safetensors.h"

#include "formats/TensorFile.h"

#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

#include <cstring>

using namespace lintel;
using namespace lintel::tool;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string safetensors(const std::string &header, std::string_view data) {
  std::string file;
  for (int i = 0; i < 8; ++i)
    file += char(uint64_t(header.size()) >> (8 * i));
  return file + header + std::string(data);
}

constexpr const char *kTwoTensors =
    R"({"__metadata__":{"format":"pt"},)"
    R"("b":{"dtype":"F32","shape":[2],"data_offsets":[16,24]},)"
    R"("a.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})";

class SafetensorsTest : public testing::Test {
protected:
  Expected<SafetensorsFile> open(std::string_view contents) {
    auto file = InputFile::open(directory.write("m.safetensors", contents));
    if (!file)
      return file.error();
    return SafetensorsFile::open(std::move(*file));
  }
  TemporaryDirectory directory;
};

std::string headerMessage(std::string_view json, uint64_t dataBytes) {
  auto entries = parseSafetensorsHeader(json, dataBytes);
  return entries ? "no error" : entries.error().message();
}

std::string entryMessage(const std::string &entry, uint64_t dataBytes) {
  return headerMessage("{\"t\":" + entry + "}", dataBytes);
}

TEST_F(SafetensorsTest, ListsAndReads) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  auto file = open(safetensors(
      kTwoTensors, {reinterpret_cast<const char *>(values), sizeof values}));
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_EQ(file->entries().size(), 2u);
  EXPECT_EQ(file->entries()[0].name, "a.weight");
  EXPECT_THAT(file->entries()[0].shape, ElementsAre(2, 2));
  EXPECT_EQ(file->find("absent"), nullptr);
  ASSERT_NE(file->find("b"), nullptr);
  auto tensor = file->read(*file->find("b"));
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(tensor->floats()[0], 5.0f);
  EXPECT_EQ(tensor->floats()[1], 6.0f);
}

/// Parsed, a header takes some 70 times its size.
TEST_F(SafetensorsTest, LongHeadersAreRefused) {
  std::string header = "{}";
  header.resize(16 << 20, ' ');
  EXPECT_TRUE(open(safetensors(header, "")));
  header += ' ';
  auto file = open(safetensors(header, ""));
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message(),
              HasSubstr("has a header of 16777217 bytes; Lintel reads at most "
                        "16777216"));
}

TEST_F(SafetensorsTest, ZipArchivesAreCalledSo) {
  auto file = open(std::string("PK\3\4") + std::string(60, '\0'));
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message(), HasSubstr("is a zip archive, as .npz"));
}

TEST_F(SafetensorsTest, IntegersAreReadAndWritten) {
  for (const auto &[name, dtype] :
       {std::pair("I8", DType::s8), {"U8", DType::u8}, {"I32", DType::s32}}) {
    const size_t bytes = 4 * byteSize(dtype);
    auto file = open(safetensors(R"({"h":{"dtype":")" + std::string(name) +
                                     R"(","shape":[4],"data_offsets":[0,)" +
                                     std::to_string(bytes) + "]}}",
                                 std::string(bytes, '\x81')));
    ASSERT_TRUE(file) << file.error().message();
    auto tensor = file->read(file->entries()[0]);
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_EQ(tensor->dtype(), dtype);
    EXPECT_EQ(tensor->bytes().back(), std::byte{0x81});
    ASSERT_TRUE(
        writeSafetensors(directory.file("i.safetensors"), "h", *tensor));
    auto again = readTensor(directory.file("i.safetensors"));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->dtype(), dtype);
  }
}

TEST_F(SafetensorsTest, OtherElementTypesAreListedButNotRead) {
  auto file = open(safetensors(
      R"({"h":{"dtype":"I16","shape":[3],"data_offsets":[0,6]}})", "123456"));
  ASSERT_TRUE(file) << file.error().message();
  auto tensor = file->read(file->entries()[0]);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(tensor.error().message(), HasSubstr("tensor 'h' holds I16"));
  EXPECT_THAT(tensor.error().message(),
              HasSubstr("Lintel reads F32, BF16, F16, I8, U8 and I32"));
}

TEST_F(SafetensorsTest, EmptyTensorsTakeNoBytes) {
  EXPECT_EQ(headerMessage(
                R"({"e":{"dtype":"F32","shape":[0,768],"data_offsets":[0,0]},)"
                R"("f":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                4),
            "no error");
  EXPECT_EQ(headerMessage("{}", 0), "no error");
}

TEST_F(SafetensorsTest, EntriesThatCannotBeRight) {
  EXPECT_THAT(
      entryMessage(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", 4),
      HasSubstr("F32 of shape [2] needs 8 bytes, but"));
  EXPECT_THAT(
      entryMessage(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})", 4),
      HasSubstr("integers >= 0"));
  EXPECT_THAT(
      entryMessage(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})", 4),
      HasSubstr("integers >= 0"));
  EXPECT_THAT(
      entryMessage(
          R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]})",
          4),
      HasSubstr("more elements than memory"));
  EXPECT_THAT(
      entryMessage(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})", 4),
      HasSubstr("must ascend"));
  EXPECT_THAT(
      entryMessage(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 4),
      HasSubstr("[4, 8] end beyond the 4 bytes of data that the file has: "
                "it was cut short"));
  EXPECT_THAT(
      entryMessage(R"({"dtype":"F32","shape":[1],"data_offsets":[0,1e30]})", 4),
      HasSubstr("two integers"));
  EXPECT_THAT(entryMessage(R"({"dtype":"F32","shape":[1]})", 4),
              HasSubstr("\"data_offsets\" must be"));
  EXPECT_THAT(entryMessage(R"({"shape":[1],"data_offsets":[0,4]})", 4),
              HasSubstr("\"dtype\" must be a string"));
  EXPECT_THAT(entryMessage("7", 4), HasSubstr("tensor 't': must be an object"));
}

/// A parser keeps the last of them, and nobody would know of the others.
TEST_F(SafetensorsTest, NothingIsGivenTwice) {
  const std::string one = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  const auto both = [&](const std::string &first, const std::string &second) {
    return headerMessage(
        "{" + first + " : " + one + ",\n" + second + ":" + one + "}", 4);
  };
  EXPECT_THAT(both(R"("a")", R"("a")"), HasSubstr("names 'a' twice"));
  EXPECT_THAT(both(R"("a\"}")", R"("a\u0022}")"),
              HasSubstr("names 'a\"}' twice"));
  EXPECT_THAT(both(R"("a\\")", R"("a\u005c")"), HasSubstr("names 'a\\' twice"));
  EXPECT_THAT(both(R"("a\\")", R"("a")"), HasSubstr("neither overlap nor"));
  EXPECT_THAT(headerMessage(R"({"__metadata__":{},"__metadata__":{}})", 0),
              HasSubstr("names '__metadata__' twice"));
  EXPECT_THAT(entryMessage(R"({"dtype":"F32","shape":[1],"dtype":"I32",)"
                           R"("data_offsets":[0,4]})",
                           4),
              HasSubstr("tensor 't': gives 'dtype' twice"));
}

/// Names of tensors, keys of each and what stands in metadata go by themselves.
TEST_F(SafetensorsTest, TheSameWordMayStandInSeveralPlaces) {
  EXPECT_EQ(
      headerMessage(
          R"({"__metadata__":{"shape":"shape","shape":"dtype","a":"8.0"},)"
          R"("shape":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
          R"("dtype":{"shape":[1],"dtype":"F32","data_offsets":[4,8],)"
          R"("scale":[8.0,{"shape":1e3}]}})",
          8),
      "no error");
}

TEST_F(SafetensorsTest, SizesAreWrittenAsIntegers) {
  for (const char *size : {"8.0", "8e0", "80E-1"}) {
    EXPECT_THAT(entryMessage(R"({"dtype":"F32","shape":[)" + std::string(size) +
                                 R"(],"data_offsets":[0,32]})",
                             32),
                HasSubstr("tensor 't': \"shape\" must be of integers >= 0, "
                          "without fractions or exponents"));
    EXPECT_THAT(entryMessage(R"({"dtype":"U8","shape":[8],"data_offsets":[0,)" +
                                 std::string(size) + "]}",
                             8),
                HasSubstr("tensor 't': \"data_offsets\" must be two integers"));
  }
}

TEST_F(SafetensorsTest, OverlapsAndHolesAreRefused) {
  const std::string one = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  const std::string two =
      R"({"dtype":"F32","shape":[1],"data_offsets":[8,12]})";
  EXPECT_THAT(headerMessage("{\"a\":" + one + ",\"b\":" + one + "}", 4),
              HasSubstr("neither overlap nor leave holes"));
  EXPECT_THAT(headerMessage("{\"a\":" + one + ",\"b\":" + two + "}", 12),
              HasSubstr("begins at byte 8"));
  EXPECT_THAT(headerMessage("{\"a\":" + one + "}", 5),
              HasSubstr("end at byte 4 of the data, but there are 5"));
}

TEST_F(SafetensorsTest, HeadersThatAreNoHeaders) {
  EXPECT_THAT(headerMessage("", 0), HasSubstr("header: "));
  EXPECT_THAT(headerMessage("[]", 0), HasSubstr("must be a JSON object"));
  EXPECT_THAT(headerMessage("{\"a\":", 0), HasSubstr("header: "));
  // A parser that recursed once a level would run out of stack here.
  EXPECT_THAT(headerMessage(std::string(10'000'000, '['), 0),
              HasSubstr("nests deeper"));
  EXPECT_THAT(headerMessage("{\"" + std::string(5000, 'n') + "\":{}}", 0),
              HasSubstr("at most 2048 bytes"));
}

TEST_F(SafetensorsTest, LengthsThatLie) {
  std::string huge(8, '\xff');
  auto file = open(huge + "{}");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message(),
              HasSubstr("states a header of 18446744073709551615 bytes"));
}

TEST_F(SafetensorsTest, WritesWhatItReads) {
  auto tensor = Tensor::allocate({2, 3});
  ASSERT_TRUE(tensor);
  tensor->floats()[5] = 42;
  ASSERT_TRUE(
      writeSafetensors(directory.file("o.safetensors"), "out\"put", *tensor));
  auto file = open(directory.read("o.safetensors"));
  ASSERT_TRUE(file) << file.error().message();
  ASSERT_NE(file->find("out\"put"), nullptr);
  auto again = file->read(*file->find("out\"put"));
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->shape(), tensor->shape());
  EXPECT_EQ(std::memcmp(again->data(), tensor->data(), 24), 0);
}

TEST_F(SafetensorsTest, NarrowTypesAreReadAndWritten) {
  for (DType dtype : {DType::bf16, DType::f16}) {
    auto tensor = Tensor::allocate({3, 1}, dtype);
    ASSERT_TRUE(tensor);
    ASSERT_EQ(tensor->bytes().size(), 6u);
    std::memcpy(tensor->data(), "\x01\x02\x03\x04\x05\x06", 6);
    ASSERT_TRUE(
        writeSafetensors(directory.file("n.safetensors"), "t", *tensor));
    auto file = open(directory.read("n.safetensors"));
    ASSERT_TRUE(file) << file.error().message();
    ASSERT_NE(file->find("t"), nullptr);
    EXPECT_EQ(file->find("t")->dtype, dtype == DType::bf16 ? "BF16" : "F16");
    auto again = file->read(*file->find("t"));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->dtype(), dtype);
    EXPECT_EQ(std::memcmp(again->data(), tensor->data(), 6), 0);
  }
}

TEST_F(SafetensorsTest, EveryTruncationIsRefused) {
  const std::string whole = safetensors(kTwoTensors, std::string(24, 'x'));
  for (size_t size = 0; size < whole.size(); ++size) {
    auto file = open(whole.substr(0, size));
    ASSERT_FALSE(file) << "cut to " << size << " bytes";
    EXPECT_THAT(file.error().message(), HasSubstr("m.safetensors: "));
  }
  EXPECT_TRUE(open(whole));
}

TEST_F(SafetensorsTest, EveryFlippedByteIsReadOrRefused) {
  const std::string whole = safetensors(kTwoTensors, std::string(24, 'x'));
  for (size_t at = 0; at < whole.size(); ++at)
    for (unsigned char mask : {0x01, 0x10, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = char(damaged[at] ^ mask);
      auto file = open(damaged);
      if (!file) {
        EXPECT_FALSE(file.error().message().empty());
        continue;
      }
      // What is accepted must be readable, or refused with a message.
      for (const SafetensorsEntry &entry : file->entries())
        if (auto tensor = file->read(entry); tensor) {
          EXPECT_EQ(tensor->bytes().size(), entry.end - entry.begin);
        } else {
          EXPECT_EQ(tensor.error().code(), ErrorCode::unsupported);
        }
    }
}

} // namespace
