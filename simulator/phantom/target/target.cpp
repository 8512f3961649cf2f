// SPDX-License-Identifier: MIT
#include "simulator/phantom/target/target.hpp"
#include <fmt/format.h>
#include <array>
#include <cmath>
#include "core/base/error.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/target/target_kind.hpp"

namespace synthoscope::simulator {
namespace {

std::array<std::int64_t, 3> voxels_of(const Grid& grid) {
  return {grid.extent.z, grid.extent.y, grid.extent.x};
}

using Places = std::array<std::vector<double>, 3>;  ///< places of the lattice along each axis, um

/// Returns how many places along an axis leave half a spacing to the faces; at least one.
double count_along(double size, double spacing) {
  return std::max(1.0, std::floor(size / spacing));
}

/// Returns the spacing of points along each axis, in voxels.
std::array<std::int64_t, 3> voxel_spacing(const TargetSpec& spec, const Grid& grid) {
  const Vector3 pitch = vector_of(grid.pitch), spacing = vector_of(spec.spacing_um);
  const std::array<std::int64_t, 3> size = voxels_of(grid);
  std::array<std::int64_t, 3> steps{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double all = static_cast<double>(size[axis]);
    steps[axis] =
        std::max<std::int64_t>(1, std::llround(std::min(spacing[axis] / pitch[axis], all)));
  }
  return steps;
}

Places lattice(const TargetSpec& spec, const Grid& grid) {
  const Vector3 size = size_um(grid), spacing = vector_of(spec.spacing_um);
  Places places;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool runs_along = spec.kind == TargetKind::lines && axis == 1;
    const double count = runs_along ? 1 : count_along(size[axis], spacing[axis]);
    for (double i = 0; i < count; ++i)
      places[axis].push_back(size[axis] / 2 + (i - (count - 1) / 2) * spacing[axis]);
  }
  return places;
}

double diameter_of(const TargetSpec& spec, const Grid& grid) {
  if (spec.diameter_um) return *spec.diameter_um;
  const Vector3 size = size_um(grid), spacing = vector_of(spec.spacing_um);
  if (spec.kind == TargetKind::lines) return 0.3;
  if (spec.kind == TargetKind::shells) return 0.5 * std::min({spacing[0], spacing[1], spacing[2]});
  return 0.8 * std::min(size[1], size[2]);
}

/// Returns one member at every place of the lattice.
template <class Member>
std::vector<Member> repeated(const Places& places, Member member) {
  std::vector<Member> members;
  for (const double z : places[0])
    for (const double y : places[1])
      for (const double x : places[2]) {
        member.centre = {z, y, x};
        members.push_back(member);
      }
  return members;
}

std::vector<PointTarget> points_of(const TargetSpec& spec, const Grid& grid) {
  const auto steps = voxel_spacing(spec, grid), size = voxels_of(grid);
  std::array<std::vector<std::int64_t>, 3> voxels;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t count = size[axis] / steps[axis];
    const std::int64_t first = (size[axis] - (count - 1) * steps[axis]) / 2;
    for (std::int64_t i = 0; i < count; ++i) voxels[axis].push_back(first + i * steps[axis]);
  }
  std::vector<PointTarget> points;
  for (const auto z : voxels[0])
    for (const auto y : voxels[1])
      for (const auto x : voxels[2])
        points.push_back({vector_of(centre_of(grid, {z, y, x})), spec.photons});
  return points;
}

/// Throws if a member is larger than the spacing of its lattice, or than the grid.
void require_room(const TargetSpec& spec, const Grid& grid) {
  const Vector3 size = size_um(grid), spacing = vector_of(spec.spacing_um);
  const double diameter = diameter_of(spec, grid);
  const bool is_star = spec.kind == TargetKind::star, are_lines = spec.kind == TargetKind::lines;
  const double most =
      is_star     ? std::min(size[1], size[2])
      : are_lines ? std::min({spacing[0], spacing[2], size[0], size[2]})
                  : std::min({spacing[0], spacing[1], spacing[2], size[0], size[1], size[2]});
  require_value(diameter <= most, "target.diameter_um", diameter,
                fmt::format("a number above 0, at most {:.6g} um: the {}", most,
                            is_star ? "smaller side of the grid"
                                    : "smallest of target.spacing_um and the grid"));
  if (are_lines) return;
  const double highest = is_star ? size[0] : diameter / 2;
  require_value(spec.thickness_um <= highest, "target.thickness_um", spec.thickness_um,
                fmt::format("a number above 0, at most {:.6g} um: the {}", highest,
                            is_star ? "depth of the grid" : "radius of the shells"));
}

}  // namespace

