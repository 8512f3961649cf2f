// SPDX-License-Identifier: MIT
#include "simulator/optics/psf_window.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "simulator/optics/psf_parts.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kWanted = 0.99;               // of a plane's energy
constexpr double kStepOfSum = 0.5;             // of the radial sum, in units of 1 / (k NA)
constexpr std::int64_t kDeepestUnasked = 511;  // planes, without a volume
constexpr std::int64_t kMaxDepth = 1LL << 20;  // keeps 2 depth - 1 far from overflow

/// Returns the number of voxels from the centre that reach at least `um`, at most `most`.
std::int64_t half_width(double um, double pitch_um, std::int64_t most) {
  const double voxels = std::ceil(um / pitch_um - 0.5);
  return voxels >= static_cast<double>(most)
             ? most
             : std::max<std::int64_t>(0, static_cast<std::int64_t>(voxels));
}

struct Limits {
  std::int64_t z, y, x;  ///< voxels from the centre
};

Limits limits_of(const PsfSizing& sizing, double unasked_depth_um, double pitch_z_um) {
  const std::int64_t lateral = sizing.lateral_limit / 2;
  if (!sizing.volume)
    return {half_width(unasked_depth_um, pitch_z_um, kDeepestUnasked / 2), lateral, lateral};
  return {sizing.volume->z - 1, std::min(lateral, sizing.volume->y - 1),
          std::min(lateral, sizing.volume->x - 1)};
}

/// Returns the smallest radius that holds the wanted energy in every plane of `table` that is not
/// faint, or its last radius.
double enclosing_radius(const RadialTable& table, const std::vector<double>& plane_energies) {
  const double most = *std::max_element(plane_energies.begin(), plane_energies.end());
  double radius = 0;
  for (std::int64_t p = 0; p < table.planes; ++p) {
    if (plane_energies[static_cast<std::size_t>(p)] < kDimPlane * most) continue;
    // The sum of r I(r) misses a twelfth of a step squared at r = 0 (Euler-Maclaurin)
    double energy = 2 * std::numbers::pi * table.step_um * table.step_um / 12 * table.row(0)[p];
    std::int64_t j = 1;
    for (; j < table.radii - 1; ++j) {
      energy += 2 * std::numbers::pi * table.step_um * table.step_um * static_cast<double>(j) *
                table.row(j)[p];
      if (energy >= kWanted * plane_energies[static_cast<std::size_t>(p)]) break;
    }
    radius = std::max(radius, table.step_um * static_cast<double>(j));
  }
  return radius;
}

}  // namespace

void require_valid(const PsfSizing& sizing) {
  if (sizing.volume && (!is_positive(*sizing.volume) || sizing.volume->z > kMaxDepth))
    throw InvalidSpec(
        fmt::format("psf: the volume to be blurred is {}, each axis needs at least 1 voxel and z "
                    "at most {}; correct it",
                    *sizing.volume, kMaxDepth));
  if (sizing.lateral_limit < 1 || sizing.lateral_limit % 2 == 0)
    throw InvalidSpec(fmt::format(
        "psf: the lateral limit is {} voxels, it must be odd and at least 1; correct it",
        sizing.lateral_limit));
}

Extent3 choose_window(const RadialModel& model, const OpticsSpec& spec, const VoxelSize& pitch,
                      const PsfSizing& sizing, double origin_um, TaskPool& pool) {
  const double depth_of_field =
      spec.wavelength_nm * 1e-3 * spec.immersion_index / (spec.na * spec.na);
  const Limits most = limits_of(sizing, 4 * depth_of_field + std::abs(spec.shift.z_um), pitch.z_um);
  const double reach = static_cast<double>(most.z) * pitch.z_um;
  std::vector<double> z{origin_um - reach, origin_um, origin_um + reach};
  if (!model.is_wide_field())  // the farthest planes may be dark
    for (double nearer = reach / 2; nearer > pitch.z_um / 2; nearer /= 2)
      z.insert(z.end(), {origin_um - nearer, origin_um + nearer});
  // The window's middle is shifted from the axis, so it must reach farther from its middle
  const double beside_y = std::abs(spec.shift.y_um), beside_x = std::abs(spec.shift.x_um);
  const double widest =
      (static_cast<double>(std::max(most.y, most.x)) + 1) * std::max(pitch.y_um, pitch.x_um);
  const double step = kStepOfSum / band_of(spec).lateral;
  const auto radii = static_cast<std::int64_t>(widest / step) + 2;
  const RadialTable table = model.radial_table({step, radii, z}, pool);
  const double radius = enclosing_radius(table, model.plane_energies_um2(z, pool));
  const Extent3& least = sizing.least;
  return {std::max(least.z, 2 * most.z + 1),
          std::max(least.y, 2 * half_width(radius + beside_y, pitch.y_um, most.y) + 1),
          std::max(least.x, 2 * half_width(radius + beside_x, pitch.x_um, most.x) + 1)};
}

Extent3 choose_window(const GaussianWidths& width, const VoxelSize& pitch, const PsfSizing& sizing,
                      double origin_um, const ImageShift& shift) {
  const double lateral = 5 * width.lateral_um, axial = 5 * width.axial_um + std::abs(origin_um);
  const Limits most = limits_of(sizing, axial, pitch.z_um);
  return {2 * half_width(axial, pitch.z_um, most.z) + 1,
          2 * half_width(lateral + std::abs(shift.y_um), pitch.y_um, most.y) + 1,
          2 * half_width(lateral + std::abs(shift.x_um), pitch.x_um, most.x) + 1};
}

Extent3 choose_window(const Point3& reach, const VoxelSize& pitch, const PsfSizing& sizing) {
  const Limits most = limits_of(sizing, reach.z_um, pitch.z_um);
  return {2 * half_width(reach.z_um, pitch.z_um, most.z) + 1,
          2 * half_width(reach.y_um, pitch.y_um, most.y) + 1,
          2 * half_width(reach.x_um, pitch.x_um, most.x) + 1};
}

}  // namespace synthoscope::simulator
