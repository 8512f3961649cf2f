// SPDX-License-Identifier: MIT
// simulator/report/psf_profile.hpp — a PSF along its axes, and how wide it is.
#pragma once
#include <array>
#include <optional>
#include <vector>
#include "core/base/units.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

/// Values along one axis through the centre voxel.
struct PsfProfile {
  std::vector<double> um;      ///< from the centre voxel
  std::vector<double> values;  ///< relative to the largest of them

  /// Returns the full width at half maximum, between voxels by sinc functions; null if the window
  /// does not show both sides, or the line has no light.
  [[nodiscard]] std::optional<double> width_um() const;
};

/// Returns profiles along z, y and x; reads only these three lines of `psf`, which is float32.
std::array<PsfProfile, 3> psf_profiles(Source& psf, const Index3& centre, const VoxelSize& pitch);

}  // namespace synthoscope::simulator
