// One instruction of an epilogue on several elements at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "Reference/ScalarProgram.h"

namespace lintel {

/// The operands of one instruction and where its results go.
struct Lanes {
  const Number *a, *b, *c;
  Number *result;
  size_t count;
  Format format;
  bool mayFuse;

  template <class F> void exact(F f) const {
    each([&](size_t i) { return settle(f(a[i], b[i], c[i]), format); });
  }
  template <class F> void correct(F f) const {
    each([&](size_t i) {
      const Number number = f(a[i], b[i], c[i]);
      return mayFuse ? rounded(number, format) : roundedAlone(number, format);
    });
  }
  /// f(value) and the slope of f, given the argument and f of it.
  template <class F, class Slope> void function(F f, Slope slope) const {
    each([&](size_t i) {
      double value = f(a[i].value);
      return approximated(sloped(value, a[i], slope(a[i], value)), format,
                          kFunctionUlps);
    });
  }
  template <class F> void each(F f) const {
    for (size_t i = 0; i < count; ++i)
      result[i] = f(i);
  }
};

/// Runs an instruction whose result is exact, one of these that computes with
/// integers, one that IEEE 754 rounds correctly, and one that kernels
/// approximate: Opcode says which are which.
void runInteger(const Instruction &instruction, const Lanes &lanes);
void runExact(const Instruction &instruction, const Lanes &lanes);
void runCorrect(const Instruction &instruction, const Lanes &lanes);
void runFunction(const Instruction &instruction, const Lanes &lanes);

} // namespace lintel
