// SPDX-License-Identifier: MIT
// simulator/measurement/psf_core.hpp — a model of the core of a PSF, and its fit.
#pragma once
#include <optional>
#include <vector>
#include "core/base/units.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/base/voxel_position.hpp"
#include "simulator/measurement/lens_pattern.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {

/// The core of a PSF: the pattern of a lens to a power, times a sheet of light,
///
///     peak pattern((1 - sheet) z, r)^power exp(-sheet z^2 / 2),
///
/// with z and r in units of `sigma`. It has the curvature at its centre of a Gaussian with these
/// standard deviations. Lengths are in voxels, along z, y and x. In one plane sigma along z is 1
/// and has no effect.
struct PsfCore {
  double peak = 0;
  VoxelPosition centre;
  AlongAxes sigma{1, 1, 1};
  double power = 1.5;  ///< 1 in a wide-field microscope, 2 in a confocal one; a Gaussian if large
  double sheet = 0.3;  ///< part of the curvature along z that is the sheet's, from 0 to 1
};

/// Computes the light of cores in pixels, which integrate along y and x, of a point or of a bead.
class CoreImage {
 public:
  /// @param bead_voxels  diameter of the bead along z, y and x; 0 for a point
  explicit CoreImage(const AlongAxes& bead_voxels = {0, 0, 0});

  /// Returns the light of a core in the pixel at a position, in the unit of PsfCore::peak.
  [[nodiscard]] double light(const PsfCore& core, const VoxelPosition& at) const;
  /// Adds `times` the light of a core to all voxels.
  void add_to(Volume<float>& voxels, const PsfCore& core, double times) const;

 private:
  struct Node {
    VoxelPosition offset;
    double weight = 1;
  };
  std::vector<Node> nodes_;
  LensPattern pattern_;
};

struct FittedCore {
  PsfCore core;
  double misfit = 0;  ///< root mean square of the weighted differences between core and voxels
};

/// Fits a core by least squares to the voxels around a centre, without background. Squares of
/// differences are weighted by the square root of a Gaussian. So bright voxels count most, because
/// faint ones also hold light of neighbours. If sigma is six voxels or more, some voxels are left
/// out.
/// @param width  full widths at half maximum along z, y and x, in voxels, as a start
/// @returns nothing if too few voxels lie near, or the fit does not converge near the start.
/// @source Marquardt, J. SIAM 11 (1963) 431, by Eigen's port of MINPACK.
std::optional<FittedCore> fit_core(const Volume<float>& voxels, const VoxelPosition& centre,
                                   const AlongAxes& width, const CoreImage& image);

}  // namespace synthoscope::simulator
