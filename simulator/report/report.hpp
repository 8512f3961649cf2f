// SPDX-License-Identifier: MIT
// simulator/report/report.hpp — one page that shows a data set: pictures, plots, parameters.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/report/data_set_reader.hpp"

namespace synthoscope::simulator {

/// Figures of a channel's images, for use by programs.
struct ImageFigures {
  std::string channel;                                 ///< empty: the scene has none
  std::array<std::optional<double>, 3> psf_widths_um;  ///< full widths at half maximum: z, y, x
  std::optional<double> variance_ratio;  ///< median of measured over expected; see photon_transfer
};

/// A page, and its figures for use by programs.
struct DataSetReport {
  std::string html;          ///< without external references
  std::int64_t objects = 0;  ///< of the frame
  std::vector<ImageFigures> images;
  Reservation counted;  ///< of the page
};

/// Reports on one frame of a data set: orthogonal slices through its brightest pixel and maximum
/// projections, with the labels; the PSF with its profiles; the histogram of counts; photon
/// transfer, each of these for every channel; objects; every parameter with its unit. Reads every
/// voxel of the frame once.
/// @throws InvalidSpec   there is no such frame.
/// @throws InvalidInput, IoError  a file of the set is missing or broken.
/// @throws PlanError     the memory budget is too small.
/// @throws Interrupted
DataSetReport report_on(const DataSetReader& set, std::int64_t frame, const RunContext& context);

}  // namespace synthoscope::simulator
