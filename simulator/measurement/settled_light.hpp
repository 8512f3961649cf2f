// SPDX-License-Identifier: MIT
// simulator/measurement/settled_light.hpp — the light of a PSF between voxels, with less noise.
#pragma once
#include <optional>
#include "core/stream/memory_stream.hpp"
#include "simulator/base/voxel_position.hpp"
#include "simulator/measurement/psf_core.hpp"

namespace synthoscope::simulator {

/// The light of a PSF near its centre: a mean of its voxels, interpolated by sinc functions, and of
/// the core that fits them best. Voxels without noise are trusted alone; the core is, if it differs
/// from the voxels no more than noise does. In between, the trust in voxels is
///
///     1 - (noise / misfit)^2,
///
/// which is the least wrong on average.
/// @source James and Stein, Proc. 4th Berkeley Symp. 1 (1961) 361.
class SettledLight {
 public:
  /// Trusts the voxels alone.
  SettledLight(const Volume<float>& voxels, const VoxelPosition& centre)
      : voxels_{&voxels}, centre_{centre} {}

  /// @param voxels  without background; must outlive this object
  /// @param centre  brightest place
  /// @param width   full widths at half maximum along z, y and x, in voxels
  /// @param noise   standard deviation of voxels near the centre
  SettledLight(const Volume<float>& voxels, const VoxelPosition& centre, const AlongAxes& width,
               double noise);

  [[nodiscard]] double at(const VoxelPosition& position) const;
  [[nodiscard]] const VoxelPosition& centre() const { return centre_; }
  [[nodiscard]] double trust_in_voxels() const { return trust_; }

 private:
  const Volume<float>* voxels_;
  VoxelPosition centre_;
  double trust_ = 1;
  PsfCore core_;
  std::optional<CoreImage> image_;
};

/// Estimates the standard deviation of voxels near the top of a PSF, in the unit of `voxels`. It is
/// twice the standard deviation of dark voxels, for two reasons: light itself is noisy, and
/// neighbours in a mean of shifted images share noise, so that their differences show too little.
/// The estimate is the median of differences in squares of four voxels, which slopes along y or x
/// do not change.
double noise_near_top(const Volume<float>& voxels);

}  // namespace synthoscope::simulator
