// SPDX-License-Identifier: MIT
// simulator/calibration/calibrate.hpp — a camera's figures from its own dark and flat frames, by
// photon transfer.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "simulator/calibration/stack_level.hpp"
#include "simulator/calibration/weighted_line.hpp"
#include "simulator/detector/camera_maps.hpp"

namespace synthoscope::simulator {

/// Frames along z of one level of light, or of none, that somebody keeps open.
struct NamedStack {
  std::string name;
  Source* source = nullptr;
  std::optional<double> exposure_seconds = {};
};

/// Whether darks have exposures of different length, all of them known: then there is a map of the
/// dark current.
bool tell_dark_current(const std::vector<NamedStack>& darks);

/// What frames do not tell.
struct CalibrationRequest {
  CameraKind kind = CameraKind::scmos;
  std::optional<double> em_gain;             ///< the mean one, of an emccd: required there
  std::optional<double> quantum_efficiency;  ///< recorded; typical of the kind if absent
  std::optional<int> bit_depth;              ///< from the counts if absent
};

struct Measured {
  double value = 0, error = 0;  ///< one standard error
};

/// A level of light on the line of photon transfer.
struct TransferPoint {
  std::string name;
  double mean_dn = 0, signal_dn = 0;  ///< signal: above the reference darks
  double variance_dn2 = 0, error_dn2 = 0;
  double drift_dn = 0;             ///< of the lamp between frames
  double off_line = 0;             ///< relative to the line, of the variance
  std::string_view left_out = {};  ///< why, or empty
};

struct Calibration {
  CameraSpec camera;  ///< without maps
  CameraMaps maps;
  WeightedLine line;                     ///< variance / DN^2 over signal / DN
  Measured gain, read_noise, offset;     ///< DN per electron, electrons, DN
  std::optional<Measured> dark_current;  ///< electrons per second, from darks of two exposures
  double response_spread = 0;   ///< PRNU: over pixels, of the answer to light, relative to its mean
  double offset_spread_dn = 0;  ///< DSNU
  std::optional<double> saturation_dn;  ///< the brightest mean, where counts stopped to follow
  std::optional<double> nonlinearity;   ///< largest deviation from mean = rate x exposure
  std::int64_t step_dn = 1;             ///< all counts are multiples of it, up to a constant
  std::int64_t dead_pixels = 0;         ///< that answer less than half of the mean
  std::int64_t noisy_pixels = 0;        ///< whose noise in the dark is unlike that of the others
  std::int64_t hot_pixels = 0;          ///< whose dark current is, where it is known
  std::vector<TransferPoint> points;    ///< darks, then flats, as given
  std::vector<std::string> warnings;
};

/// Memory that `calibrate` needs of a field, with so many flats.
std::int64_t calibration_bytes(std::int64_t pixels, std::int64_t flats);

/// Photon transfer: with gain K in DN per electron, the variance in time of the counts of a level
/// grows with their mean,
///
///     variance = K^2 read^2 + s^2/12 + K g F^2 (mean - offset),   F^2 = 2 - 1/g,
///
/// g the multiplication of an EMCCD, else 1; s the step between counts, 1 unless all of them are
/// multiples of a larger number, which is warned about. The slope is fitted through darks and
/// flats, weighted by the scatter of each variance; levels that saturate, or lie above 70 % of
/// where others do, are left out. Offset and read noise are those of darks (of the shortest
/// exposure, less its dark charge), pixel by pixel as well. The gain of a pixel is K times its
/// answer to light over the field's, of which a surface of second degree, the unevenness of the
/// light, is divided out. Means and spreads over pixels leave out those that are unlike the others,
/// see bulk_of.
/// @throws InvalidInput  sizes differ, too few frames, no light, all flats saturated, a flat that
/// is
///                       darker than the darks.
/// @throws InvalidSpec   an emccd without em_gain, a request outside a camera's range, a flat of
///                       0 s: before a frame is read; figures that no camera has.
/// @source EMVA Standard 1288, Release 4.0 Linear (2021), sections 2, 6 and 8; Huang et al., Nature
///         Methods 10 (2013) 653, doi:10.1038/nmeth.2488 (pixel maps of sCMOS).
Calibration calibrate(const std::vector<NamedStack>& darks, const std::vector<NamedStack>& flats,
                      const CalibrationRequest& request, const RunContext& context);

}  // namespace synthoscope::simulator
