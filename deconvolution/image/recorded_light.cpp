// SPDX-License-Identifier: MIT
#include "deconvolution/image/recorded_light.hpp"
#include <algorithm>

namespace synthoscope::deconvolution {

RecordedLight::RecordedLight(const CameraResponse& camera, double highest)
    : offset_{camera.offset},
      per_level_{1 / camera.gain},
      added_{camera.read_noise * camera.read_noise},
      highest_{highest} {}

void RecordedLight::apply(const Box3&, HostView3<const float> in, VoxelView out) {
  record(in, out);
}

void RecordedLight::apply(const Box3&, HostView3<const double> in, VoxelView out) {
  record(in, out);
}

template <class Real>
void RecordedLight::record(HostView3<const Real> in, VoxelView out) {
  const HostView3<float> light = out.as<float>();
  const Extent3 e = in.extent();
  std::int64_t negative = 0, saturated = 0;
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y) {
      const Real* const levels = in.row(z, y);
      float* const row = light.row(z, y);
      for (std::int64_t x = 0; x < e.x; ++x) {
        const auto level = static_cast<double>(levels[x]);
        const double electrons = (level - offset_) * per_level_ + added_;
        negative += electrons < 0;
        saturated += level >= highest_;
        row[x] = static_cast<float>(std::max(electrons, 0.0));
      }
    }
  negative_ += negative;
  saturated_ += saturated;
}

double background_light(const CameraResponse& camera, double background) {
  const double electrons = std::max((background - camera.offset) / camera.gain, camera.dark);
  return electrons + camera.read_noise * camera.read_noise;
}

}  // namespace synthoscope::deconvolution
