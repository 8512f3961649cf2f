// SPDX-License-Identifier: MIT
// simulator/light/energy.hpp — where the light of a phantom went: into the image, past the PSF's
// window, or past the edges of the field.
#pragma once
#include <vector>
#include "core/base/units.hpp"
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {

/// Photons, summed over all planes of a stack. Every plane of a wide-field stack holds all of the
/// collected light, in focus or not: `unbounded` is then `collected` times the planes.
///
///     unbounded = image + lost_by_window + lost_by_field
struct EnergyBalance {
  double emitted = 0;         ///< leave the phantom, if all photons fell on one plane
  double collected = 0;       ///< of these, what the objective collects: see collected_part
  double unbounded = 0;       ///< in the stack's planes, if PSF and field were infinite
  double image = 0;           ///< in the noise-free image, without background, evenly lit
  double lost_by_window = 0;  ///< outside the window of the PSF
  double lost_by_field = 0;   ///< blurred out of the field along y and x

  EnergyBalance& operator+=(const EnergyBalance& other);
};

/// Returns the balance of `times` as much light.
EnergyBalance operator*(double times, const EnergyBalance& balance);

/// What a photon of one plane puts onto the plane d planes above it, for d from 1 - planes to
/// planes - 1: the planes of a PSF.
struct PlaneEnergies {
  std::vector<double> in_window;  ///< onto the pixels that the window of the PSF reaches
  std::vector<double> unbounded;  ///< onto an infinite plane

  /// Returns the energies, each multiplied by the weight of its distance.
  [[nodiscard]] PlaneEnergies times(const std::vector<double>& weights) const;
};

/// Returns the energies of a PSF for a stack of `planes` planes.
/// @param optics, pitch  `psf` was made from them: they determine what infinite planes hold
PlaneEnergies energies_of_planes(const OpticsSpec& optics, const VoxelSize& pitch, const Psf& psf,
                                 std::int64_t planes, TaskPool& pool);

/// Light that a PSF spreads: the collected photons of every plane, and where they go.
struct SpreadLight {
  std::vector<double> collected;
  PlaneEnergies energies;
};

/// Returns the balance of all `light` together. `image` holds the photons in every plane of the
/// blurred image; `part`, above 0, of the emitted light is collected.
EnergyBalance balance_of(const std::vector<SpreadLight>& light, const std::vector<double>& image,
                         double part);

}  // namespace synthoscope::simulator
