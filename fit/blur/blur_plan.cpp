// SPDX-License-Identifier: MIT
#include "fit/blur/blur_plan.hpp"
#include <algorithm>
#include <cmath>
#include "fit/edges/object_outline.hpp"
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kFewestPoints = 3, kFewestEdges = 3, kFewestBands = 4, kFewestInside = 5,
                      kFewestRings = 3;
constexpr double kLeastReach = 2;         ///< pixels or planes
constexpr double kShareOfDepth = 0.6;     ///< of objects, that a reach may have
constexpr double kLeastHaloShare = 0.02;  ///< of pixels, far from all objects, for halos
constexpr std::int64_t kFewestAxialPlanes = 8;

double median_depth(const LabelledImages& real, double ObjectDepth::*which) {
  std::vector<double> all;
  for (const LabelledImage& image : real)
    for (const ObjectDepth& depth : object_depths(image)) all.push_back(depth.*which);
  std::nth_element(all.begin(), all.begin() + std::ssize(all) / 2, all.end());
  return all[all.size() / 2];
}

/// The distance over which edges fall, first measured with `start`; 0 if few edges are clear.
template <class Edges>
double measured_reach(const LabelledImages& real, double start, double most, Edges&& edges_of) {
  const auto limited = [&](double reach) { return std::clamp(reach, 1.0, std::max(most, 1.0)); };
  double reach = limited(start);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<ObjectEdge> edges;
    for (const LabelledImage& image : real)
      for (const ObjectEdge& edge : edges_of(image, reach)) edges.push_back(edge);
    if (edges.size() < kFewestEdges) return 0;
    if (pass == 0) reach = limited(std::max(rise_of(mean_levels(edges), reach), kLeastReach));
  }
  return reach;
}

void plan_edges(const LabelledImages& real, const simulator::OpticsSpec& optics,
                BlurMeasure& measure) {
  const VoxelSize& pitch = real.front().grid.pitch;
  const double wavelength_um = optics.wavelength_nm / 1000, n = optics.immersion_index;
  const double airy_um = 0.61 * wavelength_um / optics.na;
  measure.reach =
      measured_reach(real, std::max(1.5 * airy_um / pitch.x_um, kLeastReach),
                     kShareOfDepth * median_depth(real, &ObjectDepth::pixels), lateral_edges);
  if (real.front().grid.extent.z < kFewestAxialPlanes) return;
  const double axial_um =
      0.88 * wavelength_um / (n - std::sqrt(std::max(n * n - optics.na * optics.na, 0.0)));
  const double room = std::min(kShareOfDepth * median_depth(real, &ObjectDepth::planes),
                               static_cast<double>(real.front().grid.extent.z) / 6);
  measure.axial_reach =
      measured_reach(real, std::max(axial_um / 2 / pitch.z_um, kLeastReach), room, axial_edges);
}

/// The rings around objects that have enough pixels, from the nearest on; 0 if they are too few for
/// a halo and its background.
std::size_t clear_rings(const LabelledImages& real, double reach) {
  HaloSums all;
  double pixels = 0;
  for (const LabelledImage& image : real)
    for (const HaloSums& part : halo_sums(image, reach)) {
      all += part;
      pixels += part.inside_pixels;
      for (const double outside : part.pixels) pixels += outside;
    }
  const auto scarce = std::find_if(all.pixels.begin(), all.pixels.end(), [&](double outside) {
    return outside <= kLeastHaloShare * pixels;
  });
  const auto rings = static_cast<std::size_t>(scarce - all.pixels.begin());
  return rings < kFewestRings ? 0 : rings;
}

/// Whether a plane shows the whole height of nuclei, so that their form along z makes them domes or
/// plates.
bool shows_heights(const LabelledImages& real, const simulator::SceneSpec& scene, double reach) {
  if (!real.front().is_plane() || scene.masks != simulator::MaskKind::footprint) return false;
  if (simulator::number_of_kind<simulator::kinds::Nuclei>(simulator::phantom_of(scene),
                                                          simulator::sample_grid(scene)) == 0)
    return false;
  std::size_t objects = 0;
  for (const LabelledImage& image : real) objects += inner_levels(image, reach).size();
  return objects >= kFewestInside;
}

void plan_bands(const LabelledImages& real, BlurMeasure& measure) {
  BandPowers all;
  for (const LabelledImage& image : real)
    for (const BandPowers& tile : band_powers(image)) all += tile;
  for (std::size_t band = 0; band < kLateralBandCount && all.is_clear(band); ++band)
    measure.bands.push_back(band);
  for (std::size_t band = 0; band < kAxialBandCount && all.is_clear_axial(band); ++band)
    measure.axial_bands.push_back(band);
  if (measure.bands.size() < kFewestBands) measure.bands.clear();
  if (measure.axial_bands.size() < kFewestBands) measure.axial_bands.clear();
}

}  // namespace

BlurMeasure plan_blur_measure(const LabelledImages& real, const simulator::SceneSpec& scene,
                              const RunContext& context) {
  BlurMeasure measure;
  if (simulator::number_of_kind<simulator::kinds::Beads>(simulator::phantom_of(scene),
                                                         simulator::sample_grid(scene)) > 0) {
    std::size_t points = 0;
    for (const LabelledImage& image : real) points += point_widths(image, context).size();
    measure.points = points >= kFewestPoints;
    measure.axial_points = measure.points && !real.front().is_plane();
    if (measure.points) return measure;
  }
  if (real.front().has_labels()) {
    plan_edges(real, scene.optics, measure);
    measure.halo_rings = measure.reach > 0 ? clear_rings(real, measure.reach) : 0;
    measure.inner = measure.reach > 0 && shows_heights(real, scene, measure.reach);
  }
  plan_bands(real, measure);
  return measure;
}

}  // namespace synthoscope::fit
