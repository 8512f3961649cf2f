// SPDX-License-Identifier: MIT
// fit/camera/noise_band.hpp — the frequencies in which an image has noise alone.
#pragma once
#include <string>
#include <vector>
#include "fit/camera/noise_tiles.hpp"

namespace synthoscope::fit {

/// From what the band follows.
enum class BandFrom { optics, spectrum, end_of_spectrum, support_of_stack };

struct NoiseBand {
  int first_ring = 0;  ///< the band is this ring and all beyond
  BandFrom from = BandFrom::optics;
  double share = 0;             ///< of all frequencies of a tile, or of all waves of a block
  double fall = 1;              ///< power at its begin over that at its end, of calm tiles
  bool may_hold_light = false;  ///< then the noise is an upper bound

  /// Returns how the band was found: part of a sentence.
  [[nodiscard]] std::string how() const;
};

/// Returns the band. Light ends at `cutoff`, in Nyquist frequencies of the coarsest axis; a ring is
/// left to what the window spreads. If the optics are assumed, the band begins where the spectrum
/// of the half of the tiles whose light varies most has become flat, and at `cutoff` if that is
/// larger and leaves a band. If no band is left, it is where that spectrum is flat, or else its
/// last rings. It may hold light if the optics are known and leave none; if they are assumed, then
/// where the flat part is short, or where tiles of varied light have more power in it than calm
/// ones.
/// @param tiles  at least one
NoiseBand noise_band(const std::vector<NoiseTile>& tiles, double cutoff, bool optics_are_known);

/// A ratio of powers.
struct RingRatio {
  double ratio = 1, error = 0;
};
/// Rings, both ends included.
struct RingRange {
  int first = 0, last = 0;
};

/// Returns the power in the rings from `first` on of tiles whose light varies, over that of tiles
/// of the same mean whose light varies less; and the standard error. More than 1 says that light is
/// left there.
RingRatio varied_over_calm(const std::vector<NoiseTile>& tiles, int first);

/// Returns the `count` tiles among `from` whose light varies least: the power of their long waves
/// is smallest compared with that of the shortest.
std::vector<const NoiseTile*> calm_tiles(std::vector<const NoiseTile*> from, std::size_t count);

/// Returns pointers to all tiles.
std::vector<const NoiseTile*> pointers_to(const std::vector<NoiseTile>& tiles);

/// Returns the sum of the power of a range of rings over that of another: the mean per frequency,
/// each tile divided by its own noise; and the standard error.
/// @param rounding  power that is taken off both
RingRatio ring_ratio(const std::vector<const NoiseTile*>& tiles, RingRange above, RingRange below,
                     double rounding);

}  // namespace synthoscope::fit
