// SPDX-License-Identifier: MIT
// fit/camera/free_waves.hpp — the waves of a block of a stack in which no light can be, by the
// support of the optics along z and in the plane.
#pragma once
#include <array>
#include <cstdint>
#include <vector>
#include "core/base/units.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::fit {

/// Where the spectrum of light ends, in cycles per um. One lens has no light along z beyond
///
///     sqrt((n / l)^2 - (f - NA / l)^2) - (n / l) cos(a),    f <= 2 NA / l,  sin(a) = NA / n
///
/// at the frequency f in the plane: nothing at f = 0 (the missing cone) and at the cut-off, most
/// half way between. Of products of light (confocal to STED) and of sheets only the box is taken.
/// @source M. Gustafsson et al., Biophys. J. 94 (2008) 4957, doi:10.1529/biophysj.107.120345, fig.
/// 1
class OpticalSupport {
 public:
  explicit OpticalSupport(const simulator::OpticsSpec& optics);

  /// Returns whether light can have the frequencies `lateral` and `axial`, cycles per um.
  [[nodiscard]] bool holds(double lateral, double axial) const;

 private:
  bool is_one_lens_ = false;
  double lateral_ = 0, axial_ = 0;               ///< ends of the box
  double wave_ = 0, aperture_ = 0, cosine_ = 1;  ///< n / l, NA / l, cos(a)
};

/// Waves of a block of `planes` x side x side voxels; the numbers of a wave are (z, y, x).
struct FreeWaves {
  int planes = 0;
  std::vector<std::array<int, 3>> waves;  ///< one of each pair of opposite waves
  double share = 0;                       ///< of all waves of the block
};

/// Returns the waves that the support does not hold, not even folded back by coarse sampling, and
/// whose neighbours it does not hold either, since a window spreads light to them. Waves along an
/// axis of the plane and waves longer than four pixels are left out: rows and columns of cameras
/// have patterns, and lamps flicker from plane to plane. So are those along z that do not change,
/// or hardly, from plane to plane: the fixed pattern of the sensor lies there.
/// @param planes  of a block, at least 4; @param side  of a block, pixels
FreeWaves free_waves(const OpticalSupport& support, const VoxelSize& pitch, int planes, int side);

}  // namespace synthoscope::fit
