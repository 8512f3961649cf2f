// SPDX-License-Identifier: MIT
// fit/light/light_rule.hpp — how the light of an image is measured: the same rule for real images
// and for their twins.
#pragma once
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

struct LightRule {
  double lateral_um = 0.3, axial_um = 1;  ///< full widths at half maximum of the PSF
  /// Distance of background from the nearest label, in widths of the PSF along each axis.
  double far_widths = 5;
  std::int64_t apart = 8;  ///< pixels over which grain has no correlation any more
  bool zones = false;      ///< border, inside and middle of an object are measured apart
  bool falloff = true;     ///< light may fall off from the middle of the field to its corners
};

/// Returns the rule for images through the optics of a scene.
/// @source Zhang, Zerubia, Olivo-Marin, Appl. Opt. 46 (2007) 1819, doi:10.1364/AO.46.001819 (a
///         Gaussian of standard deviation 0.21 wavelength / NA across); Wilhelm, Confocal laser
///         scanning microscopy, Zeiss, 2011 (0.88 wavelength / (n - sqrt(n^2 - NA^2)) along z).
LightRule light_rule_of(const simulator::SceneSpec& scene);

/// Returns the correlation length across, in micrometres, of the grain of a scene in its image, as
/// background.hpp of the simulator defines it.
double grain_length_um(const simulator::SceneSpec& scene);

}  // namespace synthoscope::fit
