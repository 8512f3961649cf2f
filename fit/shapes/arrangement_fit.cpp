// SPDX-License-Identifier: MIT
#include "fit/shapes/arrangement_fit.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "fit/shapes/keys_from_statistics.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kFewestPlaced = 8;  ///< objects that tell how they lie
constexpr int kOtherSeeds = 1000;
constexpr double kMostClustering = 0.9;
constexpr double kNarrowest = 0.8, kWidest = 4;  ///< clusters, in mean radii
constexpr std::size_t kTriedScenes = 96, kFewestScenes = 32;

/// Objects of a field for each unit of its area or volume.
double seen_density(const ObjectCensus& census) {
  return static_cast<double>(census.all) / census.field;
}

bool has_pairs(const ObjectSets& sets) {
  return std::any_of(sets.begin(), sets.end(),
                     [](const LabelledObjects& set) { return set.objects.size() > 1; });
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

/// A key of places and the range in which it is looked for.
struct PlaceKey {
  std::string_view name;
  double least = 0, most = 0;
  bool logarithmic = false;
  std::string_view how;

  [[nodiscard]] double value_at(double share) const {
    return logarithmic ? least * std::pow(most / least, share) : least + (most - least) * share;
  }
};

PlaceKey gap_key(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  std::vector<double> gaps;
  for (const LabelledObjects& set : shapes.real)
    for (const LabelledObject& object : set.objects)
      if (std::isfinite(object.gap_um)) gaps.push_back(object.gap_um);
  const auto low = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 20);
  std::nth_element(gaps.begin(), low, gaps.end());
  const double around = 0.3 * number_at(scene, key_of(shapes.kind, "radius_um"));
  const double limit = least_gap_um(shapes, scene);
  // Labels do not tell how far objects that touch overlap, and few objects lie farther from each
  // other than they may
  const double least = *low > 0 ? std::max(limit, std::min(0.0, *low - around)) : limit;
  return {"gap_um", least, std::max(limit, *low) + around, false,
          "from the distances of objects to their nearest neighbours"};
}

/// The keys of places that are free.
std::vector<PlaceKey> place_keys(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  const double radius = number_at(scene, key_of(shapes.kind, "radius_um"));
  std::vector<PlaceKey> keys;
  if (shapes.is_free("gap_um")) keys.push_back(gap_key(shapes, scene));
  if (!shapes.is_free("clustering")) return keys;
  keys.push_back(
      {"clustering", 0, kMostClustering, false, "from the number of objects near each other"});
  if (shapes.is_free("cluster_width_um"))
    keys.push_back({"cluster_width_um", kNarrowest * radius, kWidest * radius, true,
                    "from the number of objects at several distances from each other"});
  return keys;
}

simulator::SceneSpec placed_by(const ShapeCase& shapes, simulator::SceneSpec scene,
                               const std::vector<PlaceKey>& keys, const Eigen::VectorXd& shares) {
  for (std::size_t i = 0; i < keys.size(); ++i)
    give_number(scene, key_of(shapes.kind, keys[i].name),
                keys[i].value_at(shares[static_cast<Eigen::Index>(i)]));
  return scene;
}

/// Statistics of as many images as there are real ones, of scenes whose keys fill their ranges;
/// scenes without room for their objects are left out.
std::vector<KeyedStatistics> differently_placed(const ShapeCase& shapes,
                                                const simulator::SceneSpec& scene,
                                                const std::vector<PlaceKey>& keys, double seconds) {
  const double end = shapes.seconds_left() - seconds;
  const int images = static_cast<int>(shapes.real.size());
  const auto tried = kTriedScenes;
  std::vector<KeyedStatistics> all(tried);
  // Scenes are made side by side, in the order of the sequence, so that time which runs out leaves
  // fewer of them
  constexpr std::size_t kAtOnce = 8;
  std::size_t begun = 0;
  for (; begun < tried && (begun < kFewestScenes || shapes.seconds_left() > end); begun += kAtOnce)
    shapes.task.twins.context().pool.for_each(kAtOnce, [&](std::int64_t i) {
      const std::size_t number = begun + static_cast<std::size_t>(i);
      const Eigen::VectorXd shares = even_shares(number, static_cast<Eigen::Index>(keys.size()));
      try {
        const ObjectSets sets =
            simulated_objects(shapes, placed_by(shapes, scene, keys, shares), images,
                              kOtherSeeds + images * static_cast<int>(number));
        if (has_pairs(sets)) all[number] = {shares, arrangement_statistics(sets).values};
      } catch (const InvalidSpec&) {
        return;  // no room for these
      }
    });
  std::erase_if(all, [](const KeyedStatistics& one) { return one.shares.size() == 0; });
  return all;
}

Estimate place_estimate(const ShapeCase& shapes, const PlaceKey& key, const ShareEstimate& share) {
  Estimate estimate;
  estimate.key = key_of(shapes.kind, key.name);
  estimate.value = key.value_at(share.value);
  estimate.low = key.value_at(share.low);
  estimate.high = key.value_at(share.high);
  if (key.name.ends_with("_um")) estimate.unit = "um";
  constexpr double kToldShare = 0.75;  // of what was possible
  if (share.high - share.low > kToldShare) estimate.origin = Origin::assumed;
  estimate.how = key.how;
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
          fmt::format("{:.0f} % of the objects touch others, and {:.0f} % of the twin's.",
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
  const std::vector<PlaceKey> keys = place_keys(shapes, scene);
  if (keys.empty()) return;
  const Statistics wanted = arrangement_statistics(shapes.real);
  const auto shares =
      keys_from_statistics(differently_placed(shapes, scene, keys, seconds), wanted.values);
  if (!shares) {
    found.untold.emplace_back(
        "Objects lie too densely to vary how near to each other they may lie: gap_um and "
        "clustering stay as they are.");
    return;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    found.estimates.push_back(place_estimate(shapes, keys[i], (*shares)[i]));
    give_number(scene, found.estimates.back().key, found.estimates.back().value);
  }
  say_if_more_touch(shapes, scene, wanted, found);
}

}  // namespace synthoscope::fit
