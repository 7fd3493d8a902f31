// Reading and writing .npy files, whole and damaged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "formats/Npy.h"

#include "formats/TensorFile.h"

#include "TemporaryDirectory.h"

#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

using namespace lintel;
using namespace lintel::tool;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string npy(std::string_view dictionary, std::string_view data,
                char major = 1) {
  std::string file("\x93NUMPY", 6);
  file += {major, '\0', char(dictionary.size() & 255),
           char(dictionary.size() >> 8)};
  if (major > 1)
    file += {'\0', '\0'};
  return file + std::string(dictionary) + std::string(data);
}

std::string floats(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return {reinterpret_cast<const char *>(values.data()), count * 4};
}

class NpyTest : public testing::Test {
protected:
  Expected<Tensor> read(std::string_view contents) {
    auto file = InputFile::open(directory.write("a.npy", contents));
    if (!file)
      return file.error();
    return readNpy(*file);
  }
  std::string messageOf(std::string_view contents) {
    auto tensor = read(contents);
    return tensor ? "no error" : tensor.error().message();
  }
  TemporaryDirectory directory;
};

TEST_F(NpyTest, ReadsEveryVersion) {
  for (char major : {1, 2, 3}) {
    auto tensor = read(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                           "(2, 3), }\n",
                           floats(6), major));
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_THAT(tensor->shape(), ElementsAre(2, 3));
    EXPECT_EQ(tensor->floats()[5], 5.0f);
  }
}

TEST_F(NpyTest, KeysComeInAnyOrder) {
  auto tensor = read(
      npy("{\"shape\":(3,),'fortran_order':True,'descr':'<f4'}", floats(3)));
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(tensor->shape(), ElementsAre(3));
  EXPECT_EQ(tensor->floats()[2], 2.0f);
}

TEST_F(NpyTest, ColumnMajorBecomesRowMajor) {
  auto tensor = read(npy(
      "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", floats(6)));
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(std::vector<float>(tensor->floats(), tensor->floats() + 6),
              ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST_F(NpyTest, Float16IsReadAndWritten) {
  const std::string rows("\x00\x3c\x00\x40\x00\x42\x00\xbc", 8);
  auto tensor = read(
      npy("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2)}", rows));
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(tensor->dtype(), DType::f16);
  EXPECT_EQ(std::memcmp(tensor->data(), rows.data(), 8), 0);
  auto columns = read(
      npy("{'descr': '<f2', 'fortran_order': True, 'shape': (2, 2)}", rows));
  ASSERT_TRUE(columns) << columns.error().message();
  EXPECT_EQ(std::memcmp(columns->data(), "\x00\x3c\x00\x42\x00\x40\x00\xbc", 8),
            0);
  ASSERT_TRUE(writeNpy(directory.file("h.npy"), *tensor));
  auto again = read(directory.read("h.npy"));
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->dtype(), DType::f16);
  EXPECT_EQ(std::memcmp(again->data(), rows.data(), 8), 0);
  EXPECT_THAT(
      messageOf(
          npy("{'descr': '<f2', 'fortran_order': False, 'shape': (2,)}", rows)),
      HasSubstr("needs 4 bytes of data, but 8"));
}

TEST_F(NpyTest, Bf16IsRefused) {
  auto tensor = Tensor::allocate({1, 2}, DType::bf16);
  ASSERT_TRUE(tensor);
  const Status status = writeNpy(directory.file("b.npy"), *tensor);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), HasSubstr("NumPy has no bf16"));
  EXPECT_EQ(directory.count(), 0u);
}

TEST_F(NpyTest, IntegersAreReadAndWritten) {
  for (const auto &[descr, dtype] :
       {std::pair("|i1", DType::s8), {"|u1", DType::u8}, {"<i4", DType::s32}}) {
    const std::string bytes = "\x80\x01\x7f\xff" + std::string(4, '\2');
    const auto columns = std::to_string(8 / byteSize(dtype));
    auto tensor = read(npy("{'descr': '" + std::string(descr) +
                               "', 'fortran_order': False, 'shape': (1, " +
                               columns + ")}",
                           bytes));
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_EQ(tensor->dtype(), dtype);
    EXPECT_EQ(std::memcmp(tensor->data(), bytes.data(), 8), 0);
    ASSERT_TRUE(writeNpy(directory.file("i.npy"), *tensor));
    auto again = readTensor(directory.file("i.npy"));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->dtype(), dtype);
    EXPECT_EQ(again->shape(), tensor->shape());
    EXPECT_EQ(std::memcmp(again->data(), bytes.data(), 8), 0);
  }
}

TEST_F(NpyTest, ScalarsAndEmptyArrays) {
  auto scalar = read(
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': ()}", floats(1)));
  ASSERT_TRUE(scalar) << scalar.error().message();
  EXPECT_EQ(scalar->elements(), 1);
  auto empty = read(
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 768)}", ""));
  ASSERT_TRUE(empty) << empty.error().message();
  EXPECT_EQ(empty->elements(), 0);
  EXPECT_NE(empty->data(), nullptr);
}

