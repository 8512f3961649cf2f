// SPDX-License-Identifier: MIT
#include "fit/shapes/arrangement_fit.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include "core/base/error.hpp"
#include "fit/shapes/response_surface.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kFewestPlaced = 8;  ///< objects that tell how they lie
constexpr int kOtherSeeds = 1000;
constexpr double kMostClustering = 0.9;

/// Objects of a field for each unit of its area or volume.
double seen_density(const ObjectCensus& census) {
  return static_cast<double>(census.all) / census.field;
}

bool has_arrangement_keys(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  if (shapes.kind == ObjectKind::adherent) return false;
  const bool is_ball = shapes.kind == ObjectKind::nuclei &&
                       (scene.nuclei.arrangement == simulator::Arrangement::spheroid ||
                        scene.nuclei.arrangement == simulator::Arrangement::shell);
  return !is_ball;
}

/// The smallest gap that a scene may have.
double least_gap_um(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  if (shapes.kind != ObjectKind::nuclei) return 0;
  return -0.49 * simulator::smallest_semi_axis_um(scene.nuclei);
}

/// The ranges in which the smallest gap and clustering are looked for. A key that is fixed has its
/// value alone.
std::array<ValueRange, 2> ranges_of(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  const double gap = number_at(scene, key_of(shapes.kind, "gap_um"));
  const double clustering = number_at(scene, key_of(shapes.kind, "clustering"));
  std::array<ValueRange, 2> ranges{{{gap, gap}, {clustering, clustering}}};
  if (shapes.is_free("gap_um")) {
    std::vector<double> gaps;
    for (const LabelledObjects& set : shapes.real)
      for (const LabelledObject& object : set.objects)
        if (std::isfinite(object.gap_um)) gaps.push_back(object.gap_um);
    const auto low = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 20);
    std::nth_element(gaps.begin(), low, gaps.end());
    const double around = 0.3 * number_at(scene, key_of(shapes.kind, "radius_um"));
    const double least = least_gap_um(shapes, scene);
    ranges[0] = {std::max(least, *low - around), std::max(least, *low) + around};
  }
  if (shapes.is_free("clustering")) ranges[1] = {0, kMostClustering};
  return ranges;
}

/// Numbers at equal steps of a range; one if it is a single value.
std::vector<double> steps_of(const ValueRange& range, int count) {
  if (range.least == range.most) return {range.least};
  std::vector<double> steps;
  for (int i = 0; i < count; ++i)
    steps.push_back(range.least + (range.most - range.least) * i / (count - 1));
  return steps;
}

/// Statistics of single images with all pairs of gaps and clustering that have room, each of its
/// own seed.
std::vector<SurfacePoint> arrangement_points(const ShapeCase& shapes,
                                             const simulator::SceneSpec& scene,
                                             const std::array<ValueRange, 2>& ranges,
                                             double seconds) {
  const double end = shapes.seconds_left() - seconds;
  const int frames = std::max(4, shapes.repeats);
  std::vector<SurfacePoint> points;
  int first = kOtherSeeds;
  // Round after round, so that time which runs out leaves fewer images of all pairs
  for (int frame = 0; frame < frames && (frame < 1 || shapes.seconds_left() > end); frame += 2)
    for (const double gap : steps_of(ranges[0], 3))
      for (const double clustering : steps_of(ranges[1], 4)) {
        simulator::SceneSpec tried = scene;
        give_number(tried, key_of(shapes.kind, "gap_um"), gap);
        give_number(tried, key_of(shapes.kind, "clustering"), clustering);
        first += 2;
        try {
          for (LabelledObjects& set : simulated_objects(shapes, tried, 2, first))
            if (set.objects.size() > 1)
              points.push_back({{gap, clustering}, arrangement_statistics({set}).values});
        } catch (const InvalidSpec&) {
          continue;  // no room for this pair
        }
      }
  return points;
}

Estimate surface_estimate(const std::string& key, const SurfaceEstimate& on,
                          const ValueRange& range, std::string how) {
  Estimate estimate;
  estimate.key = key;
  estimate.value = on.value;
  estimate.low = on.low;
  estimate.high = on.high;
  if (key.ends_with("_um")) estimate.unit = "um";
  constexpr double kToldShare = 0.7;  // of what was possible
  if (on.high - on.low > kToldShare * (range.most - range.least)) estimate.origin = Origin::assumed;
  estimate.how = std::move(how);
  return estimate;
}

