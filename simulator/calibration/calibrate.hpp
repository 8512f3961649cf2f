// SPDX-License-Identifier: MIT
// simulator/calibration/calibrate.hpp — a camera's figures from its own dark and flat frames, by
// photon transfer.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "simulator/calibration/weighted_line.hpp"
#include "simulator/detector/camera_maps.hpp"

namespace synthoscope::simulator {

/// Frames along z at one level of light, or without light. The caller keeps the source open.
struct NamedStack {
  std::string name;
  Source* source = nullptr;
  std::optional<double> exposure_seconds = {};
};

/// Returns whether darks have exposures of different length, all of them known: then there is a map
/// of the dark current.
bool can_determine_dark_current(const std::vector<NamedStack>& darks);

/// What the user states about the camera.
struct CalibrationRequest {
  CameraKind kind = CameraKind::scmos;
  std::optional<double> em_gain;             ///< mean multiplication of an emccd; required for it
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
  double off_line = 0;             ///< relative residual of the variance from the line
  std::string_view left_out = {};  ///< reason, or empty
};

struct Calibration {
  CameraSpec camera;  ///< without maps
  CameraMaps maps;
  WeightedLine line;                     ///< variance / DN^2 over signal / DN
  Measured gain, read_noise, offset;     ///< DN per electron, electrons, DN
  std::optional<Measured> dark_current;  ///< electrons per second, from darks of two exposures
  double response_spread = 0;            ///< PRNU: of the response to light, over its mean
  double offset_spread_dn = 0;           ///< DSNU
  std::optional<double> saturation_dn;   ///< mean of the brightest saturated flat
  std::optional<double> nonlinearity;    ///< largest deviation from mean = rate x exposure
  std::int64_t step_dn = 1;              ///< all counts are multiples of it, up to a constant
  std::int64_t dead_pixels = 0;       ///< pixels whose response to light is below half of the mean
  std::int64_t noisy_pixels = 0;      ///< pixels with outlying noise in the dark
  std::int64_t hot_pixels = 0;        ///< pixels with outlying dark current, if known
  std::vector<TransferPoint> points;  ///< darks, then flats, as given
  std::vector<std::string> warnings;
};

/// Returns the bytes that `calibrate` needs for a field of `pixels`, with `flats` flats.
std::int64_t calibration_bytes(std::int64_t pixels, std::int64_t flats);

/// Measures a camera by photon transfer: with gain K in DN per electron, the variance in time of
/// the counts of a level grows with their mean,
///
///     variance = K^2 read^2 + s^2/12 + K g F^2 (mean - offset),   F^2 = 2 - 1/g,
///
/// with g the multiplication of an EMCCD, otherwise 1, and s the step between counts, 1 unless all
/// counts are multiples of a larger number, which causes a warning. The slope is fitted through
/// darks and flats, weighted by the scatter of each variance; levels that saturate, or lie above
/// 70 % of the saturation, are left out. Offset and read noise are measured in darks (of the
/// shortest exposure, less its dark charge), also pixel by pixel. The gain of a pixel is K times
/// its response to light relative to the field's, divided by a surface of second degree, the
/// unevenness of the light. Means and spreads over pixels leave out outliers, see bulk_of.
/// @throws InvalidInput  sizes differ, too few frames, no light, all flats saturated, a flat that
///                       is darker than the darks.
/// @throws InvalidSpec   an emccd without em_gain, a request outside a camera's range, a flat of
///                       0 s: before a frame is read; figures that no camera has.
/// @source EMVA Standard 1288, Release 4.0 Linear (2021), sections 2, 6 and 8; Huang et al., Nature
///         Methods 10 (2013) 653, doi:10.1038/nmeth.2488 (pixel maps of sCMOS).
Calibration calibrate(const std::vector<NamedStack>& darks, const std::vector<NamedStack>& flats,
                      const CalibrationRequest& request, const RunContext& context);

}  // namespace synthoscope::simulator
