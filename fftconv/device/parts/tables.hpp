// SPDX-License-Identifier: MIT
// fftconv/device/parts/tables.hpp — which planes of voxels share a plane of a part, and by which
// factors, as tables for a device.
#pragma once
#include <vector>
#include "fftconv/host/parts/folded_source.hpp"

namespace synthoscope::fftconv::device {

/// parts_arguments.hpp, Sharing, for all parts.
struct SharedPlanes {
  std::vector<int> begin{0};     ///< one more than planes of a part
  std::vector<int> planes;       ///< of voxels
  std::vector<float> rotations;  ///< re and im of every entry, part after part
  [[nodiscard]] std::int64_t entries() const { return static_cast<std::int64_t>(planes.size()); }
  friend bool operator==(const SharedPlanes&, const SharedPlanes&) = default;
};

/// Planes of the input's source, for those planes of the parts that are `kept`, ascending.
SharedPlanes shared_when_folded(const FoldInput& input, const Decimation& decimation,
                                const std::vector<std::int64_t>& kept);

/// Result planes 0 .. wanted - 1; sums over the parts are left to be scaled by 1/R.
SharedPlanes shared_when_unfolded(const Decimation& decimation, std::int64_t wanted);

/// Planes 2i and 2i + 1 are the real and the imaginary part of plane i, in any part.
SharedPlanes shared_in_pairs(std::int64_t planes);

}  // namespace synthoscope::fftconv::device
