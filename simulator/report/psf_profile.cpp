// SPDX-License-Identifier: MIT
#include "simulator/report/psf_profile.hpp"
#include <algorithm>

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

}  // namespace

std::optional<double> PsfProfile::width_um() const {
  const auto peak = std::max_element(values.begin(), values.end()) - values.begin();
  // Where the curve crosses one half on the way from the peak, in steps of `step`
  const auto crossing = [&](std::ptrdiff_t step) -> std::optional<double> {
    for (auto i = peak + step; i >= 0 && i < std::ssize(values); i += step) {
      const auto here = static_cast<std::size_t>(i), before = static_cast<std::size_t>(i - step);
      if (values[here] > 0.5) continue;
      const double share = (values[before] - 0.5) / (values[before] - values[here]);
      return um[before] + share * (um[here] - um[before]);
    }
    return std::nullopt;
  };
  const auto low = crossing(-1), high = crossing(1);
  if (!low || !high) return std::nullopt;
  return *high - *low;
}

std::array<PsfProfile, 3> psf_profiles(Source& psf, const Index3& c, const VoxelSize& pitch) {
  const Extent3 e = psf.extent();
  return {profile(psf, {{0, c.y, c.x}, {e.z, 1, 1}}, c.z, pitch.z_um),
          profile(psf, {{c.z, 0, c.x}, {1, e.y, 1}}, c.y, pitch.y_um),
          profile(psf, {{c.z, c.y, 0}, {1, 1, e.x}}, c.x, pitch.x_um)};
}

}  // namespace synthoscope::simulator
