// SPDX-License-Identifier: MIT
// simulator/calibration/pixel_figures.hpp — what a calibration finds of every single pixel.
#pragma once
#include <vector>
#include "simulator/calibration/calibrate.hpp"

namespace synthoscope::simulator {

/// All levels, and which darks the others are compared with.
struct Levels {
  std::vector<StackLevel> darks, flats;
  std::size_t reference = 0;  ///< dark of the shortest exposure

  [[nodiscard]] const StackLevel& dark() const { return darks[reference]; }

  /// The step between counts of all levels, as StackLevel::step; at least 1.
  [[nodiscard]] std::int64_t step() const;
};

/// Offset and dark charge of every pixel.
struct DarkSignal {
  std::vector<float> offset, per_second;  ///< DN and DN/s; the latter empty if not known
  double per_second_noise = 0;            ///< variance of a pixel's
};

/// A line over the exposures through the darks of every pixel, each dark weighted with its frames.
/// Without several exposures, the reference darks alone.
DarkSignal dark_signal(const std::vector<NamedStack>& darks, const Levels& levels);

/// The variance of every pixel of the reference darks that is no read noise: of rounding, and of
/// the charge that the pixel gathered, where that is known. `slope` is that of photon transfer.
std::vector<float> known_variances(const Levels& levels, const DarkSignal& dark, double slope);

/// The answer of every pixel to light over that of the bulk of them, and the variance of noise in
/// it.
struct Responses {
  std::vector<float> over_mean;
  double noise = 0;
};

/// From all flats that `points` do not leave out; the unevenness of the light is divided out.
Responses responses(const Levels& levels, const DarkSignal& dark,
                    const std::vector<NamedStack>& flats, const std::vector<TransferPoint>& points);

/// Maps as cameras have them; `found` has gain and multiplication.
CameraMaps maps_of(const Calibration& found, const Levels& levels, const DarkSignal& dark,
                   const std::vector<float>& known, const Responses& answers);

}  // namespace synthoscope::simulator
