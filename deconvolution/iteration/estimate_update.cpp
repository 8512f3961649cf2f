// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/estimate_update.hpp"
#include <algorithm>
#include <optional>
#include <vector>

namespace synthoscope::deconvolution {
namespace {

/// Takes steps with a penalty for total variation, row by row.
class SmoothRows {
 public:
  SmoothRows(const TotalVariation& variation, std::size_t count)
      : rows_{variation}, slopes_(count), bends_(count) {}

  /// @param first  the first voxel of the row
  template <class Real>
  void update(const Index3& first, const Real* residuals, std::span<const float> shares,
              float* light) {
    rows_.fill(first.z, first.y, first.x, slopes_, bends_);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double next =
          next_light(light[i], static_cast<double>(residuals[i]), shares[i], slopes_[i], bends_[i]);
      light[i] = shares[i] > 0 ? static_cast<float>(next) : 0;
    }
  }

 private:
  TotalVariation::Rows rows_;
  std::vector<float> slopes_, bends_;
};

}  // namespace

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
  std::optional<SmoothRows> smooth;
  if (variation_) smooth.emplace(*variation_, shares.size());
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      const Index3 first{core.origin.z + z, core.origin.y + y, core.origin.x};
      share_.fill_row(first.z, first.y, first.x, shares);
      if (smooth)
        smooth->update(first, in.row(z, y), shares, next.row(z, y));
      else
        multiply(in.row(z, y), shares, next.row(z, y));
    }
  if (last_ != nullptr) go_beyond(core, out);
}

template <class Real>
void EstimateUpdate::multiply(const Real* residuals, std::span<const float> shares,
                              float* light) const {
  for (const float share : shares) {
    const float whole = kernel_ == BackKernel::matched ? share : 1;
    const float change = std::max(1 + static_cast<float>(*residuals++) / whole, 0.0F);
    *light = share > 0 ? *light * change : 0;
    ++light;
  }
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
        row[x] = std::max(row[x] + weight_ * (row[x] - from), std::min(row[x], least_));
      }
    }
}

}  // namespace synthoscope::deconvolution
