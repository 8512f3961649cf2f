// SPDX-License-Identifier: MIT
// simulator/detector/camera_pixel.hpp — one pixel of one exposure: photons in, digital number out.
#pragma once
#include <cstdint>
#include "core/random.hpp"
#include "simulator/detector/em_register.hpp"
#include "simulator/detector/normal_quantile.hpp"
#include "simulator/detector/poisson.hpp"

namespace synthoscope::simulator {

/// What all pixels of a camera share, ready for use.
struct PixelElectronics {
  double quantum_efficiency = 1;
  double dark_electrons = 0;  ///< mean, per exposure: dark current and clock-induced charge
  double exposure_seconds = 1, clock_induced_charge = 0;  ///< that the former is made of
  double row_noise_electrons = 0;
  double full_well_electrons = 1e9;
  double em_gain = 1;
  double register_full_well_electrons = 1e9;
  double largest_dn = 65535;
};

/// What one pixel has of its own.
struct PixelTraits {
  double offset_dn = 0, gain_dn_per_electron = 1, read_noise_electrons = 0;
};

/// The draws of one pixel in one exposure, uniform in (0, 1).
struct PixelDraws {
  double shot = 0.5, read = 0.5;
  double gain_sum = 0.5, gain_noise = 0.5;  ///< of the multiplication register
};

struct PixelCount {
  std::uint16_t dn = 0;
  bool full_well = false, clipped_low = false, clipped_high = false;
};

/// What the Poisson draw is drawn with. `photons` is finite and >= 0, `dark` what the pixel gathers
/// without light. Quantum efficiency and dark signal come before the draw: after it they would
/// break variance = mean.
inline double mean_electrons(float photons, const PixelElectronics& camera, double dark) {
  const double mean = camera.quantum_efficiency * static_cast<double>(photons) + dark;
  // Beyond this every draw fills the well: the count is the same, the sampler's range is kept
  const double overwhelming = 2 * camera.full_well_electrons + 1000;
  return mean < overwhelming ? mean : overwhelming;
}

inline double clipped(double electrons, double full_well) {
  return electrons > full_well ? full_well : electrons;
}

/// From the electrons at the amplifier to the number that is stored; `normal` is the read noise in
/// units of its rms, `row` what the pixel's row has in common, in electrons. Rounds halves up.
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

/// The whole pixel of a camera without patterns. Cameras do the same for runs of pixels, with the
/// same bits.
inline PixelCount expose_pixel(float photons, const PixelElectronics& camera,
                               const PixelTraits& pixel, const PixelDraws& draws) {
  const double drawn = static_cast<double>(
      poisson(mean_electrons(photons, camera, camera.dark_electrons), draws.shot));
  const double collected = clipped(drawn, camera.full_well_electrons);
  const double amplified =
      clipped(multiplied(collected, camera.em_gain, draws.gain_sum, draws.gain_noise),
              camera.register_full_well_electrons);
  PixelCount count = digitize(amplified, normal_quantile(draws.read), 0, camera, pixel);
  count.full_well = drawn > collected || amplified == camera.register_full_well_electrons;
  return count;
}

}  // namespace synthoscope::simulator
