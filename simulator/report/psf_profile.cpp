// SPDX-License-Identifier: MIT
#include "simulator/report/psf_profile.hpp"
#include <algorithm>
#include "simulator/measurement/sinc_lines.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the profile of the voxels of `line`, which is one voxel wide along two axes.
PsfProfile profile(Source& psf, const Box3& line, std::int64_t centre, double pitch_um) {
  std::vector<float> voxels(static_cast<std::size_t>(volume(line.size)));
  psf.read(line, VoxelView{HostView3<float>{voxels.data(), line.size}});
  PsfProfile p;
  for (std::int64_t i = 0; i < std::ssize(voxels); ++i)
    p.um.push_back(static_cast<double>(i - centre) * pitch_um);
  p.values.assign(voxels.begin(), voxels.end());
  const double most = *std::max_element(p.values.begin(), p.values.end());
  if (most > 0)
    for (double& value : p.values) value /= most;
  return p;
}

/// Returns a value between voxels. Beyond the ends of the line, it has the values of the ends.
double value_at(const std::vector<double>& values, double position) {
  const SincTaps taps{position};
  double sum = 0;
  for (std::size_t i = 0; i < SincTaps::kCount; ++i) {
    const std::int64_t voxel = taps.first + static_cast<std::int64_t>(i);
    sum += taps.weights[i] * values[static_cast<std::size_t>(
                                 std::clamp(voxel, std::int64_t{0}, std::ssize(values) - 1))];
  }
  return sum;
}

/// Returns the position where the values fall to one half, from above it at `above`.
double crossing_between(const std::vector<double>& values, double above, double below) {
  constexpr double kPrecision = 1e-4;
  while (std::abs(above - below) > kPrecision) {
    const double middle = (above + below) / 2;
    (value_at(values, middle) > 0.5 ? above : below) = middle;
  }
  return (above + below) / 2;
}

}  // namespace

std::optional<double> PsfProfile::width_um() const {
  const auto peak = std::max_element(values.begin(), values.end()) - values.begin();
  if (!(values[static_cast<std::size_t>(peak)] > 0)) return std::nullopt;
  // Voxels from the peak to where the curve crosses one half, in the direction of `step`
  const auto reach = [&](std::ptrdiff_t step) -> std::optional<double> {
    for (auto i = peak + step; i >= 0 && i < std::ssize(values); i += step) {
      if (values[static_cast<std::size_t>(i)] > 0.5) continue;
      const double crossing =
          crossing_between(values, static_cast<double>(i - step), static_cast<double>(i));
      return std::abs(crossing - static_cast<double>(peak));
    }
    return std::nullopt;
  };
  const auto before = reach(-1), after = reach(1);
  if (!before || !after) return std::nullopt;
  return (*before + *after) * (um[1] - um[0]);
}

std::array<PsfProfile, 3> psf_profiles(Source& psf, const Index3& c, const VoxelSize& pitch) {
  const Extent3 e = psf.extent();
  return {profile(psf, {{0, c.y, c.x}, {e.z, 1, 1}}, c.z, pitch.z_um),
          profile(psf, {{c.z, 0, c.x}, {1, e.y, 1}}, c.y, pitch.y_um),
          profile(psf, {{c.z, c.y, 0}, {1, 1, e.x}}, c.x, pitch.x_um)};
}

}  // namespace synthoscope::simulator
