// SPDX-License-Identifier: MIT
#include "fit/shapes/shape_case.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include "core/base/error.hpp"
#include "fit/objects/measure_objects.hpp"

namespace synthoscope::fit {
namespace {

constexpr int kTrials = 3;  ///< images all of which must have room for their objects

/// Returns whether the first images of a scene can be made.
bool can_be_placed(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  try {
    for (int i = 0; i < kTrials; ++i)
      static_cast<void>(shapes.task.twins.labels(scene, shapes.task.seed + i));
    return true;
  } catch (const InvalidSpec&) {
    return false;
  }
}

}  // namespace

ObjectSets simulated_objects(const ShapeCase& shapes, const simulator::SceneSpec& scene, int images,
                             int first) {
  // Objects are drawn and placed by one thread, so that images are made side by side
  const RunContext& context = shapes.task.twins.context();
  ObjectSets sets(static_cast<std::size_t>(images));
  std::vector<std::string> problems(sets.size());
  context.pool.for_each(images, [&](std::int64_t i) {
    const auto number = static_cast<std::size_t>(i);
    try {
      sets[number] =
          measure_objects(shapes.task.twins.labels(scene, shapes.task.seed + first + i), context);
    } catch (const InvalidSpec& problem) {
      problems[number] = problem.what();
    }
  });
  // Of objects that have just enough room, a few images cannot be made; the others still tell
  ObjectSets made;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (problems[i].empty()) made.push_back(std::move(sets[i]));
  if (2 * made.size() < problems.size())
    throw InvalidSpec(*std::max_element(problems.begin(), problems.end()));
  if (census_of(made).all == 0)
    throw InvalidSpec("fit: no object of the twin lies in its field; give a larger image");
  return without_fragments(std::move(made));
}

void make_placeable(const ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found) {
  if (can_be_placed(shapes, scene)) return;
  const simulator::SceneSpec asked = scene;
  const std::string gap = key_of(shapes.kind, "gap_um");
  if (shapes.is_free("gap_um")) {
    const bool may_overlap = shapes.kind == ObjectKind::nuclei;
    const double least = may_overlap ? -0.45 * simulator::smallest_semi_axis_um(scene.nuclei) : 0.0;
    for (const double value : {0.0, least / 2, least}) {
      if (value >= number_at(asked, gap)) continue;
      give_number(scene, gap, value);
      if (can_be_placed(shapes, scene)) return;
    }
  }
  const double density = density_of(asked, shapes.kind);
  constexpr double kLower = 0.93;
  constexpr int kMostTries = 20;
  const bool may_thin = shapes.density_is_free();
  for (double share = kLower; may_thin && share > std::pow(kLower, kMostTries); share *= kLower) {
    give_density(scene, shapes.kind, share * density);
    if (!can_be_placed(shapes, scene)) continue;
    constexpr std::string_view kSaid = "The objects lie too densely to be placed";
    std::erase_if(found.untold, [&](const std::string& said) { return said.starts_with(kSaid); });
    found.untold.push_back(fmt::format(
        "{}: density and gaps of the twin are as near to theirs as there is room.", kSaid));
    return;
  }
  scene = asked;
  static_cast<void>(simulated_objects(shapes, asked, kTrials));  // says why
}

}  // namespace synthoscope::fit
