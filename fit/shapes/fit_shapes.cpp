// SPDX-License-Identifier: MIT
#include "fit/shapes/fit_shapes.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "fit/objects/measure_objects.hpp"
#include "fit/objects/segment.hpp"
#include "fit/shapes/arrangement_fit.hpp"
#include "fit/shapes/field_layout.hpp"
#include "fit/shapes/form_fit.hpp"
#include "fit/shapes/orientation_fit.hpp"
#include "fit/shapes/shape_case.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kSimulated = 150;  ///< objects that simulated statistics should rest on

ObjectSets real_objects(const StageTask& task) {
  const RunContext& context = task.twins.context();
  ObjectSets sets;
  for (const LabelledImage& image : task.real) {
    if (image.has_labels()) {
      sets.push_back(measure_objects(image, context));
      continue;
    }
    LabelledImage labelled;
    labelled.name = image.name;
    labelled.grid = image.grid;
    labelled.labels = segment(image, context);
    sets.push_back(measure_objects(labelled, context));
  }
  return sets;
}

/// Simulated images for each real one: more of them if they show few objects.
int repeats_for(const ObjectCensus& census, std::size_t images) {
  const double wanted = kSimulated / static_cast<double>(census.all);
  const int most = images == 1 ? 6 : 2;
  return std::clamp(static_cast<int>(std::ceil(wanted)), 3, most);
}

void say_what_no_key_has(const ShapeCase& shapes, Findings& found) {
  const ObjectCensus& census = shapes.census;
  if (census.fragments > 0)
    found.untold.push_back(
        fmt::format("{} of the labels are smaller than a tenth of the median object and were left "
                    "out; the twin has no such fragments.",
                    census.fragments));
  if (census.in_parts > 0)
    found.untold.push_back(fmt::format(
        "{} of the objects consist of several parts, each measured as one; the twin's do not.",
        census.in_parts));
  constexpr double kTellingHoles = 0.01;
  if (census.hole_share > kTellingHoles)
    found.untold.push_back(
        fmt::format("Objects have holes, {:.1f} % of their size; the twin's have none.",
                    100 * census.hole_share));
  if (shapes.view == ObjectView::plane && shapes.kind != ObjectKind::adherent)
    found.untold.push_back(
        fmt::format("A plane does not tell how high objects are: {}.axis_ratios keeps its z, "
                    "and radius_um "
                    "is that of the volume which follows from it.",
                    name_in(kObjectKindNames, shapes.kind)));
}

/// The density of the field, as a first guess.
void start_density(const ShapeCase& shapes, simulator::SceneSpec& scene) {
  if (!shapes.density_is_free()) return;
  const ObjectCensus& census = shapes.census;
  const double cut = static_cast<double>(census.all - census.whole);
  const double number = static_cast<double>(census.all) - cut / 2;
  double density = number / census.field;
  // Objects of a plane lie in the whole depth of the sample
  const double depth = simulator::size_um(sample_grid(scene))[0];
  const bool is_plane = shapes.view == ObjectView::plane;
  const bool is_on_glass = shapes.kind == ObjectKind::adherent;
  if (is_plane && !is_on_glass) density /= depth;
  if (!is_plane && is_on_glass) density *= depth;
  give_density(scene, shapes.kind, density);
}

/// Keys may have changed after they were found, so that objects have room.
void take_final_values(const simulator::SceneSpec& scene, Findings& found) {
  for (Estimate& estimate : found.estimates) {
    estimate.value = number_at(scene, estimate.key, estimate.axis);
    estimate.low = std::min(estimate.low, estimate.value);
    estimate.high = std::max(estimate.high, estimate.value);
  }
}

void fit_all(ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found) {
  choose_orientation(shapes, scene, found);
  lay_out_field(shapes, scene, found);
  start_form(shapes, scene);
  start_density(shapes, scene);
  fit_density(shapes, scene, found);
  fit_form(shapes, 0.5 * shapes.seconds_left(), scene, found);
  fit_density(shapes, scene, found);
  fit_arrangement(shapes, 0.7 * shapes.seconds_left(), scene, found);
  fit_density(shapes, scene, found);
  report_density(shapes, scene, found);
  take_final_values(scene, found);
}

}  // namespace

Findings fit_shapes(const StageTask& task, simulator::SceneSpec& scene) {
  Findings found;
  found.stage = Stage::shapes;
  const auto kind = fitted_kind(scene);
  if (!kind) {
    found.refusal = "the scene has no nuclei, cells or adherent cells whose shapes could be fitted";
    return found;
  }
  const ObjectSets all = real_objects(task);
  ShapeCase shapes{task,
                   *kind,
                   without_fragments(all),
                   census_of(all),
                   view_of(scene, *kind),
                   form_rule_of(without_fragments(all))};
  if (shapes.census.all == 0) {
    found.refusal = "no objects were found in the images; give their labels with --labels";
    return found;
  }
  if (task.real.front().are_labels_rough || !task.real.front().has_labels())
    found.untold.emplace_back(
        "The images have no labels: shapes come from a rough segmentation of them (threshold, "
        "split by distance), whose mistakes are in no interval; give --labels for better ones. It "
        "merges objects that overlap, loses dim ones that touch bright ones, and takes objects of "
        "wide-field stacks as ellipsoids that end where they are out of focus.");
  shapes.repeats = repeats_for(shapes.census, shapes.real.size());
  say_what_no_key_has(shapes, found);
  simulator::SceneSpec fitted = scene;
  try {
    fit_all(shapes, fitted, found);
    scene = fitted;
  } catch (const InvalidSpec& problem) {
    found.refusal = fmt::format("no twin could be made: {}", problem.what());
  }
  return found;
}

}  // namespace synthoscope::fit
