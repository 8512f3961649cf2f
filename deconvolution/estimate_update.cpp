// SPDX-License-Identifier: MIT
#include "deconvolution/estimate_update.hpp"
#include <algorithm>
#include <cmath>
#include <vector>

namespace synthoscope::deconvolution {

void EstimateUpdate::apply(const Box3& core, HostView3<const float> in, VoxelView out) {
  update(core, in, out);
}

void EstimateUpdate::apply(const Box3& core, HostView3<const double> in, VoxelView out) {
  update(core, in, out);
}

template <class Real>
void EstimateUpdate::update(const Box3& core, HostView3<const Real> in, VoxelView out) {
  estimate_.read(core, out);
  const HostView3<float> next = out.as<float>();
  std::vector<float> shares(static_cast<std::size_t>(core.size.x));
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      share_.fill_row(core.origin.z + z, core.origin.y + y, core.origin.x, shares);
      const Real* const v = in.row(z, y);
      float* const row = next.row(z, y);
      for (std::int64_t x = 0; x < core.size.x; ++x) {
        const float share = shares[static_cast<std::size_t>(x)];
        // Rounding may leave sums of ratios, none of which is negative, slightly below 0
        const auto change = std::max(static_cast<float>(v[x]), 0.0F);
        row[x] = share > 0 ? row[x] * (change / share) : 0;
      }
    }
  if (last_ != nullptr) go_beyond(core, out);
}

void EstimateUpdate::go_beyond(const Box3& core, VoxelView next) {
  std::vector<float> room(static_cast<std::size_t>(volume(core.size)));
  const HostView3<float> before{room.data(), core.size};
  last_->read(core, before);
  last_->write(core, next);
  const HostView3<float> x_now = next.as<float>();
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      const float* const from = before.row(z, y);
      float* const row = x_now.row(z, y);
      for (std::int64_t x = 0; x < core.size.x; ++x)
        if (from[x] > 0) row[x] *= std::pow(row[x] / from[x], weight_);
    }
}

}  // namespace synthoscope::deconvolution