TEST_F(NpyTest, RefusalsSayWhatToDo) {
  auto typed = [&](std::string type) {
    return messageOf(
        npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (1,)}",
            "12345678"));
  };
  EXPECT_THAT(typed(">f4"), HasSubstr("big-endian"));
  EXPECT_THAT(typed(">f4"), HasSubstr("astype('<f4')"));
  EXPECT_THAT(typed("<f8"), HasSubstr("elements are '<f8'"));
  EXPECT_THAT(typed(">f2"), HasSubstr("big-endian"));
  EXPECT_THAT(typed("<i8"), HasSubstr("little-endian float32"));
  EXPECT_THAT(typed("<i8"), HasSubstr("'<i4' for zero points"));
  EXPECT_THAT(typed(">i4"), HasSubstr("big-endian"));
  EXPECT_THAT(typed("|O"), HasSubstr("little-endian float32"));
  EXPECT_THAT(messageOf(npy("{'descr': '<f4', 'fortran_order': True, 'shape': "
                            "(1, 1, 1)}",
                            floats(1))),
              HasSubstr("numpy.ascontiguousarray"));
}

/// Else a file could end the message, or bury it.
TEST_F(NpyTest, TextOfTheFileIsQuotedOnOneLine) {
  const std::string line = "a\nlintel: ok", longText(1000, 'x');
  const auto ofType = [&](const std::string &type) {
    return messageOf(
        npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': (1,)}",
            "1234"));
  };
  EXPECT_THAT(ofType(line), HasSubstr("elements are 'a\\x0alintel: ok'; "));
  EXPECT_THAT(ofType(longText), HasSubstr("xxx...'; Lintel reads"));
  const auto ofKey = [&](const std::string &key) {
    return messageOf(npy("{'" + key + "': 1}", ""));
  };
  EXPECT_THAT(ofKey(line), HasSubstr("another 'a\\x0alintel: ok' before this"));
  EXPECT_THAT(ofKey(longText), HasSubstr("xxx...' before this"));
}

TEST_F(NpyTest, SizesThatDoNotFit) {
  auto shaped = [&](std::string shape) {
    return messageOf(
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}",
            floats(2)));
  };
  EXPECT_THAT(shaped("(3,)"), HasSubstr("needs 12 bytes of data, but 8"));
  EXPECT_THAT(shaped("(1,)"), HasSubstr("needs 4 bytes of data, but 8"));
  EXPECT_THAT(shaped("(4294967296, 4294967296)"),
              HasSubstr("more elements than memory"));
  EXPECT_THAT(shaped("(99999999999999999999,)"), HasSubstr("below 2^63"));
  EXPECT_THAT(shaped("(-1,)"), HasSubstr("expected a size"));
}

/// Transposing it row by row would take years.
TEST_F(NpyTest, NothingIsTransposedAtOnce) {
  for (const std::string shape :
       {"(9000000000000000000, 0)", "(0, 9000000000000000000)"}) {
    auto tensor = read(npy(
        "{'descr': '<f4', 'fortran_order': True, 'shape': " + shape + "}", ""));
    ASSERT_TRUE(tensor) << tensor.error().message();
    EXPECT_EQ(tensor->elements(), 0);
  }
}

TEST_F(NpyTest, DictionaryErrorsNameTheOffset) {
  auto text = [](std::string_view dictionary) {
    auto header = parseNpyDictionary(dictionary);
    return header ? "no error" : header.error().message();
  };
  EXPECT_THAT(text(""), HasSubstr("offset 0: expected '{'"));
  EXPECT_THAT(text("{'descr' '<f4'}"), HasSubstr("offset 9: expected ':'"));
  EXPECT_THAT(text("{'descr': [('a', '<f4')]}"), HasSubstr("string in quotes"));
  EXPECT_THAT(text("{'descr': '<f4', 'descr': '<f4'}"), HasSubstr("once each"));
  EXPECT_THAT(text("{'descr': '<f4'}"), HasSubstr("one is missing"));
  EXPECT_THAT(text("{'descr': '<f4'} 1"), HasSubstr("nothing after"));
}

TEST_F(NpyTest, WritesWhatItReads) {
  auto tensor = Tensor::allocate({2, 5});
  ASSERT_TRUE(tensor);
  std::iota(tensor->floats(), tensor->floats() + 10, 1.0f);
  ASSERT_TRUE(writeNpy(directory.file("b.npy"), *tensor));
  std::string written = directory.read("b.npy");
  EXPECT_EQ((written.size() - 40) % 64, 0u) << "data should be aligned";
  EXPECT_EQ(directory.count(), 1u) << "no temporary may stay";
  auto again = read(written);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->shape(), tensor->shape());
  EXPECT_EQ(std::memcmp(again->data(), tensor->data(), 40), 0);
}

TEST_F(NpyTest, EveryTruncationIsRefused) {
  const std::string whole =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n",
          floats(4));
  for (size_t size = 0; size < whole.size(); ++size) {
    auto tensor = read(whole.substr(0, size));
    ASSERT_FALSE(tensor) << "cut to " << size << " bytes";
    EXPECT_THAT(tensor.error().message(), HasSubstr("a.npy: "));
  }
  EXPECT_TRUE(read(whole));
}

TEST_F(NpyTest, EveryFlippedByteIsReadOrRefused) {
  const std::string whole =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n",
          floats(4));
  const size_t dataBegin = whole.size() - 16;
  for (size_t at = 0; at < whole.size(); ++at)
    for (unsigned char mask : {0x01, 0x10, 0x80, 0xff}) {
      std::string damaged = whole;
      damaged[at] = char(damaged[at] ^ mask);
      auto tensor = read(damaged);
      if (at >= dataBegin) {
        EXPECT_TRUE(tensor) << "data has no check of its own";
      } else if (tensor) {
        EXPECT_EQ(tensor->elements(), 4) << "byte " << at;
      } else {
        EXPECT_FALSE(tensor.error().message().empty());
      }
    }
}

} // namespace
