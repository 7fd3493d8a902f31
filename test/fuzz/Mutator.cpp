// Small damages to an input, the same ones in every run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/Mutator.h"

#include <algorithm>
#include <array>

namespace lintel::fuzz {
namespace {

/// A stretch of an input.
struct Stretch {
  size_t begin, size;
};

/// Most are short: a long one leaves nothing that a reader would take.
Stretch someStretch(size_t bytes, Sequence &sequence) {
  const size_t begin = sequence.below(bytes);
  const size_t most = sequence.below(4) == 0 ? bytes - begin : 16;
  const size_t size = 1 + sequence.below(std::min(most, bytes - begin));
  return {begin, std::min(size, bytes - begin)};
}

Input partOf(const Bytes &bytes, Stretch stretch) {
  return Input(bytes).subspan(stretch.begin, stretch.size);
}

/// Puts `piece` in place of a stretch, which may be empty.
void replace(Bytes &input, Stretch stretch, Input piece) {
  const Bytes copy(piece.begin(), piece.end());
  const auto at = input.begin() + ptrdiff_t(stretch.begin);
  const auto next = input.erase(at, at + ptrdiff_t(stretch.size));
  input.insert(next, copy.begin(), copy.end());
}

void changeBit(Bytes &input, Sequence &sequence) {
  if (!input.empty())
    input[sequence.below(input.size())] ^=
        std::byte(1u << sequence.below(size_t(8)));
}

void changeByte(Bytes &input, Sequence &sequence) {
  // Where text readers tell characters apart, and signs of numbers change.
  constexpr unsigned char kEdges[] = {0,   1,    9,    '\n', '\r', 0x1b, ' ',
                                      '"', '\'', '-',  '0',  '9',  ':',  '\\',
                                      '~', 0x7f, 0x80, 0xc2, 0xff};
  if (input.empty())
    return;
  const bool edge = sequence.below(2) == 0;
  input[sequence.below(input.size())] = std::byte(
      edge ? kEdges[sequence.below(std::size(kEdges))] : sequence.below(256));
}

/// A little-endian number at the edge of its range, at any place.
void writeNumber(Bytes &input, Sequence &sequence) {
  constexpr std::array<uint64_t, 12> kNumbers = {0,
                                                 1,
                                                 2,
                                                 0x7f,
                                                 0xff,
                                                 0x7fff,
                                                 0xffff,
                                                 0x7fffffff,
                                                 0xffffffff,
                                                 0x100000000,
                                                 uint64_t(1) << 63,
                                                 ~uint64_t(0)};
  const size_t width = size_t(1) << sequence.below(4);
  if (input.size() < width)
    return;
  size_t at = sequence.below(input.size() - width + 1);
  if (sequence.below(4) != 0) // as fields of binary formats mostly are
    at -= at % width;
  uint64_t number = kNumbers[sequence.below(kNumbers.size())];
  for (size_t i = 0; i < width; ++i, number >>= 8)
    input[at + i] = std::byte(number & 0xff);
}

/// Another digit or letter in place of one: numbers and names of the same form.
void changeLetter(Bytes &input, Sequence &sequence) {
  if (input.empty())
    return;
  std::byte &byte = input[sequence.below(input.size())];
  const auto letter = std::to_integer<unsigned char>(byte);
  if (letter >= '0' && letter <= '9')
    byte = std::byte('0' + sequence.below(10));
  else if (letter >= 'a' && letter <= 'z')
    byte = std::byte('a' + sequence.below(26));
}

void cutOut(Bytes &input, Sequence &sequence) {
  if (!input.empty())
    replace(input, someStretch(input.size(), sequence), {});
}

void cutEnd(Bytes &input, Sequence &sequence) {
  input.resize(sequence.below(input.size() + 1));
}

void repeat(Bytes &input, Sequence &sequence) {
  if (input.empty())
    return;
  const Stretch stretch = someStretch(input.size(), sequence);
  const size_t times = sequence.below(8) == 0 ? sequence.below(64) : 1;
  Bytes copies;
  for (size_t i = 0; i < times; ++i)
    copies.insert(copies.end(), partOf(input, stretch).begin(),
                  partOf(input, stretch).end());
  replace(input, {stretch.begin, 0}, copies);
}

/// Puts a piece of `other` in, in place of some of the input or beside it.
void splice(Bytes &input, const Bytes &other, Sequence &sequence) {
  if (input.empty() || other.empty())
    return;
  Stretch place = someStretch(input.size(), sequence);
  if (sequence.below(2) == 0)
    place.size = 0;
  replace(input, place, partOf(other, someStretch(other.size(), sequence)));
}

void putWord(Bytes &input, std::string_view word, Sequence &sequence) {
  Stretch place = {sequence.below(input.size() + 1), 0};
  if (!input.empty() && sequence.below(2) == 0)
    place = someStretch(input.size(), sequence);
  replace(input, place, bytesOf(word));
}

void damage(Bytes &input, const std::vector<Bytes> &others,
            const std::vector<std::string_view> &dictionary,
            Sequence &sequence) {
  switch (sequence.below(12)) {
  case 0:
    return changeBit(input, sequence);
  case 1:
    return changeByte(input, sequence);
  case 2:
    return writeNumber(input, sequence);
  case 3:
    return cutOut(input, sequence);
  case 4:
    if (sequence.below(4) == 0)
      return cutEnd(input, sequence);
    return changeLetter(input, sequence);
  case 5:
    return repeat(input, sequence);
  case 6: {
    const Bytes self = input;
    return splice(input, self, sequence);
  }
  case 7:
    if (!others.empty())
      return splice(input, others[sequence.below(others.size())], sequence);
    return changeByte(input, sequence);
  case 8:
    return changeLetter(input, sequence);
  default:
    if (!dictionary.empty())
      return putWord(input, dictionary[sequence.below(dictionary.size())],
                     sequence);
    return writeNumber(input, sequence);
  }
}

} // namespace

/// SplitMix64.
uint64_t Sequence::next() {
  uint64_t value = state += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

Bytes mutated(Bytes input, const std::vector<Bytes> &others,
              const std::vector<std::string_view> &dictionary,
              Sequence &sequence, size_t mostBytes) {
  // One is all that long texts mostly bear.
  const size_t damages =
      sequence.below(2) == 0 ? 1 : 2 + sequence.below(size_t(3));
  for (size_t i = 0; i < damages; ++i)
    damage(input, others, dictionary, sequence);
  if (input.size() > mostBytes)
    input.resize(mostBytes);
  return input;
}

} // namespace lintel::fuzz
