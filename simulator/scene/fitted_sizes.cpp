// SPDX-License-Identifier: MIT
#include "simulator/scene/fitted_sizes.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "simulator/phantom/geometry/draws.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kLeastShare = 0.5;  // of a default

/// Returns the largest mean radius with which all bodies of a spec are likely to lie inside.
template <class Spec>
double most_inside_um(const Spec& spec, const Grid& sample) {
  const auto [z, y, x] = spec.axis_ratios;
  const double mean = cube_root(z * y * x);
  const std::array<double, 3> flat{z / mean, std::max(y, x) / mean, std::max(y, x) / mean};
  const double longest = std::max({z, y, x}) / mean;
  // Three standard deviations of the radius, and as much of the surface
  const double reach = (1 + 3 * spec.radius_spread) * (1 + 3 * spec.roughness);
  const std::array<double, 3> size = size_um(sample);
  double most = size[0];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double semi_axis = spec.orientation == Orientation::flat ? flat[axis] : longest;
    most = std::min(most, size[axis] / (2 * reach * semi_axis));
  }
  return most;
}

/// A size that is made to fit.
struct FittedSize {
  const char *key, *into;
  double& (*of)(PhantomSpec&);
};
constexpr FittedSize kFittedSizes[] = {
    {"nuclei.radius_um", "the grid", [](PhantomSpec& s) -> double& { return s.nuclei.radius_um; }},
    {"cells.radius_um", "the grid", [](PhantomSpec& s) -> double& { return s.cells.radius_um; }},
    {"cells.nucleus_radius_um", "its cell",
     [](PhantomSpec& s) -> double& { return s.cells.nucleus_radius_um; }},
};

}  // namespace

void fit_sizes(const SceneSpec& scene, PhantomSpec& spec) {
  const auto fit = [&](const char* key, double& size, double most) {
    if (!scene.given.contains(key) && size > most && most >= kLeastShare * size) size = most;
  };
  const Grid sample = sample_grid(scene);
  const bool has_nuclei = number_of(spec.nuclei, sample) > 0 && spec.nuclei.most_lobes == 1;
  if (has_nuclei && spec.nuclei.border == BorderRule::inside)
    fit("nuclei.radius_um", spec.nuclei.radius_um, most_inside_um(spec.nuclei, sample));
  if (number_of(spec.cells, sample) == 0) return;
  if (spec.cells.border == BorderRule::inside)
    fit("cells.radius_um", spec.cells.radius_um, most_inside_um(spec.cells, sample));
  fit("cells.nucleus_radius_um", spec.cells.nucleus_radius_um,
      largest_nucleus_radius_um(spec.cells));
}

void take_fitted_sizes(SceneSpec& scene) {
  PhantomSpec fitted = phantom_of(scene);
  for (const FittedSize& size : kFittedSizes) size.of(scene) = size.of(fitted);
}

std::vector<std::string> notes_on_fitted_sizes(const SceneSpec& scene) {
  PhantomSpec usual = scene, fitted = phantom_of(scene);
  std::vector<std::string> notes;
  for (const auto& [key, into, of] : kFittedSizes)
    if (of(fitted) != of(usual))
      notes.push_back(fmt::format("{} is {:.3g} instead of {:.3g}, so that it fits into {}", key,
                                  of(fitted), of(usual), into));
  return notes;
}

}  // namespace synthoscope::simulator
