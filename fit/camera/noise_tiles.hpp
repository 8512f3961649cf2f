// SPDX-License-Identifier: MIT
// fit/camera/noise_tiles.hpp — power spectra of small tiles of an image, in which the noise of the
// camera is measured.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/volume/view.hpp"

namespace synthoscope::fit {

inline constexpr int kTileSide = 32;   ///< pixels; tiles overlap by half
inline constexpr int kTileRings = 23;  ///< ring r: r <= f < r + 1, f in 1/kTileSide per pixel

/// The Nyquist frequency of an axis lies at ring 16, the corner of the spectrum in ring 22.
inline constexpr int kNyquistRing = kTileSide / 2;

/// Power per ring, of white noise of variance v: v in each ring.
using RingPower = std::array<double, kTileRings>;

struct NoiseTile {
  double mean = 0;      ///< of the pixels, weighted by the square of the window
  double variance = 0;  ///< of the pixels, weighted alike: of light and noise, DN^2
  RingPower power{};    ///< DN^2
};

/// Returns the number of frequencies of each ring. Those of waves along an axis are left out, so
/// that patterns of rows and columns do not count.
const std::array<int, kTileRings>& frequencies_of_rings();

/// Returns the mean power of a tile from ring `first` on, per frequency, and the number of those
/// frequencies.
double power_from(const NoiseTile& tile, int first);
int frequencies_from(int first);

/// Tiles that contain a pixel at or below `low`, or at or above `high`, are left out.
struct TileLimits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// Returns the spectra of the tiles of up to `planes` planes, evenly spread: the mean is removed
/// under a Hann window, and the power is divided by the sum of the squared window. An image
/// narrower than a tile has none. The mean power of noise whose variance is a line in the light is
/// exactly that line at the mean of the tile, however the light varies in it.
std::vector<NoiseTile> noise_tiles(HostView3<const float> counts, const TileLimits& limits,
                                   std::int64_t planes, const RunContext& context);

/// Returns the same of half the squared differences of neighbouring planes: what two exposures
/// share is not in them, such as the fixed pattern of the sensor. `mean` is that of both planes.
std::vector<NoiseTile> difference_tiles(HostView3<const float> counts, const TileLimits& limits,
                                        std::int64_t planes, const RunContext& context);

}  // namespace synthoscope::fit
