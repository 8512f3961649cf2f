// SPDX-License-Identifier: MIT
// simulator/measurement/psf_figures.hpp — the width, symmetry and sharpness of a PSF.
#pragma once
#include <array>
#include <optional>
#include "core/base/units.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/base/voxel_position.hpp"

namespace synthoscope::simulator {

/// What is measured of a PSF. Numbers of axes are along z, y and x.
struct PsfFigures {
  VoxelPosition centre;  ///< the top of the light
  double peak = 0;       ///< light there, between voxels
  /// Full widths at half of the peak, on lines through the centre; absent where the light does not
  /// fall below half of it inside the volume.
  std::array<std::optional<double>, 3> fwhm_um;
  /// (after - before) / (after + before) of the light on both sides of the centre, within twice
  /// the width along every axis; 0 for a symmetric PSF. Absent without all widths.
  std::array<std::optional<double>, 3> asymmetry;
  /// Part of the light of the volume that lies in the ellipsoid around the centre whose half axes
  /// are the widths. Absent without all widths.
  std::optional<double> energy_in_focus;
  /// The peak over the light of the plane through it: what the Strehl ratio compares.
  double peak_share = 0;
};

/// Measures a PSF without its background. Lines through the centre are interpolated by sinc
/// functions; widths are exact if the voxels sample the PSF finely enough. Noisy voxels are
/// smoothed by SettledLight. A PSF of one plane has no width and no asymmetry along z.
/// @param voxels  at least one above 0
/// @param centre  brightest place, in voxels
/// @param noise   standard deviation of voxels near the centre, in the unit of `voxels`
PsfFigures measure_psf(const Volume<float>& voxels, const VoxelSize& pitch,
                       const VoxelPosition& centre, double noise = 0);

}  // namespace synthoscope::simulator
