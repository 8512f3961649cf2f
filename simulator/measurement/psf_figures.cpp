// SPDX-License-Identifier: MIT
#include "simulator/measurement/psf_figures.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/measurement/sinc_lines.hpp"
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
  LightLine(const Volume<float>& voxels, const VoxelPosition& centre, int axis)
      : voxels_{voxels},
        centre_{centre},
        axis_{axis},
        before_{numbers_of(centre)[std::size_t(axis)]},
        after_{static_cast<double>(counts_of(voxels.extent)[std::size_t(axis)] - 1) - before_} {}

  [[nodiscard]] double at(double voxels) const {
    return value_at(voxels_.view(), moved(centre_, axis_, voxels));
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

 private:
  const Volume<float>& voxels_;
  VoxelPosition centre_;
  int axis_;
  double before_, after_;  ///< voxels from the centre to the last ones
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
                       const VoxelPosition& centre) {
  PsfFigures figures;
  figures.centre = centre;
  figures.peak = value_at(voxels.view(), centre);
  figures.peak_share = figures.peak / light_of_plane(voxels, centre.z);
  std::array<double, kAxes> width{1, 1, 1};
  bool has_all = true;
  for (int axis = 0; axis < kAxes; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    if (counts_of(voxels.extent)[at] == 1) continue;
    const LightLine line{voxels, centre, axis};
    const auto before = line.reach(figures.peak / 2, -1), after = line.reach(figures.peak / 2, 1);
    has_all = has_all && before && after;
    if (!before || !after) continue;
    width[at] = *before + *after;
    figures.fwhm_um[at] = width[at] * pitches_of(pitch)[at];
  }
  if (has_all) sum_up(voxels, width, figures);
  return figures;
}

}  // namespace synthoscope::simulator
