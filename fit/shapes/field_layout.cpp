// SPDX-License-Identifier: MIT
#include "fit/shapes/field_layout.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kTellingCuts = 3;  ///< expected cut objects from which their absence tells
constexpr double kShare = 0.25;     ///< of them, below which objects lie inside
constexpr double kBlurUm = 2;       ///< across which light from outside the field is seen

/// Mean extents of the largest objects, micrometres.
struct Reach {
  double z = 0, across = 0;
};

/// The half lengths of nearly all objects.
Reach reach_of(const ShapeCase& shapes, const simulator::SceneSpec& scene) {
  std::vector<double> along_z, across;
  for (const LabelledObjects& set : shapes.real)
    for (const LabelledObject& object : set.objects) {
      along_z.push_back(object.z_um);
      across.push_back(object.long_um);
    }
  const auto high = [](std::vector<double>& values) {
    const std::size_t at = values.size() * 9 / 10;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at),
                     values.end());
    return values[at];
  };
  Reach reach{1.2 * high(along_z), 1.2 * high(across)};
  if (shapes.view != ObjectView::plane) return reach;
  // Nothing in the image tells the height: as the axes of the scene to start from
  if (shapes.kind == ObjectKind::adherent) {
    reach.z = scene.adherent.lamella_um + scene.adherent.body_um;
    return reach;
  }
  const Point3 ratios =
      shapes.kind == ObjectKind::nuclei ? scene.nuclei.axis_ratios : scene.cells.axis_ratios;
  reach.z = reach.across * ratios.z_um / std::max(ratios.y_um, ratios.x_um);
  return reach;
}

/// Returns whether objects go on beyond two faces of the field. Single ones that only touch a face
/// may lie inside; if few were to be expected there, each counts.
bool go_on_beyond(std::size_t cut, const ShapeCase& shapes, double reach, double size) {
  const double expected = static_cast<double>(shapes.census.all) * std::min(1.0, reach / size);
  return cut > 0 && (expected < kTellingCuts || static_cast<double>(cut) > kShare * expected);
}

}  // namespace

void lay_out_field(const ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found) {
  const ObjectCensus& census = shapes.census;
  const Reach reach = reach_of(shapes, scene);
  const auto [z_size, y_size, x_size] = simulator::size_um(scene.grid);
  const bool is_plane = shapes.view == ObjectView::plane;
  const bool sides =
      go_on_beyond(census.cut_at_sides, shapes, 2 * reach.across, std::min(y_size, x_size));
  const bool ends = go_on_beyond(census.cut_at_ends, shapes, reach.z, z_size);

  if (is_plane && shapes.is_open(scene, "grid.masks")) {
    give_word(scene, "grid.masks", "footprint");
    found.untold.emplace_back(
        "Labels of a plane are taken as the shadows of whole objects, not as sections; give "
        "grid.masks = \"section\" if the plane is an optical section.");
  }
  if (is_plane && shapes.kind == ObjectKind::nuclei &&
      shapes.is_open(scene, "nuclei.arrangement")) {
    give_word(scene, "nuclei.arrangement", "monolayer");
    found.untold.emplace_back(
        "A plane does not tell heights: the nuclei are assumed to lie in one layer "
        "(nuclei.arrangement).");
  }
  if (shapes.is_open(scene, "grid.margin_um")) {
    const double across = sides ? 1.3 * reach.across + kBlurUm : 0;
    const double along_z = is_plane || ends ? 1.5 * reach.z : 0;
    simulator::give(scene, *simulator::find_key("grid.margin_um"),
                    simulator::ThreeNumbers{along_z, across, across});
  }
  if (shapes.kind != ObjectKind::adherent && shapes.is_open(scene, key_of(shapes.kind, "border"))) {
    give_word(scene, key_of(shapes.kind, "border"), sides && (is_plane || ends) ? "cut" : "inside");
    if (!sides && !ends)
      found.untold.emplace_back(
          "No object is cut by the border of the field, so that the twin has "
          "none there either.");
  }
}

}  // namespace synthoscope::fit
