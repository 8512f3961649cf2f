// SPDX-License-Identifier: MIT
#include "jobs/light/simulated_image.hpp"
#include <algorithm>
#include "simulator/detector/noise/poisson.hpp"

namespace synthoscope::jobs {

SimulatedImage::SimulatedImage(const Extent3& field, double background, std::uint64_t seed)
    : field_{field}, background_{background}, draws_{seed, RandomStage::bootstrap} {}

void SimulatedImage::apply(const Box3& core, HostView3<const float> in, VoxelView out) {
  draw(core, in, out);
}

void SimulatedImage::apply(const Box3& core, HostView3<const double> in, VoxelView out) {
  draw(core, in, out);
}

template <class Real>
void SimulatedImage::draw(const Box3& core, HostView3<const Real> in, VoxelView out) const {
  const HostView3<float> electrons = out.as<float>();
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      const std::int64_t row = (core.origin.z + z) * field_.y + core.origin.y + y;
      const std::int64_t first = row * field_.x + core.origin.x;
      for (std::int64_t x = 0; x < core.size.x; ++x) {
        const double mean = std::clamp(static_cast<double>(in(z, y, x)) + background_, 0.0,
                                       simulator::kLargestPoissonMean);
        const PhiloxBlock words = draws_.block(static_cast<std::uint64_t>(first + x));
        electrons(z, y, x) =
            static_cast<float>(simulator::poisson(mean, uniform52(words[0], words[1])));
      }
    }
}

}  // namespace synthoscope::jobs
