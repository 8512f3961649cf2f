// SPDX-License-Identifier: MIT
#include "fit/shapes/form_fit.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "fit/matching/match.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kFewestForSpread = 5;  ///< whole objects that tell how these vary
constexpr double kUnexplained = 3;      ///< standard errors that a statistic may stay off
constexpr double kLimitOfSpread = 0.25, kMostRoughness = 0.1;  ///< of the keys of a scene
enum FormPlace : Eigen::Index {
  kMeanRadius,
  kRadiusDeviation,
  kMeanLength,
  kLengthDeviation,
  kOutsideShare,
  kSkewness,
  kMeanFlatness
};

bool is_lobed(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  return shapes.kind == ObjectKind::nuclei && scene.nuclei.most_lobes > 1;
}

simulator::Vector3 ratios_of(const simulator::SceneSpec& scene, ObjectKind kind) {
  return simulator::vector_of(kind == ObjectKind::nuclei ? scene.nuclei.axis_ratios
                                                         : scene.cells.axis_ratios);
}

FittedKey moved(const ShapeCase& shapes, std::string_view name, bool logarithmic, double least,
                double most, double prior, std::string how) {
  return {key_of(shapes.kind, name), {}, logarithmic, least, most, prior, std::move(how)};
}

/// Keys of what makes outlines differ from ellipses.
void add_outline_keys(const ShapeCase& shapes, const simulator::SceneSpec& scene,
                      std::vector<FittedKey>& keys) {
  keys.push_back(moved(shapes, "roughness", false, 0, kMostRoughness, 0.05,
                       "from the share of objects outside their ellipsoids"));
  if (shapes.kind != ObjectKind::nuclei) return;
  keys.push_back(moved(shapes, "asymmetry", false, 0, 0.1, 0.05,
                       "from how lopsided objects are: the third moments of their voxels"));
  if (scene.nuclei.indentations > 0)
    keys.push_back(moved(shapes, "indentation_depth", false, 0, 0.3, 0.03,
                         "together with roughness and asymmetry"));
}

/// A position changes by factors around where the labels say; a spread by its whole range.
std::vector<FittedKey> form_keys(const ShapeCase& shapes, const simulator::SceneSpec& scene,
                                 bool with_axis_spread) {
  const double radius = number_at(scene, key_of(shapes.kind, "radius_um"));
  std::vector<FittedKey> keys{moved(shapes, "radius_um", true, radius / 4, radius * 4, 0.3,
                                    "from the sizes of whole objects")};
  const bool tells_spread = static_cast<double>(shapes.census.whole) >= kFewestForSpread;
  if (tells_spread)
    keys.push_back(moved(shapes, "radius_spread", false, 0, kLimitOfSpread, 0.1,
                         "from how the sizes of whole objects vary"));
  if (shapes.kind == ObjectKind::adherent) {
    keys.push_back(moved(shapes, "elongation", true, 1, 5, 0.4, "from the axes of whole cells"));
  } else if (!is_lobed(shapes, scene)) {
    const auto axis = [&](int number) {
      const double ratio = number_at(scene, key_of(shapes.kind, "axis_ratios"), number);
      FittedKey key =
          moved(shapes, "axis_ratios", true, std::max(0.1, ratio / 4), std::min(10.0, ratio * 4),
                0.3, "from the second moments of whole objects; y is the unit");
      key.axis = number;
      return key;
    };
    if (shapes.view != ObjectView::plane) keys.push_back(axis(0));
    keys.push_back(axis(2));
    if (tells_spread) add_outline_keys(shapes, scene, keys);
  }
  if (with_axis_spread)
    keys.push_back(moved(shapes, "axis_spread", false, 0, 0.25, 0.1,
                         "from how the axes of whole objects vary"));
  std::erase_if(keys, [&](const FittedKey& key) { return !shapes.task.is_free(key.key); });
  return keys;
}

Matched matched_form(const ShapeCase& shapes, const simulator::SceneSpec& start, bool with_spread,
                     double seconds) {
  MatchRequest request;
  request.keys = form_keys(shapes, start, with_spread);
  request.wanted = form_statistics(shapes.real, shapes.view, shapes.form_rule);
  request.simulate = [&](const simulator::SceneSpec& scene) {
    return form_statistics(simulated_objects(shapes, scene, shapes.images()), shapes.view,
                           shapes.form_rule);
  };
  if (static_cast<double>(shapes.census.whole) < kFewestForSpread) {
    // So few do not tell how they vary: as those of the scene do
    const Statistics twin = request.simulate(start);
    request.wanted.covariance = twin.covariance * twin.units / request.wanted.units;
  }
  // Objects touch, or are cut, in one scene and not in the next
  for (FittedKey& key : request.keys) key.step = 0.3;
  request.seconds = seconds;
  return match(start, request, shapes.task.twins.context());
}

/// Whether twins vary less in their axes than the real objects do.
bool wants_axis_spread(const Matched& matched, ObjectView view) {
  const double length = matched.compared[kLengthDeviation].off;
  const double flatness = view == ObjectView::plane ? 0 : matched.compared[kMeanFlatness + 1].off;
  return std::min(length, flatness) < -2;
}

