// SPDX-License-Identifier: MIT
// simulator/detector/camera_pixel.hpp — one pixel of one exposure: photons in, digital number out.
#pragma once
#include <cstdint>

namespace synthoscope::simulator {

/// Figures that all pixels of a camera share, ready for use.
struct PixelElectronics {
  double quantum_efficiency = 1;
  double dark_current = 0;  ///< electrons per second, if pixels do not differ
  double exposure_seconds = 1, clock_induced_charge = 0;
  double row_noise_electrons = 0;
  double full_well_electrons = 1e9;
  double em_gain = 1;
  double register_full_well_electrons = 1e9;
  double largest_dn = 65535;
  double largest_mean = 1e9;  ///< of electrons; a larger mean changes no count
};

/// Figures of one pixel.
struct PixelTraits {
  double offset_dn = 0, gain_dn_per_electron = 1, read_noise_electrons = 0;
};

struct PixelCount {
  std::uint16_t dn = 0;
  bool full_well = false, clipped_low = false, clipped_high = false;
};

/// Returns the mean of the Poisson draw. `photons` is finite and >= 0, `dark` the electrons that
/// the pixel gathers without light. Quantum efficiency and dark signal come before the draw: after
/// it they would break variance = mean.
inline double mean_electrons(float photons, const PixelElectronics& camera, double dark) {
  const double mean = camera.quantum_efficiency * static_cast<double>(photons) + dark;
  return mean < camera.largest_mean ? mean : camera.largest_mean;
}

inline double clipped(double electrons, double full_well) {
  return electrons > full_well ? full_well : electrons;
}

/// Returns the number that is stored for the electrons at the amplifier; `normal` is the read noise
/// in units of its rms, `row` the common part of the pixel's row, in electrons. Rounds halves up.
inline PixelCount digitize(double electrons, double normal, double row,
                           const PixelElectronics& camera, const PixelTraits& pixel) {
  PixelCount count;
  const double read = electrons + pixel.read_noise_electrons * normal + row;
  const double dn = pixel.offset_dn + pixel.gain_dn_per_electron * read + 0.5;
  count.clipped_low = dn < 0;
  count.clipped_high = dn >= camera.largest_dn + 1;
  count.dn = static_cast<std::uint16_t>(count.clipped_low    ? 0
                                        : count.clipped_high ? camera.largest_dn
                                                             : dn);
  return count;
}

}  // namespace synthoscope::simulator
