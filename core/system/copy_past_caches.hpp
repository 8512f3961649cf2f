// SPDX-License-Identifier: MIT
// core/system/copy_past_caches.hpp — copies that leave no trace in the caches of the processor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace synthoscope {

/// Copies bytes that nobody reads soon. On x86 it writes to memory directly: a write through a
/// cache would first read the old bytes. Elsewhere this is std::memcpy.
inline void copy_past_caches(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__SSE2__)
  constexpr std::size_t kLine = 64;
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(to) % kLine;
  if (bytes < before + kLine) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::memcpy(to, from, before);
  std::size_t at = before;
  for (; at + kLine <= bytes; at += kLine) {
    const auto* const in = reinterpret_cast<const __m128i*>(from + at);
    auto* const out = reinterpret_cast<__m128i*>(to + at);
    const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1), c = _mm_loadu_si128(in + 2),
                  d = _mm_loadu_si128(in + 3);
    _mm_stream_si128(out, a);
    _mm_stream_si128(out + 1, b);
    _mm_stream_si128(out + 2, c);
    _mm_stream_si128(out + 3, d);
  }
  _mm_sfence();  // other threads see it as if written in order
  std::memcpy(to + at, from + at, bytes - at);
#else
  std::memcpy(to, from, bytes);
#endif
}

}  // namespace synthoscope
