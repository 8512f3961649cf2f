// SPDX-License-Identifier: MIT
// fit/camera/noise_band.hpp — the frequencies in which an image has noise alone.
#pragma once
#include <string>
#include <vector>
#include "fit/camera/noise_tiles.hpp"

namespace synthoscope::fit {

/// From what the band follows.
enum class BandFrom { optics, spectrum, end_of_spectrum };

struct NoiseBand {
  int first_ring = 0;  ///< the band is this ring and all beyond
  BandFrom from = BandFrom::optics;
  double share = 0;             ///< of all frequencies of a tile
  double fall = 1;              ///< power at its begin over that at its end, of calm tiles
  bool may_hold_light = false;  ///< then the noise is an upper bound

  /// Returns how the band was found: part of a sentence.
  [[nodiscard]] std::string how() const;
};

/// Returns the band. Light ends at `cutoff`, in Nyquist frequencies of the coarsest axis; a ring is
/// left to what the window spreads. If the optics are assumed, the band begins at the larger of
/// that and where the spectrum of the calmest half of the tiles becomes flat. If no band is left,
/// it is where that spectrum is flat, or else its last rings.
/// @param tiles  at least one
NoiseBand noise_band(const std::vector<NoiseTile>& tiles, double cutoff, bool optics_are_known);

/// Returns the `count` tiles among `from` whose light varies least: the power of their long waves
/// is smallest compared with that of the shortest.
std::vector<const NoiseTile*> calm_tiles(std::vector<const NoiseTile*> from, std::size_t count);

/// Returns pointers to all tiles.
std::vector<const NoiseTile*> pointers_to(const std::vector<NoiseTile>& tiles);

/// Returns the sum of the power of a range of rings over that of another: the mean per frequency,
/// each tile divided by its own noise; and the standard error.
struct RingRatio {
  double ratio = 1, error = 0;
};
struct RingRange {
  int first = 0, last = 0;
};
/// @param rounding  power that is taken off both
RingRatio ring_ratio(const std::vector<const NoiseTile*>& tiles, RingRange above, RingRange below,
                     double rounding);

}  // namespace synthoscope::fit
