// SPDX-License-Identifier: MIT
#include "simulator/report/psf_profile.hpp"
#include <algorithm>

namespace synthoscope::simulator {
namespace {

PsfProfile profile(std::int64_t count, std::int64_t centre, double pitch_um, auto&& value_at) {
  PsfProfile p;
  for (std::int64_t i = 0; i < count; ++i) {
    p.um.push_back(static_cast<double>(i - centre) * pitch_um);
    p.values.push_back(value_at(i));
  }
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

std::array<PsfProfile, 3> psf_profiles(HostView3<const float> psf, const Index3& c,
                                       const VoxelSize& pitch) {
  const Extent3 e = psf.extent();
  return {profile(e.z, c.z, pitch.z_um, [&](std::int64_t i) { return psf(i, c.y, c.x); }),
          profile(e.y, c.y, pitch.y_um, [&](std::int64_t i) { return psf(c.z, i, c.x); }),
          profile(e.x, c.x, pitch.x_um, [&](std::int64_t i) { return psf(c.z, c.y, i); })};
}

}  // namespace synthoscope::simulator
