// A buffer of floats, or of narrower elements, between inaccessible pages, for
// finding stray reads and writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GuardedBuffer out(rows * stride, GuardedBuffer::Fit::end);
//   kernel(out.data());                       // one element too far: SIGSEGV
//   EXPECT_TRUE(out.canariesIntact());        // nor anything before the first
//   EXPECT_FALSE(GuardedBuffer::isPoison(out.data()[0]));
#pragma once

#include <cstddef>

namespace lintel {

/// `count` elements, all poison at first, in memory of their own. Code under
/// test that the address sanitizer does not see (generated kernels) faults at a
/// guard.
class GuardedBuffer {
public:
  /// Where the elements touch a guard page. The other side of the buffer has
  /// one too, beyond at most a page of canary bytes.
  enum class Fit {
    begin, ///< the first element is the first after an inaccessible page
    end,   ///< the last element is the last before an inaccessible page
  };

  /// Elements of 4 bytes are floats; those of 2 bytes, too; those of 1 byte are
  /// integers.
  GuardedBuffer(size_t count, Fit fit, size_t elementBytes = sizeof(float));
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer &&other) noexcept;
  GuardedBuffer(const GuardedBuffer &) = delete;
  GuardedBuffer &operator=(const GuardedBuffer &) = delete;
  GuardedBuffer &operator=(GuardedBuffer &&) = delete;

  void *memory() { return start; }
  const void *memory() const { return start; }
  size_t size() const { return count; }
  // Of floats.
  float *data() { return reinterpret_cast<float *>(start); }
  const float *data() const { return reinterpret_cast<const float *>(start); }
  float &operator[](size_t index) { return data()[index]; }
  float operator[](size_t index) const { return data()[index]; }

  /// Sets every element to one particular quiet NaN: of 2 bytes, both of bf16
  /// and of f16. Integers have none: they differ from place to place, so that
  /// what is left of them is hardly ever what should stand there.
  void poison();
  /// True for that NaN only: an element that nothing has written, or a gap
  /// between rows that must stay as it is.
  static bool isPoison(float value);
  /// Of integers: also where what was written happens to be the same.
  bool isPoisonAt(size_t index) const;
  /// True if no byte around the elements has changed.
  bool canariesIntact() const;

private:
  template <class Bits> Bits *elements() const {
    return reinterpret_cast<Bits *>(start);
  }

  char *mapping = nullptr; ///< guard page, pages, guard page
  size_t mappedBytes = 0;
  char *start = nullptr; ///< of the elements
  size_t count = 0;
  size_t elementBytes = sizeof(float);
};

} // namespace lintel