/// Objects may overlap by half their smallest semi-axis, so that few of flat ones touch.
void say_if_more_touch(const ShapeCase& shapes, const simulator::SceneSpec& scene,
                       const Statistics& wanted, Findings& found) {
  constexpr Eigen::Index kTouching = 0;
  constexpr double kUnlikely = 2.5;  // standard errors
  try {
    const Statistics twin =
        arrangement_statistics(simulated_objects(shapes, scene, shapes.images(), kOtherSeeds / 2));
    const double real = wanted.values[kTouching], simulated = twin.values[kTouching];
    if (real - simulated > kUnlikely * std::sqrt(wanted.covariance(kTouching, kTouching)))
      found.untold.push_back(
          fmt::format("{:.0f} % of the objects touch others, and {:.0f} % of the twin's, which "
                      "cannot overlap as far.",
                      100 * real, 100 * simulated));
  } catch (const InvalidSpec&) {
    return;  // density and gaps are lowered later
  }
}

}  // namespace

void fit_density(const ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found) {
  if (!shapes.density_is_free()) return;
  constexpr int kTurns = 3;
  for (int turn = 0; turn < kTurns; ++turn) {
    make_placeable(shapes, scene, found);
    const ObjectCensus twin =
        census_of(simulated_objects(shapes, scene, shapes.images(), kOtherSeeds * turn));
    const double factor = seen_density(shapes.census) / seen_density(twin);
    give_density(scene, shapes.kind, factor * density_of(scene, shapes.kind));
  }
  make_placeable(shapes, scene, found);
}

void report_density(const ShapeCase& shapes, const simulator::SceneSpec& scene, Findings& found) {
  if (!shapes.density_is_free()) return;
  const DensityKey key = density_key(shapes.kind);
  Estimate density;
  density.key = key.key;
  density.value = number_at(scene, key.key);
  const double n = static_cast<double>(shapes.census.all);
  const double width = 1.96 * std::sqrt(1 / n + 1 / (n * shapes.repeats));
  density.low = density.value * std::exp(-width);
  density.high = density.value * std::exp(width);
  density.unit = key.unit_name;
  density.how = fmt::format("from the number of objects, {}", shapes.census.all);
  if (shapes.view == ObjectView::plane && shapes.kind != ObjectKind::adherent) {
    // The density of a layer depends on the depth that the sample is given
    constexpr double kPerMm2 = 1e-3;  // from per mm^3 and um
    const double depth = simulator::size_um(sample_grid(scene))[0];
    density.how += fmt::format(", {:.4g} per mm^2 of the plane", density.value * depth * kPerMm2);
  }
  found.estimates.push_back(std::move(density));
}

void fit_arrangement(const ShapeCase& shapes, double seconds, simulator::SceneSpec& scene,
                     Findings& found) {
  if (!has_arrangement_keys(shapes, scene)) return;
  if (shapes.census.all < kFewestPlaced) {
    found.untold.emplace_back(
        "There are too few objects to tell how near to each other they may lie, and whether they "
        "form clusters: gap_um and clustering are those of the scene to start from.");
    return;
  }
  const std::array<ValueRange, 2> ranges = ranges_of(shapes, scene);
  if (!shapes.is_free("gap_um") && !shapes.is_free("clustering")) return;
  const Statistics wanted = arrangement_statistics(shapes.real);
  const auto on = on_surface(arrangement_points(shapes, scene, ranges, seconds), wanted.values,
                             static_cast<double>(shapes.real.size()), ranges);
  if (!on) {
    found.untold.emplace_back(
        "Objects lie too densely to vary how near to each other they may lie: gap_um and "
        "clustering stay as they are.");
    return;
  }
  const auto take = [&](std::string_view name, std::size_t number, const char* how) {
    if (!shapes.is_free(name)) return;
    const std::string key = key_of(shapes.kind, name);
    give_number(scene, key, (*on)[number].value);
    found.estimates.push_back(surface_estimate(key, (*on)[number], ranges[number], how));
  };
  take("gap_um", 0, "from the distances of objects to their nearest neighbours");
  take("clustering", 1, "from the number of objects near each other");
  say_if_more_touch(shapes, scene, wanted, found);
}

}  // namespace synthoscope::fit
