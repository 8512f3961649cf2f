// SPDX-License-Identifier: MIT
// fit/camera/grey_levels.hpp — what the histogram of an image says: its steps, its ends, and levels
// that are missing or doubled.
#pragma once
#include <cstdint>
#include "core/volume/view.hpp"
#include "fit/camera/noise_tiles.hpp"

namespace synthoscope::fit {

struct GreyLevels {
  bool are_whole = true;  ///< all values are whole numbers; if not, only the ends below hold
  double step = 1;        ///< largest whole number that divides all differences of values
  double lowest = 0, highest = 0;              ///< DN
  double share_lowest = 0, share_highest = 0;  ///< of the voxels
  bool is_cut_below = false;                   ///< the lowest value also stands for those below it
  bool is_saturated = false;     ///< the highest value is far more frequent than those below it
  int tested = 0;                ///< levels whose neighbours are frequent
  int missing = 0, doubled = 0;  ///< levels among them that are absent, or far too frequent

  /// Returns the limits of tiles without clipped voxels.
  [[nodiscard]] TileLimits limits() const;
  /// Returns the variance that rounding adds, DN^2.
  [[nodiscard]] double rounding() const { return are_whole ? step * step / 12 : 0; }
  /// Returns the bits of a camera whose largest count is `highest`, if it is saturated at a
  /// power of two less one step; otherwise the least number of bits, 1 to 16, that hold it.
  [[nodiscard]] int bits() const;
  [[nodiscard]] bool is_full_of_bits() const;
};

GreyLevels grey_levels(HostView3<const float> counts);

/// Returns whether the darkest places hold as many zeros and ones as Poisson numbers of their mean:
/// counts of photons, without a camera's offset and noise.
/// @param step  between levels
bool counts_photons(HostView3<const float> counts, double step);

}  // namespace synthoscope::fit