std::int64_t number_of(const TargetSpec& spec, const Grid& grid) {
  if (spec.kind == TargetKind::none) return 0;
  if (spec.kind == TargetKind::star) return 1;
  const Vector3 size = size_um(grid), spacing = vector_of(spec.spacing_um);
  const auto steps = voxel_spacing(spec, grid), voxels = voxels_of(grid);
  double count = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (spec.kind == TargetKind::lines && axis == 1) continue;
    count *= spec.kind == TargetKind::points ? static_cast<double>(voxels[axis] / steps[axis])
                                             : count_along(size[axis], spacing[axis]);
  }
  // More objects than labels hold are refused elsewhere, so the number may be capped here
  return std::llround(std::min(count, 1e9));
}

void require_valid(const TargetSpec& s, const Grid& grid) {
  RangeCheck check{"target", s};
  list_target_keys(check);
  if (s.kind != TargetKind::none && s.kind != TargetKind::points) require_room(s, grid);
}

Target make_target(const TargetSpec& spec, const Grid& grid) {
  const double radius = diameter_of(spec, grid) / 2;
  const Vector3 size = size_um(grid);
  switch (spec.kind) {
    case TargetKind::none:
      return {};
    case TargetKind::points:
      return points_of(spec, grid);
    case TargetKind::lines: {
      const double half_length = std::max(size[1] / 4, (size[1] - spec.spacing_um.y_um) / 2);
      return repeated(lattice(spec, grid),
                      LineTarget{{}, radius, half_length, spec.photons_per_um3});
    }
    case TargetKind::shells:
      return repeated(lattice(spec, grid),
                      ShellTarget{{}, radius, radius - spec.thickness_um, spec.photons_per_um3});
    case TargetKind::star:
      return std::vector<StarTarget>{{{size[0] / 2, size[1] / 2, size[2] / 2},
                                      radius,
                                      spec.thickness_um / 2,
                                      spec.spokes,
                                      spec.photons_per_um3}};
  }
  return {};
}

double LineTarget::volume_um3() const {
  return kPi * radius_um * radius_um * 2 * half_length_um;
}

double ShellTarget::volume_um3() const {
  const double inner = std::max(0.0, inner_um);
  return 4 * kPi / 3 * (radius_um * radius_um * radius_um - inner * inner * inner);
}

double StarTarget::volume_um3() const {
  return kPi / 2 * radius_um * radius_um * 2 * half_height_um;
}

TableSizes tables_of_target(const TargetSpec& spec, std::int64_t members) {
  const auto rows = [&](TargetKind kind) { return spec.kind == kind ? members : 0; };
  return {{"/point", rows(TargetKind::points), 6},
          {"/line", rows(TargetKind::lines), 8},
          {"/shell", rows(TargetKind::shells), 8},
          {"/star", rows(TargetKind::star), 9}};
}

void describe(const PlacedObject& placed, const PointTarget& point) {
  TableRow row = placed.row("/point");
  row.vector("centre_um", point.at);
  row.real("photons", point.photons);
}

void describe(const PlacedObject& placed, const LineTarget& line) {
  TableRow row = placed.row("/line");
  row.vector("centre_um", line.centre);
  row.real("radius_um", line.radius_um);
  row.real("half_length_um", line.half_length_um);
  row.real("photons_per_um3", line.photons_per_um3);
}

void describe(const PlacedObject& placed, const ShellTarget& shell) {
  TableRow row = placed.row("/shell");
  row.vector("centre_um", shell.centre);
  row.real("radius_um", shell.radius_um);
  row.real("inner_um", shell.inner_um);
  row.real("photons_per_um3", shell.photons_per_um3);
}

void describe(const PlacedObject& placed, const StarTarget& star) {
  TableRow row = placed.row("/star");
  row.vector("centre_um", star.centre);
  row.real("radius_um", star.radius_um);
  row.real("half_height_um", star.half_height_um);
  row.whole("spokes", star.spokes);
  row.real("photons_per_um3", star.photons_per_um3);
}

}  // namespace synthoscope::simulator