void say_what_is_untold(const ShapeCase& shapes, const Matched& matched, Findings& found) {
  const Statistics wanted = form_statistics(shapes.real, shapes.view, shapes.form_rule);
  const double spread = number_at(matched.scene, key_of(shapes.kind, "radius_spread"));
  if (matched.compared[kRadiusDeviation].off < -2 || spread > 0.99 * kLimitOfSpread)
    found.untold.push_back(fmt::format(
        "The radius of the objects varies by {:.0f} %{}; the twin's varies by {:.0f} %.",
        100 * wanted.values[kRadiusDeviation],
        spread > 0.99 * kLimitOfSpread
            ? fmt::format(", and radius_spread has reached its limit, {}", kLimitOfSpread)
            : "",
        100 * matched.simulated.values[kRadiusDeviation]));
  if (shapes.census.unlike > 0)
    found.untold.push_back(fmt::format(
        "{} of the objects {} far larger or smaller than all others, and not counted in sizes and "
        "forms; the twin has none like that.",
        shapes.census.unlike, shapes.census.unlike == 1 ? "is" : "are"));
  if (matched.compared[kOutsideShare].off < -kUnexplained)
    found.untold.push_back(fmt::format(
        "Outlines are less regular than roughness can make: {:.1f} % of the objects lie outside "
        "their ellipsoids, and {:.1f} % of the twin's.",
        100 * wanted.values[kOutsideShare], 100 * matched.simulated.values[kOutsideShare]));
}

Plot radii_plot(const ObjectSets& real, const ObjectSets& twin) {
  Plot plot{"Radii of objects", "radius, um", "share that is smaller", {}, {}, {}, {}};
  const auto fill = [](const ObjectSets& sets, std::vector<double>& x, std::vector<double>& y) {
    for (const LabelledObjects& set : sets)
      for (const LabelledObject& object : set.objects)
        if (!object.is_cut()) x.push_back(object.radius_um);
    std::sort(x.begin(), x.end());
    for (std::size_t i = 0; i < x.size(); ++i)
      y.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(x.size()));
  };
  fill(real, plot.x, plot.y);
  fill(twin, plot.line_x, plot.line_y);
  return plot;
}

}  // namespace

/// Labels of whole cells do not tell the size of their nuclei: those that the user did not give
/// keep a part of their cell, with room for cells that become smaller.
void keep_nuclei_within_cells(const ShapeCase& shapes, simulator::SceneSpec& scene) {
  constexpr double kShareOfRoom = 0.7;
  if (shapes.kind != ObjectKind::cells || !shapes.is_free("nucleus_radius_um")) return;
  const double most = kShareOfRoom * simulator::largest_nucleus_radius_um(scene.cells);
  if (scene.cells.nucleus_radius_um > most) give_number(scene, "cells.nucleus_radius_um", most);
}

void start_form(const ShapeCase& shapes, simulator::SceneSpec& scene) {
  const Statistics wanted = form_statistics(shapes.real, shapes.view, shapes.form_rule);
  const double length = std::exp(std::max(wanted.values[kMeanLength], 0.0));
  double radius = wanted.values[kMeanRadius];
  if (shapes.kind == ObjectKind::adherent) {
    if (shapes.is_free("elongation"))
      give_number(scene, "adherent.elongation", std::clamp(length, 1.0, 5.0));
    constexpr double kAdhesions = 1.25;  // lie farther out than the edges between them
    if (shapes.is_free("radius_um")) give_number(scene, "adherent.radius_um", kAdhesions * radius);
    return;
  }
  const std::string key = key_of(shapes.kind, "axis_ratios");
  if (shapes.is_free("axis_ratios") && !is_lobed(shapes, scene)) {
    const auto limited = [](double ratio) { return std::clamp(ratio, 0.11, 9.9); };
    const double y = ratios_of(scene, shapes.kind)[1];
    give_number(scene, key, limited(y * length), 2);
    if (shapes.view != ObjectView::plane) {
      const double unit = shapes.view == ObjectView::flat ? y * std::sqrt(length) : y;
      give_number(scene, key, limited(unit * std::exp(wanted.values[kMeanFlatness])), 0);
    }
  }
  if (!shapes.is_free("radius_um")) return;
  if (shapes.view == ObjectView::plane) {
    // From the shadow of an ellipsoid to its volume
    const auto [z, y, x] = ratios_of(scene, shapes.kind);
    radius *= std::cbrt(z * y * x) / std::sqrt(y * x);
  }
  give_number(scene, key_of(shapes.kind, "radius_um"), radius);
  keep_nuclei_within_cells(shapes, scene);
}

void fit_form(const ShapeCase& shapes, double seconds, simulator::SceneSpec& scene,
              Findings& found) {
  const bool can_spread = shapes.kind == ObjectKind::nuclei && !is_lobed(shapes, scene) &&
                          static_cast<double>(shapes.census.whole) >= kFewestForSpread &&
                          shapes.is_free("axis_spread");
  const bool has_spread = can_spread && scene.nuclei.axis_spread > 0;
  Matched matched = matched_form(shapes, scene, has_spread, 0.6 * seconds);
  if (can_spread && !has_spread && shapes.seconds_left() > 0 &&
      wants_axis_spread(matched, shapes.view)) {
    simulator::SceneSpec again = matched.scene;
    constexpr double kBegin = 0.08;
    give_number(again, "nuclei.axis_spread", kBegin);
    matched = matched_form(shapes, again, true, 0.4 * seconds);
  }
  say_if_unfinished(matched, "sizes and forms", found);
  found.compared = matched.compared;
  scene = matched.scene;
  for (Estimate& estimate : matched.estimates) {
    if (estimate.key.ends_with("_um")) estimate.unit = "um";
    found.estimates.push_back(std::move(estimate));
  }
  if (static_cast<double>(shapes.census.whole) < kFewestForSpread)
    found.untold.push_back(fmt::format(
        "{} whole object{} too few to tell how sizes and forms vary: their spreads are those of "
        "the scene to start from.",
        shapes.census.whole, shapes.census.whole == 1 ? " is" : "s are"));
  else
    say_what_is_untold(shapes, matched, found);
  found.plots.push_back(radii_plot(shapes.real, simulated_objects(shapes, scene, shapes.images())));
}

}  // namespace synthoscope::fit
