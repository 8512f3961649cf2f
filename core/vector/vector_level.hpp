// SPDX-License-Identifier: MIT
// core/vector/vector_level.hpp — code compiled for several vector units, chosen at run time.
//
// Code is compiled once per level in one of two ways. A loop whose bits are the same at every level
// is a lambda for `vectorised`. A whole source, whose multiply-adds may be fused differently at
// each level, is named to synthoscope_per_vector_level (cmake/SynthoscopeVector.cmake), and
// `for_supported_levels` chooses what it defines. Callers choose outside their inner loops.
#pragma once
#include <string_view>
#include <type_traits>

namespace synthoscope {

/// Vector units that code is compiled for, in ascending order; avx2 includes multiply-adds. The
/// baseline is what every processor of the build has: NEON on ARM's 64-bit processors, SSE2 on
/// x86-64. All levels give the same bits unless multiply-adds are fused (see
/// synthoscope_reproducible).
enum class VectorLevel { baseline, avx2, avx512 };

std::string_view name_of(VectorLevel level);

/// Returns the best level of this processor.
VectorLevel vector_level();

/// Returns the bytes of a vector register.
constexpr int register_bytes(VectorLevel level) {
  return 16 << static_cast<int>(level);
}

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

/// A vector level as a type, for overloads and templates.
template <VectorLevel level>
using LevelConstant = std::integral_constant<VectorLevel, level>;

/// Calls `each(LevelConstant<level>{})` for every level that this processor supports, best first.
template <class Each>
void for_supported_levels(const Each& each) {
#if defined(__x86_64__)
  const VectorLevel best = vector_level();
  if (best >= VectorLevel::avx512) each(LevelConstant<VectorLevel::avx512>{});
  if (best >= VectorLevel::avx2) each(LevelConstant<VectorLevel::avx2>{});
#endif
  each(LevelConstant<VectorLevel::baseline>{});
}

}  // namespace synthoscope
