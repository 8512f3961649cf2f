// SPDX-License-Identifier: MIT
// simulator/calibration/pixel_figures.hpp — what a calibration finds for every single pixel.
#pragma once
#include <vector>
#include "simulator/calibration/calibrate.hpp"
#include "simulator/calibration/stack_level.hpp"

namespace synthoscope::simulator {

/// All levels, and the dark that the others are compared with.
struct Levels {
  std::vector<StackLevel> darks, flats;
  std::size_t reference = 0;  ///< dark of the shortest exposure

  [[nodiscard]] const StackLevel& dark() const { return darks[reference]; }

  /// Returns the step between counts of all levels, as StackLevel::step; at least 1.
  [[nodiscard]] std::int64_t step() const;
};

/// Offset and dark charge of every pixel.
struct DarkSignal {
  std::vector<float> offset, per_second;  ///< DN and DN/s; the latter empty if not known
  double per_second_noise = 0;            ///< variance of one pixel of per_second
};

/// Fits a line over the exposures through the darks of every pixel, each dark weighted with its
/// frames. Without several exposures only the reference darks are used.
DarkSignal dark_signal(const std::vector<NamedStack>& darks, const Levels& levels);

/// Returns the variance of every pixel of the reference darks that is not read noise: rounding, and
/// the charge that the pixel gathered, if known. `slope` is the slope of photon transfer.
std::vector<float> known_variances(const Levels& levels, const DarkSignal& dark, double slope);

/// The response of every pixel to light relative to the bulk of pixels, and the noise variance in
/// it.
struct Responses {
  std::vector<float> over_mean;
  double noise = 0;
};

/// Computes the responses from all flats that `points` do not leave out; the unevenness of the
/// light is divided out.
Responses responses(const Levels& levels, const DarkSignal& dark,
                    const std::vector<NamedStack>& flats, const std::vector<TransferPoint>& points);

/// Returns maps in the form of a camera; `found` has gain and multiplication.
CameraMaps maps_of(const Calibration& found, const Levels& levels, const DarkSignal& dark,
                   const std::vector<float>& known, const Responses& answers);

}  // namespace synthoscope::simulator
