// SPDX-License-Identifier: MIT
// simulator/detector/expected_counts.hpp — mean and variance of a camera's counts.
#pragma once
#include <cstdint>
#include "simulator/detector/camera.hpp"
#include "simulator/detector/exposure.hpp"

namespace synthoscope::simulator {

/// Mean and variance of the count of one pixel, over many exposures to the same light. The noise
/// differs from exposure to exposure; the maps of the camera do not.
struct CountMoments {
  double mean = 0, variance = 0;  ///< in DN and DN^2
};

/// Computes mean and variance of the counts that a CameraEpilogue makes. Of a pixel, e is the
/// expected number of electrons (quantum efficiency x photons + dark electrons), o the offset, K
/// the gain in DN per electron, r the read noise, and w the row noise:
///
///     scmos     mean = o + K e           variance = K^2 (e + r^2 + w^2) + 1/12
///     ccd       the same, with e of all pixels that are binned on the chip
///     emccd     mean = o + K g e         variance = K^2 (g^2 F^2 e + r^2 + w^2) + 1/12
///               with the gain g of the register and F^2 = 2 - 1/g
///     counting  mean = o + K A m         variance = K^2 (A^2 v + A (A - 1) m)
///               with A = 1 / (1 - afterpulse probability), m and v of photon_counting.hpp: far
///               from both ends of the exposure for a dead time, exact for one-bit frames
///
/// If pixels are binned after they were read out, their counts are added; pixels of one row share
/// w. Full wells and clipped counts are ignored: the result is that of a camera with a larger
/// range.
/// @source EMVA Standard 1288, release 4.0, section 2; Robbins, Hadwen, IEEE Trans. Electron
/// Devices
///         50 (2003) 1227, doi:10.1109/TED.2003.813462 (F^2).
class ExpectedCounts {
 public:
  /// `camera` outlives this.
  explicit ExpectedCounts(const CameraEpilogue& camera);

  /// Returns mean and variance of a pixel (y, x) of the image. `photons` has the photons of its
  /// binning x binning pixels of the sensor; negative photons count as 0.
  [[nodiscard]] CountMoments of(std::int64_t y, std::int64_t x, const PhotonPointer& photons) const;

  /// Returns the part of the camera's range that the mean of such a pixel uses: the largest of
  /// charge over full well, charge over the register's full well, and count over the largest count.
  /// Counters use all of theirs when nine of ten of the counts are made that frames or dead time
  /// allow.
  [[nodiscard]] double range_used(std::int64_t y, std::int64_t x,
                                  const PhotonPointer& photons) const;

 private:
  [[nodiscard]] CountMoments collected(std::int64_t pixel, float photons) const;
  [[nodiscard]] CountMoments read_out(std::int64_t pixel, const CountMoments& electrons) const;

  const Exposure& exposure_;
  MapPointers maps_;
};

}  // namespace synthoscope::simulator
