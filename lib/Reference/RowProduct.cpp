// Dot products of one row of x with rows of w.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/RowProduct.h"
#include "Reference/Element.h"

#include <cmath>
#include <type_traits>

#pragma clang fp reassociate(on) contract(fast)

namespace lintel {

namespace {

struct Product {
  template <class Number>
  [[gnu::always_inline]] static Number of(Number x, Number w) {
    return x * w;
  }
};
struct Magnitude {
  template <class Number>
  [[gnu::always_inline]] static Number of(Number x, Number w) {
    return std::abs(x * w);
  }
};
struct Weight {
  template <class Number>
  [[gnu::always_inline]] static Number of(Number, Number w) {
    return w;
  }
};

/// What products are summed in: exact for integers, whose sums fit.
template <class Element>
using SumOf = std::conditional_t<std::is_integral_v<Element>, int32_t, double>;

// The oracle spends its time here: four rows of w share each conversion of x,
// and reassociation lets the compiler use vectors. The products of two floats
// are exact in double, and so are sums far beyond what f32 kernels resolve.
template <class Term, class X, class W>
[[gnu::always_inline]] inline void sumTerms(const Rows &rows, int64_t columns,
                                            int64_t depth, double *out) {
  using Sum = SumOf<W>;
  const auto *x = static_cast<const X *>(rows.x);
  const auto *w = static_cast<const W *>(rows.w);
  const int64_t ldw = rows.ldw;
  int64_t n = 0;
  for (; n + 4 <= columns; n += 4) {
    const W *w0 = w + n * ldw, *w1 = w0 + ldw, *w2 = w1 + ldw, *w3 = w2 + ldw;
    Sum s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int64_t k = 0; k < depth; ++k) {
      Sum v = widen(x[k]);
      s0 += Term::template of<Sum>(v, widen(w0[k]));
      s1 += Term::template of<Sum>(v, widen(w1[k]));
      s2 += Term::template of<Sum>(v, widen(w2[k]));
      s3 += Term::template of<Sum>(v, widen(w3[k]));
    }
    out[n] = s0;
    out[n + 1] = s1;
    out[n + 2] = s2;
    out[n + 3] = s3;
  }
  for (; n < columns; ++n) {
    Sum s = 0;
    for (int64_t k = 0; k < depth; ++k)
      s += Term::template of<Sum>(widen(x[k]), widen(w[n * ldw + k]));
    out[n] = s;
  }
}

using SumRows = void (*)(const Rows &, int64_t, int64_t, double *);

template <class Term, class X, class W>
void sumBaseline(const Rows &rows, int64_t columns, int64_t depth,
                 double *out) {
  sumTerms<Term, X, W>(rows, columns, depth, out);
}
template <class Term, class X, class W>
[[gnu::target("arch=x86-64-v3")]] void sumV3(const Rows &rows, int64_t columns,
                                             int64_t depth, double *out) {
  sumTerms<Term, X, W>(rows, columns, depth, out);
}
template <class Term, class X, class W>
[[gnu::target("arch=x86-64-v4")]] void sumV4(const Rows &rows, int64_t columns,
                                             int64_t depth, double *out) {
  sumTerms<Term, X, W>(rows, columns, depth, out);
}

/// The best version that this CPU runs. Chosen here and not by target_clones,
/// whose resolvers run before a sanitizer's runtime is ready.
template <class Term, class X, class W> SumRows bestSum() {
  if (__builtin_cpu_supports("x86-64-v4"))
    return sumV4<Term, X, W>;
  if (__builtin_cpu_supports("x86-64-v3"))
    return sumV3<Term, X, W>;
  return sumBaseline<Term, X, W>;
}

template <class Term>
void sumRows(const Rows &rows, int64_t columns, int64_t depth, double *out) {
  const auto sumAs = [&](auto x, auto w) {
    static const SumRows sum = bestSum<Term, decltype(x), decltype(w)>();
    sum(rows, columns, depth, out);
  };
  switch (rows.activation) {
  case DType::u8:
    return sumAs(uint8_t(), int8_t());
  case DType::s8:
    return sumAs(int8_t(), int8_t());
  case DType::bf16:
    return sumAs(BFloat16(), BFloat16());
  case DType::f16:
    return sumAs(Float16(), Float16());
  case DType::f32:
  case DType::s32: // no layer has these
  case DType::s16:
    return sumAs(float(), float());
  }
}

} // namespace

void rowProducts(const Rows &rows, int64_t columns, int64_t depth,
                 double *out) {
  sumRows<Product>(rows, columns, depth, out);
}

void rowMagnitudes(const Rows &rows, int64_t columns, int64_t depth,
                   double *out) {
  sumRows<Magnitude>(rows, columns, depth, out);
}

void columnSums(const Rows &rows, int64_t columns, int64_t depth, double *out) {
  sumRows<Weight>(rows, columns, depth, out);
}

int32_t rowSum(const Rows &rows, int64_t depth) {
  return withElement(rows.activation, [&](auto element) -> int32_t {
    const auto *x = static_cast<const decltype(element) *>(rows.x);
    int32_t sum = 0;
    for (int64_t k = 0; k < depth; ++k)
      sum += static_cast<int32_t>(widen(x[k]));
    return sum;
  });
}

} // namespace lintel
