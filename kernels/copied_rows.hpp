// SPDX-License-Identifier: MIT
// kernels/copied_rows.hpp — rows of voxels copied into a core's caches as they are needed, while
// those that are needed next come from memory.
#pragma once
#include "kernels/window.hpp"

namespace synthoscope::kernels {

/// Planes of floats at `positions` of a window, copied row by row.
class CopiedRows {
 public:
  /// @param planes  room for positions.size.z planes, `plane` floats apart, of positions.size.y
  ///                rows, `pitch` floats apart.
  CopiedRows(const Window& in, Boundary boundary, const Box3& positions, float* planes,
             std::int64_t pitch, std::int64_t plane)
      : in_{in},
        boundary_{boundary},
        positions_{positions},
        planes_{planes},
        pitch_{pitch},
        plane_{plane} {}

  /// Copies rows [first, last) of plane z of the positions to plane `to`, and asks memory for as
  /// many that follow.
  void copy(std::int64_t z, std::int64_t first, std::int64_t last, std::int64_t to) const;

 private:
  void expect(std::int64_t z, std::int64_t y) const;

  const Window& in_;
  Boundary boundary_;
  Box3 positions_;
  float* planes_;
  std::int64_t pitch_, plane_;
};

}  // namespace synthoscope::kernels
