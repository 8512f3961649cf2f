// SPDX-License-Identifier: MIT
// kernels/operation/copied_rows.hpp — rows of voxels copied into a core's caches as they are
// needed, while the next ones are prefetched from memory.
#pragma once
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
