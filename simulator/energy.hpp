// SPDX-License-Identifier: MIT
// simulator/energy.hpp — where the light of a phantom went: into the image, past the PSF's window,
// or past the edges of the field.
#pragma once
#include <vector>
#include "core/units.hpp"
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {

/// Photons, summed over all planes of a stack. Every plane of a wide-field stack holds all of the
/// light, in focus or not: `unbounded` is then the emitted light times the planes.
///
///     unbounded = image + lost_by_window + lost_by_field
struct EnergyBalance {
  double emitted = 0;         ///< leave the phantom, if all of it fell on one plane
  double unbounded = 0;       ///< in the stack's planes, were PSF and field without end
  double image = 0;           ///< in the noise-free image, without background, evenly lit
  double lost_by_window = 0;  ///< outside the window of the PSF
  double lost_by_field = 0;   ///< blurred out of the field along y and x

  EnergyBalance& operator+=(const EnergyBalance& other);
};

/// Of so many times the light.
EnergyBalance operator*(double times, const EnergyBalance& balance);

/// What a photon of one plane puts onto the plane so many above it, from 1 - planes to planes - 1:
/// the planes of a PSF.
struct PlaneEnergies {
  std::vector<double> in_window;  ///< onto the pixels that the window of the PSF reaches
  std::vector<double> unbounded;  ///< onto all of a plane without end

  /// Each multiplied by the weight of its distance.
  [[nodiscard]] PlaneEnergies times(const std::vector<double>& weights) const;
};

/// Of a PSF, for a stack of so many planes.
/// @param optics, pitch  what `psf` was made from: they say what planes without end hold
PlaneEnergies energies_of_planes(const OpticsSpec& optics, const VoxelSize& pitch, const Psf& psf,
                                 std::int64_t planes);

/// Light that a PSF spreads: the photons of every plane, and where they go.
struct SpreadLight {
  std::vector<double> emitted;
  PlaneEnergies energies;
};

/// `image` are the photons of every plane of what all `light` is blurred to, together.
EnergyBalance balance_of(const std::vector<SpreadLight>& light, const std::vector<double>& image);

}  // namespace synthoscope::simulator
