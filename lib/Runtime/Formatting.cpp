// The part of fmt that needs compiling, once for all that include fmt/core.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format-inl.h>

#if FMT_VERSION / 10000 != 9
#error "Lintel takes fmt 9: other versions instantiate other functions"
#endif

// What fmt/format.h declares as instantiated elsewhere.
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float value) noexcept
    -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double value) noexcept
    -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref)
    -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API void buffer<char>::append(const char *, const char *);
template FMT_API void vformat_to(buffer<char> &, string_view,
                                 basic_format_args<FMT_BUFFER_CONTEXT(char)>,
                                 locale_ref);
} // namespace detail
FMT_END_NAMESPACE
