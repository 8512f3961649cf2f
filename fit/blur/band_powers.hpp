// SPDX-License-Identifier: MIT
// fit/blur/band_powers.hpp — power of an image in bands of spatial frequency, in the plane and
// along z, less that of noise.
#pragma once
#include <array>
#include <cstddef>
#include <vector>
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Borders of the lateral bands, in cycles a pixel.
inline constexpr std::array<double, 10> kLateralBands{0.05, 0.08, 0.11, 0.14, 0.18,
                                                      0.22, 0.27, 0.32, 0.38, 0.45};
/// Borders of the axial bands, in cycles a plane. They are of lateral frequencies from
/// kAxialLateral[0] to [1] cycles a pixel.
inline constexpr std::array<double, 7> kAxialBands{0.02, 0.08, 0.14, 0.2, 0.28, 0.38, 0.5};
inline constexpr std::array<double, 2> kAxialLateral{0.06, 0.17};

inline constexpr std::size_t kLateralBandCount = kLateralBands.size() - 1;
inline constexpr std::size_t kAxialBandCount = kAxialBands.size() - 1;

/// Mean power of the frequencies of each band, with Hann's window along each axis, summed over
/// tiles or planes; noise is what the corners of the spectrum have, beyond half a cycle a pixel.
struct BandPowers {
  std::array<double, kLateralBandCount> lateral{};
  std::array<double, kAxialBandCount> axial{};  ///< of stacks
  double noise = 0;                             ///< power of white noise, as in `lateral`
  double axial_noise = 0;                       ///< the same, as in `axial`

  BandPowers& operator+=(const BandPowers& other);
  /// Whether the power of a band is at least twice that of noise, and so signal exceeds noise.
  [[nodiscard]] bool is_clear(std::size_t lateral_band) const {
    return lateral[lateral_band] > 2 * noise;
  }
  [[nodiscard]] bool is_clear_axial(std::size_t band) const {
    return axial[band] > 2 * axial_noise;
  }
  /// Logarithms of powers less noise.
  [[nodiscard]] double log_power(std::size_t lateral_band) const;
  [[nodiscard]] double log_axial_power(std::size_t band) const;
};

/// Returns the powers of square tiles of 64 pixels (or the largest power of two that fits), which
/// overlap by half, summed over groups of 2 x 2 tiles, since neighbours show the same objects. Of a
/// stack, tiles have all planes.
/// @source Welch, IEEE Trans. Audio Electroacoust. 15 (1967) 70, doi:10.1109/TAU.1967.1161901
std::vector<BandPowers> band_powers(const LabelledImage& image);

/// A line through logarithms of powers over those of frequencies, and what is left of them.
struct BandShape {
  double tilt = 0;           ///< exponent of the power law that fits best
  std::vector<double> rest;  ///< of each band: its logarithm of power less the line
};

/// Fits the line by least squares. @param bands  at least three
BandShape shape_of_bands(const BandPowers& powers, const std::vector<std::size_t>& bands);
BandShape shape_of_axial_bands(const BandPowers& powers, const std::vector<std::size_t>& bands);

}  // namespace synthoscope::fit
