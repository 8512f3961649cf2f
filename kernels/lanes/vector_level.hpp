// SPDX-License-Identifier: MIT
// kernels/lanes/vector_level.hpp — one loop compiled for several vector units, chosen at run time.
#pragma once
#include <string_view>

namespace synthoscope::kernels {

/// Vector units that loops are compiled for; avx2 includes multiply-adds. All levels give the same
/// bits, because no multiply-add is fused (synthoscope_reproducible) where its rounding would be
/// seen.
enum class VectorLevel { baseline, avx2, avx512 };

std::string_view name_of(VectorLevel level);

/// Returns the best level of this processor.
VectorLevel vector_level();

#if defined(__x86_64__)
template <class Body>
[[gnu::target("avx2,fma")]] void run_avx2(const Body& body) {
  body();
}

#if defined(__clang__)
#define SYNTHOSCOPE_AVX512 "avx512f,avx512bw,avx512dq,avx512vl"
#else
#define SYNTHOSCOPE_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"
#endif
template <class Body>
[[gnu::target(SYNTHOSCOPE_AVX512)]] void run_avx512(const Body& body) {
  body();
}
#undef SYNTHOSCOPE_AVX512
#endif

/// Marks a lambda for `vectorised`, after its parameters, and functions that it calls: what is not
/// inlined is compiled for every processor.
#define SYNTHOSCOPE_INLINE __attribute__((always_inline))

/// Calls `body()` compiled for `level`, which this processor must have:
///
///   vectorised(level, [=]() SYNTHOSCOPE_INLINE { for (...) out[x] = ...; });
template <class Body>
void vectorised(VectorLevel level, const Body& body) {
#if defined(__x86_64__)
  if (level == VectorLevel::avx512) return run_avx512(body);
  if (level == VectorLevel::avx2) return run_avx2(body);
#endif
  static_cast<void>(level);
  body();
}

}  // namespace synthoscope::kernels
