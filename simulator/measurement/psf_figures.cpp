// SPDX-License-Identifier: MIT
#include "simulator/measurement/psf_figures.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/measurement/settled_light.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kAxes = 3;

std::array<std::int64_t, kAxes> counts_of(const Extent3& e) {
  return {e.z, e.y, e.x};
}

std::array<double, kAxes> numbers_of(const VoxelPosition& at) {
  return {at.z, at.y, at.x};
}

VoxelPosition moved(const VoxelPosition& from, int axis, double voxels) {
  VoxelPosition to = from;
  (axis == 0 ? to.z : axis == 1 ? to.y : to.x) += voxels;
  return to;
}

/// Light on the line through the centre along one axis.
class LightLine {
 public:
  LightLine(const SettledLight& light, const Extent3& extent, int axis)
      : light_{light},
        axis_{axis},
        before_{numbers_of(light.centre())[std::size_t(axis)]},
        after_{static_cast<double>(counts_of(extent)[std::size_t(axis)] - 1) - before_} {}

  /// Returns the full width in voxels at a level; nothing where the light stays above it.
  [[nodiscard]] std::optional<double> width(double level) const {
    const auto before = reach(level, -1), after = reach(level, 1);
    if (!before || !after) return std::nullopt;
    return *before + *after;
  }

 private:
  [[nodiscard]] double at(double voxels) const {
    return light_.at(moved(light_.centre(), axis_, voxels));
  }

  /// Returns the distance in voxels at which the light falls to `level`, in the direction of
  /// `sign`.
  [[nodiscard]] std::optional<double> reach(double level, double sign) const {
    constexpr double kStep = 0.25, kPrecision = 1e-4;
    const double end = sign < 0 ? before_ : after_;
    for (double far = kStep; far <= end; far += kStep) {
      if (at(sign * far) > level) continue;
      double near = far - kStep;
      while (far - near > kPrecision) {
        const double middle = (near + far) / 2;
        (at(sign * middle) > level ? near : far) = middle;
      }
      return (near + far) / 2;
    }
    return std::nullopt;
  }

  const SettledLight& light_;
  int axis_;
  double before_, after_;  ///< voxels from the centre to the last ones
};

/// Full widths at half of the light at the centre, in voxels; 1 along an axis of one voxel.
struct LineWidths {
  std::array<std::optional<double>, kAxes> voxels;

  LineWidths(const SettledLight& light, const Extent3& extent) {
    const double half = light.at(light.centre()) / 2;
    for (int axis = 0; axis < kAxes; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      voxels[at] = counts_of(extent)[at] == 1 ? 1 : LightLine{light, extent, axis}.width(half);
    }
  }
  [[nodiscard]] bool are_known() const { return voxels[0] && voxels[1] && voxels[2]; }
  [[nodiscard]] std::array<double, kAxes> all() const {
    return {*voxels[0], *voxels[1], *voxels[2]};
  }
};

/// Calls `look(value, distances)` for all voxels, with their distances from the centre in widths.
template <class Look>
void for_each_voxel(const Volume<float>& voxels, const VoxelPosition& centre,
                    const std::array<double, kAxes>& width, Look&& look) {
  const Extent3& e = voxels.extent;
  const auto view = voxels.view();
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y) {
      const float* const row = view.row(z, y);
      for (std::int64_t x = 0; x < e.x; ++x)
        look(static_cast<double>(row[x]),
             std::array<double, kAxes>{(static_cast<double>(z) - centre.z) / width[0],
                                       (static_cast<double>(y) - centre.y) / width[1],
                                       (static_cast<double>(x) - centre.x) / width[2]});
    }
}

/// Sets what depends on all voxels. @param width  in voxels
void sum_up(const Volume<float>& voxels, const std::array<double, kAxes>& width,
            PsfFigures& figures) {
  constexpr double kCompared = 2;
  double all = 0, in_focus = 0;
  std::array<double, kAxes> difference{}, sum{};
  for_each_voxel(voxels, figures.centre, width, [&](double light, const auto& distance) {
    all += light;
    double square = 0;
    bool is_near = true;
    for (const double one : distance) {
      square += one * one;
      is_near = is_near && std::abs(one) <= kCompared;
    }
    if (square <= 1) in_focus += light;
    if (!is_near) return;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      // A voxel at the centre lies on both sides, each with its part
      difference[axis] += light * std::clamp(2 * distance[axis] * width[axis], -1.0, 1.0);
      sum[axis] += light;
    }
  });
  if (all > 0) figures.energy_in_focus = in_focus / all;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (sum[axis] > 0 && counts_of(voxels.extent)[axis] > 1)
      figures.asymmetry[axis] = difference[axis] / sum[axis];
}

double light_of_plane(const Volume<float>& voxels, double z) {
  const std::int64_t plane =
      std::clamp(std::llround(z), 0LL, static_cast<long long>(voxels.extent.z - 1));
  double sum = 0;
  const std::int64_t pixels = voxels.extent.y * voxels.extent.x;
  for (std::int64_t i = 0; i < pixels; ++i)
    sum += static_cast<double>(voxels.voxels[static_cast<std::size_t>(plane * pixels + i)]);
  return sum;
}

}  // namespace

PsfFigures measure_psf(const Volume<float>& voxels, const VoxelSize& pitch,
                       const VoxelPosition& centre, double noise) {
  const Extent3& extent = voxels.extent;
  SettledLight light{voxels, centre};
  LineWidths widths{light, extent};
  if (noise > 0 && widths.are_known()) {
    light = SettledLight{voxels, centre, widths.all(), noise};
    widths = LineWidths{light, extent};
  }
  PsfFigures figures;
  figures.centre = light.centre();
  figures.peak = light.at(light.centre());
  figures.peak_share = figures.peak / light_of_plane(voxels, figures.centre.z);
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (widths.voxels[axis] && counts_of(extent)[axis] > 1)
      figures.fwhm_um[axis] = *widths.voxels[axis] * pitches_of(pitch)[axis];
  if (widths.are_known()) sum_up(voxels, widths.all(), figures);
  return figures;
}

}  // namespace synthoscope::simulator
