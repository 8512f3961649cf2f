// SPDX-License-Identifier: MIT
// kernels/operation/copied_rows.hpp — rows of voxels between memory and a core's caches: copied
// with prefetch, and written past the caches.
#pragma once
#include <algorithm>
#include <cstdint>
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {

/// Planes of voxels at `positions` of a window, copied row by row. T is float, or the window's own
/// type, an integer of at most 16 bits.
template <class T>
class CopiedRows {
 public:
  /// @param planes  space for positions.size.z planes, `plane` elements apart, of positions.size.y
  ///                rows, `pitch` elements apart.
  CopiedRows(const Window& in, Boundary boundary, const Box3& positions, T* planes,
             std::int64_t pitch, std::int64_t plane)
      : in_{in},
        boundary_{boundary},
        positions_{positions},
        planes_{planes},
        pitch_{pitch},
        plane_{plane} {}

  /// Copies rows [first, last) of plane z of the positions to plane `to`, and prefetches as many
  /// rows after them.
  void copy(std::int64_t z, std::int64_t first, std::int64_t last, std::int64_t to) const;

 private:
  void expect(std::int64_t z, std::int64_t y) const;

  const Window& in_;
  Boundary boundary_;
  Box3 positions_;
  T* planes_;
  std::int64_t pitch_, plane_;
};

}  // namespace synthoscope::kernels

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
