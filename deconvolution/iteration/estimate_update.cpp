// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/estimate_update.hpp"
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
  const float before = form_ == RatioForm::excess ? 1 : 0;
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      share_.fill_row(core.origin.z + z, core.origin.y + y, core.origin.x, shares);
      const Real* const v = in.row(z, y);
      float* const row = next.row(z, y);
      for (std::int64_t x = 0; x < core.size.x; ++x) {
        const float share = shares[static_cast<std::size_t>(x)];
        // Rounding may leave sums of ratios, none of which is negative, slightly below 0
        const auto change = std::max(static_cast<float>(v[x]) + before, 0.0F);
        const float divisor = form_ == RatioForm::excess ? 1 : share;
        row[x] = share > 0 ? row[x] * (change / divisor) : 0;
      }
    }
  if (last_ != nullptr) go_beyond(core, out);
}

void EstimateUpdate::go_beyond(const Box3& core, VoxelView next) {
  // Row by row, so that a thread needs no more memory than a row
  std::vector<float> before(static_cast<std::size_t>(core.size.x));
  const Extent3 of_row{1, 1, core.size.x};
  const HostView3<float> now = next.as<float>();
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      float* const row = now.row(z, y);
      const Box3 place{{core.origin.z + z, core.origin.y + y, core.origin.x}, of_row};
      last_->read(place, HostView3<float>{before.data(), of_row});
      last_->write(place, HostView3<const float>{row, of_row});
      for (std::int64_t x = 0; x < core.size.x; ++x) {
        const float from = before[static_cast<std::size_t>(x)];
        if (from > 0) row[x] *= std::pow(row[x] / from, weight_);
      }
    }
}

}  // namespace synthoscope::deconvolution
