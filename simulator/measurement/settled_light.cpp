// SPDX-License-Identifier: MIT
#include "simulator/measurement/settled_light.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/measurement/sinc_lines.hpp"

namespace synthoscope::simulator {

SettledLight::SettledLight(const Volume<float>& voxels, const VoxelPosition& centre,
                           const AlongAxes& width, double noise)
    : SettledLight{voxels, centre} {
  image_.emplace();
  const auto fit = fit_core(voxels, centre, width, *image_);
  if (!fit) return;
  trust_ = std::max(0.0, 1 - std::pow(noise / fit->misfit, 2));
  core_ = fit->core;
  const auto between = [&](double of_voxels, double of_core) {
    return trust_ * of_voxels + (1 - trust_) * of_core;
  };
  centre_ = {between(centre.z, core_.centre.z), between(centre.y, core_.centre.y),
             between(centre.x, core_.centre.x)};
}

double SettledLight::at(const VoxelPosition& position) const {
  double light = 0;
  if (trust_ > 0) light += trust_ * value_at(voxels_->view(), position);
  if (trust_ < 1) light += (1 - trust_) * image_->light(core_, position);
  return light;
}

double noise_near_top(const Volume<float>& voxels) {
  constexpr std::int64_t kMostDifferences = std::int64_t{1} << 20;
  constexpr double kTimesDark = 2;
  constexpr double kMedianOfNormal = 0.6745;  // of absolute values, in standard deviations
  const Extent3& e = voxels.extent;
  const std::int64_t rows = e.z * (e.y - 1), squares = rows * (e.x - 1);
  if (squares <= 0) return 0;
  std::vector<double> differences;
  for (std::int64_t i = 0; i < squares; i += 1 + squares / kMostDifferences) {
    const std::int64_t x = i % (e.x - 1), row = i / (e.x - 1);
    const float* const upper = voxels.view().row(row / (e.y - 1), row % (e.y - 1)) + x;
    const float* const lower = upper + e.x;
    differences.push_back(std::abs(static_cast<double>(upper[0]) - static_cast<double>(upper[1]) -
                                   static_cast<double>(lower[0]) + static_cast<double>(lower[1])));
  }
  // A difference of four voxels has twice the noise of one
  return kTimesDark * upper_median(differences) / 2 / kMedianOfNormal;
}

}  // namespace synthoscope::simulator
