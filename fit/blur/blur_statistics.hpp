// SPDX-License-Identifier: MIT
// fit/blur/blur_statistics.hpp — numbers of an image that its optics change.
#pragma once
#include <cstddef>
#include <vector>
#include "core/run/run_context.hpp"
#include "fit/blur/band_powers.hpp"
#include "fit/blur/point_widths.hpp"
#include "fit/edges/edge_profiles.hpp"
#include "fit/edges/halo_levels.hpp"
#include "fit/edges/inner_levels.hpp"
#include "fit/estimates/statistics.hpp"
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// What is measured. The real images decide it, so that twins are measured alike.
struct BlurMeasure {
  double reach = 0;        ///< of lateral edges, pixels along x; 0: they are not measured
  double axial_reach = 0;  ///< of axial edges, planes; 0: they are not measured
  bool inner = false;      ///< levels within objects
  /// Rings around objects whose light is measured, the last as their background; 0: none.
  std::size_t halo_rings = 0;
  bool points = false, axial_points = false;
  std::vector<std::size_t> bands, axial_bands;  ///< of the spectrum
  [[nodiscard]] bool is_empty() const {
    return reach == 0 && axial_reach == 0 && halo_rings == 0 && !points && bands.empty() &&
           axial_bands.empty();
  }
};

/// What is found in some images: a sample for each object, part of an image or tile.
struct BlurSamples {
  std::vector<ObjectEdge> lateral, axial;
  std::vector<InnerLevels> inner;
  std::vector<HaloSums> halo;
  std::vector<PointWidth> points;
  std::vector<BandPowers> tiles;
};

/// Adds what is measured of an image. @throws PlanError, Interrupted
void add_samples(const LabelledImage& image, const BlurMeasure& measure, const RunContext& context,
                 BlurSamples& samples);

/// Returns the statistics of the samples, each with its covariance over samples of as many objects:
/// levels of mean edges but the outermost and the middle; levels within objects; halos; medians of
/// the logarithms of widths of points; the exponent of the power law that the spectrum follows, and
/// its deviations from it. Edges, points and tiles count as independent of each other.
/// @throws InvalidSpec  there is no sample of something that is measured.
Statistics blur_statistics(const BlurSamples& samples, const BlurMeasure& measure);

/// Adds to the covariance of real images what no twin has as they do, however good: the exponent of
/// the texture's spectrum, which looks like blur; small differences of its shape, and of edges. A
/// spectrum without edges is that of an unknown texture: its differences are larger.
void add_unlikeness(const BlurMeasure& measure, Statistics& real);

/// Returns the mean levels of edges. @pre there is at least one
EdgeProfile mean_levels(const std::vector<ObjectEdge>& edges);

}  // namespace synthoscope::fit
