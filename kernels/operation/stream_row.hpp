// SPDX-License-Identifier: MIT
// kernels/operation/stream_row.hpp — writes results past the caches if nothing will read them
// there.
#pragma once
#include <algorithm>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace synthoscope::kernels {

/// Results of this many bytes leave the caches before they are read again. Without streaming, a
/// cache line would be read before it is written, which costs as much as writing it.
inline constexpr std::int64_t kStreamedBytes = std::int64_t{16} << 20;

/// Copies a row past the caches. Other threads see it after finish_streams.
inline void stream_row(const float* from, std::int64_t count, float* to) {
#if defined(__SSE2__)
  constexpr std::int64_t kLanes = 4;
  const auto misaligned =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) / sizeof(float) % kLanes);
  const std::int64_t head = std::min((kLanes - misaligned) % kLanes, count);
  std::copy_n(from, head, to);
  std::int64_t x = head;
  for (; x + kLanes <= count; x += kLanes) _mm_stream_ps(to + x, _mm_loadu_ps(from + x));
  std::copy(from + x, from + count, to + x);
#else
  std::copy_n(from, count, to);
#endif
}

/// Makes the rows of the calling thread visible before it notifies other threads.
inline void finish_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace synthoscope::kernels
