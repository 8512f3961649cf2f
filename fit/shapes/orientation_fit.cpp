// SPDX-License-Identifier: MIT
#include "fit/shapes/orientation_fit.hpp"
#include <fmt/format.h>
#include <cmath>
#include <string>

namespace synthoscope::fit {
namespace {

constexpr double kLongRatio = 1.15;  ///< of the long axis to the next: a shorter one is chance
constexpr std::size_t kFewestTelling = 5;                            ///< objects with a direction
constexpr double kLyingFlat = 0.2, kTurned = 0.35, kUpright = 0.65;  ///< mean |z| of long axes
constexpr double kDegreesOfRadian = 180 / simulator::kPi;

}  // namespace

AxisDirections axis_directions(const ObjectSets& sets) {
  AxisDirections found;
  double cosine = 0, sine = 0, upright = 0;
  for (const LabelledObjects& set : sets)
    for (const LabelledObject& object : set.objects) {
      const auto& axes = object.principal_um;
      if (object.is_cut() || axes[2] < kLongRatio * axes[1]) continue;
      const auto [z, y, x] = object.long_axis;
      const double twice = 2 * std::atan2(y, x), weight = 1 - z * z;
      ++found.objects;
      upright += std::abs(z);
      cosine += weight * std::cos(twice);
      sine += weight * std::sin(twice);
    }
  if (found.objects == 0) return found;
  const auto n = static_cast<double>(found.objects);
  found.upright = upright / n;
  found.alignment = std::hypot(cosine, sine) / n;
  found.degrees = kDegreesOfRadian * std::atan2(sine, cosine) / 2;
  return found;
}

std::optional<simulator::Orientation> told_orientation(const AxisDirections& directions) {
  if (directions.objects < kFewestTelling) return std::nullopt;
  if (directions.upright < kLyingFlat) return simulator::Orientation::flat;
  // The mean of |z| of n directions that are evenly distributed deviates by 0.29 / sqrt(n)
  const double chance = 0.58 / std::sqrt(static_cast<double>(directions.objects));
  const bool is_turned = directions.upright > std::max(kTurned, 0.5 - chance) &&
                         directions.upright < std::min(kUpright, 0.5 + chance);
  if (is_turned) return simulator::Orientation::random;
  return std::nullopt;
}

void choose_orientation(ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found) {
  if (shapes.kind == ObjectKind::adherent) return;
  const AxisDirections directions = axis_directions(shapes.real);
  const std::string key = key_of(shapes.kind, "orientation");
  if (shapes.view != ObjectView::plane && shapes.is_open(scene, key)) {
    const auto told = told_orientation(directions);
    if (told) {
      const bool is_flat = *told == simulator::Orientation::flat;
      give_word(scene, key, is_flat ? "flat" : "random");
      shapes.view = view_of(scene, shapes.kind);
    } else if (directions.objects < kFewestTelling) {
      found.untold.push_back(fmt::format(
          "{} of the objects have a long axis, too few to tell whether they lie flat or are turned "
          "in any way: {} stays as it is.",
          directions.objects == 0 ? "None" : fmt::format("Only {}", directions.objects), key));
    } else {
      found.untold.push_back(fmt::format(
          "The long axes of {} objects do not tell whether they lie flat or are turned in any way "
          "(mean of their z: {:.2f}, of flat ones 0, of turned ones 0.5): {} stays as it is.",
          directions.objects, directions.upright, key));
    }
  }
  // The mean of n directions by chance is longer than this in one of a thousand cases
  const auto n = static_cast<double>(directions.objects);
  if (directions.objects >= kFewestTelling && directions.alignment > std::sqrt(6.9 / n))
    found.untold.push_back(fmt::format(
        "The long axes of the objects are aligned, at {:.0f} degrees from x towards y (strength "
        "{:.2f} of 1); those of the twin point anywhere.",
        directions.degrees, directions.alignment));
}

}  // namespace synthoscope::fit
