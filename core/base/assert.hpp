// SPDX-License-Identifier: MIT
// core/base/assert.hpp — promises inside the library; a broken one is a defect and stops the
// program.
#pragma once
#include <fmt/format.h>
#include <cstdio>
#include <cstdlib>

namespace synthoscope::detail {

template <class A, class B>
[[noreturn]] void assertion_failed(const char* expression, const A& a, const B& b, const char* file,
                                   int line) {
  const auto text =
      fmt::format("{}:{}: broken promise: {} (found {} and {})\n", file, line, expression, a, b);
  std::fputs(text.c_str(), stderr);
  std::abort();
}

}  // namespace synthoscope::detail

/// Compares two values with `op`, prints both when the promise is broken, stays on in release.
#define SYNTHOSCOPE_ASSERT(a, op, b)                                                            \
  do {                                                                                          \
    if (!((a)op(b)))                                                                            \
      ::synthoscope::detail::assertion_failed(#a " " #op " " #b, (a), (b), __FILE__, __LINE__); \
  } while (false)
