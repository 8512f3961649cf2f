// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/centre_region.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "simulator/phantom/geometry/draws.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns a point between the two balls of a region, in the direction of a point of the unit ball.
/// For every other draw it lies outside the region, which costs one more try.
Vector3 uniform_in_ball(const CentreRegion& region, const PhiloxBlock& words) {
  Vector3 way{};
  for (std::size_t axis = 0; axis < 3; ++axis) way[axis] = 2 * uniform32(words[axis]) - 1;
  const double square = dot(way, way);
  if (square > 1 || square == 0) return region.low - Vector3{1, 1, 1};
  const auto cubed = [](double r) { return r * r * r; };
  const double inner = cubed(region.nearest_um), outer = cubed(region.farthest_um);
  const double radius = cube_root(inner + uniform32(words[3]) * (outer - inner));
  return region.middle + (radius / std::sqrt(square)) * way;
}

/// Leaves each nucleus the one height at which its lower side touches the glass.
void lay_on_glass(std::vector<CentreRegion>& regions, const std::vector<Nucleus>& nuclei,
                  const NucleiSpec& spec, const Vector3& size) {
  double sum = 0;
  for (const Nucleus& nucleus : nuclei) sum += nucleus.bounds().high[0] - nucleus.bounds().low[0];
  const double mean_height = sum / static_cast<double>(nuclei.size());
  const double glass = spec.glass_um.value_or(std::max(0.0, (size[0] - mean_height) / 2));
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const double z = glass + nuclei[i].centre()[0] - nuclei[i].bounds().low[0];
    if (z > regions[i].high[0])
      throw InvalidSpec(fmt::format(
          "place nuclei: a nucleus on the glass at {:.6g} um would reach above the grid, which is "
          "{:.6g} um high; use a smaller nuclei.glass_um or nuclei.radius_um, or a larger grid",
          glass, size[0]));
    regions[i].low[0] = regions[i].high[0] = z;
  }
}

}  // namespace

Vector3 CentreRegion::kept(Vector3 position) const {
  if (is_ball()) {
    const Vector3 from = position - middle;
    const double distance = std::sqrt(dot(from, from));
    const double wanted = std::clamp(distance, nearest_um, farthest_um);
    if (distance > 0) position = middle + (wanted / distance) * from;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    position[axis] = std::clamp(position[axis], low[axis], high[axis]);
  return position;
}

bool is_in_box(const CentreRegion& region, const Vector3& position) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (position[axis] < region.low[axis] || position[axis] > region.high[axis]) return false;
  return true;
}

Vector3 uniform_in(const CentreRegion& region, const PhiloxBlock& words) {
  if (region.is_ball()) return uniform_in_ball(region, words);
  Vector3 position{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    position[axis] =
        region.low[axis] + uniform32(words[axis]) * (region.high[axis] - region.low[axis]);
  return position;
}

CentreRegion centre_region_of(const Nucleus& nucleus, BorderRule border, const Vector3& size,
                              std::string_view table) {
  if (border == BorderRule::cut) return {{0, 0, 0}, size};
  const Bounds bounds = nucleus.bounds();
  const CentreRegion region{nucleus.centre() - bounds.low, size - (bounds.high - nucleus.centre())};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (region.low[axis] > region.high[axis])
      throw InvalidSpec(fmt::format(
          "place {0}: one is up to {1:.1f} um along {2}, the grid {3:.1f} um; use a larger grid, a "
          "smaller {0}.radius_um, or {0}.border = \"cut\"",
          table, bounds.high[axis] - bounds.low[axis], "zyx"[axis], size[axis]));
  return region;
}

void arrange(std::vector<CentreRegion>& regions, const std::vector<Nucleus>& nuclei,
             const NucleiSpec& spec, const Vector3& size) {
  if (spec.arrangement == Arrangement::free || nuclei.empty()) return;
  if (spec.arrangement == Arrangement::monolayer) return lay_on_glass(regions, nuclei, spec, size);
  constexpr double kFilled = 0.4, kCovered = 0.6;
  const auto count = static_cast<double>(nuclei.size());
  double all = 0;
  for (const Nucleus& nucleus : nuclei) all += nucleus.bounding_radius_um();
  const double mean = all / count + std::max(0.0, spec.gap_um) / 2;
  const auto layers = static_cast<double>(spec.layers);
  const bool is_shell = spec.arrangement == Arrangement::shell;
  const double found = is_shell
                           ? mean * std::sqrt(count / (4 * kCovered * layers)) + (layers - 1) * mean
                           : mean * cube_root(count / kFilled);
  const double radius = spec.arrangement_radius_um.value_or(found);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    regions[i].middle = 0.5 * size;
    regions[i].farthest_um =
        is_shell ? radius : std::max(0.0, radius - nuclei[i].bounding_radius_um());
    regions[i].nearest_um = is_shell ? std::max(0.0, radius - 2 * mean * (layers - 1)) : 0;
  }
}

}  // namespace synthoscope::simulator
