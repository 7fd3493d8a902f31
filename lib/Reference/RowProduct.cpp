// Dot products of one row of x with rows of w, in double precision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference/RowProduct.h"
#include "Reference/Element.h"

#include <cmath>

#pragma clang fp reassociate(on) contract(fast)

namespace lintel {

namespace {

struct Product {
  [[gnu::always_inline]] static double of(double x, double w) { return x * w; }
};
struct Magnitude {
  [[gnu::always_inline]] static double of(double x, double w) {
    return std::abs(x * w);
  }
};

// The oracle spends its time here: four rows of w share each conversion of x,
// and reassociation lets the compiler use vectors. The products of two floats
// are exact in double, and so are sums far beyond what f32 kernels resolve.
template <class Term, class Element>
[[gnu::always_inline]] inline void sumTerms(const Rows &rows, int64_t columns,
                                            int64_t depth, double *out) {
  const auto *x = static_cast<const Element *>(rows.x);
  const auto *w = static_cast<const Element *>(rows.w);
  const int64_t ldw = rows.ldw;
  int64_t n = 0;
  for (; n + 4 <= columns; n += 4) {
    const Element *w0 = w + n * ldw, *w1 = w0 + ldw, *w2 = w1 + ldw,
                  *w3 = w2 + ldw;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int64_t k = 0; k < depth; ++k) {
      double v = widen(x[k]);
      s0 += Term::of(v, widen(w0[k]));
      s1 += Term::of(v, widen(w1[k]));
      s2 += Term::of(v, widen(w2[k]));
      s3 += Term::of(v, widen(w3[k]));
    }
    out[n] = s0;
    out[n + 1] = s1;
    out[n + 2] = s2;
    out[n + 3] = s3;
  }
  for (; n < columns; ++n) {
    double s = 0;
    for (int64_t k = 0; k < depth; ++k)
      s += Term::of(widen(x[k]), widen(w[n * ldw + k]));
    out[n] = s;
  }
}

using Sum = void (*)(const Rows &, int64_t, int64_t, double *);

template <class Term, class Element>
void sumBaseline(const Rows &rows, int64_t columns, int64_t depth,
                 double *out) {
  sumTerms<Term, Element>(rows, columns, depth, out);
}
template <class Term, class Element>
[[gnu::target("arch=x86-64-v3")]] void sumV3(const Rows &rows, int64_t columns,
                                             int64_t depth, double *out) {
  sumTerms<Term, Element>(rows, columns, depth, out);
}
template <class Term, class Element>
[[gnu::target("arch=x86-64-v4")]] void sumV4(const Rows &rows, int64_t columns,
                                             int64_t depth, double *out) {
  sumTerms<Term, Element>(rows, columns, depth, out);
}

/// The best version that this CPU runs. Chosen here and not by target_clones,
/// whose resolvers run before a sanitizer's runtime is ready.
template <class Term, class Element> Sum bestSum() {
  if (__builtin_cpu_supports("x86-64-v4"))
    return sumV4<Term, Element>;
  if (__builtin_cpu_supports("x86-64-v3"))
    return sumV3<Term, Element>;
  return sumBaseline<Term, Element>;
}

template <class Term>
void sumRows(const Rows &rows, int64_t columns, int64_t depth, double *out) {
  withElement(rows.dtype, [&](auto element) {
    static const Sum sum = bestSum<Term, decltype(element)>();
    sum(rows, columns, depth, out);
  });
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

} // namespace lintel
