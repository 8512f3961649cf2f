// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/relative_residual.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace synthoscope::deconvolution {

RelativeResidual::RelativeResidual(Source& image, double background, double least)
    : image_{image},
      background_{background},
      least_{least},
      of_rows_(static_cast<std::size_t>(image.extent().z * image.extent().y)) {}

void RelativeResidual::apply(const Box3& core, HostView3<const float> in, VoxelView out) {
  find_residual(core, in, out);
}

void RelativeResidual::apply(const Box3& core, HostView3<const double> in, VoxelView out) {
  find_residual(core, in, out);
}

template <class Real>
void RelativeResidual::find_residual(const Box3& core, HostView3<const Real> in, VoxelView out) {
  image_.read(core, out);
  const HostView3<float> residual = out.as<float>();
  const auto b = static_cast<Real>(background_), least = static_cast<Real>(least_);
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      const Real* const light = in.row(z, y);
      float* const row = residual.row(z, y);
      double sum = 0;
      for (std::int64_t x = 0; x < core.size.x; ++x) {
        const auto f = static_cast<Real>(row[x]);
        const Real expected = std::max(light[x] + b, least);
        sum += static_cast<double>(f * std::log(expected) - expected);
        row[x] = static_cast<float>((f - expected) / expected);
      }
      of_rows_[row_number(core, z, y)] += sum;
    }
}

std::size_t RelativeResidual::row_number(const Box3& core, std::int64_t z, std::int64_t y) const {
  return static_cast<std::size_t>((core.origin.z + z) * image_.extent().y + core.origin.y + y);
}

double RelativeResidual::take_log_likelihood() {
  const double sum = std::accumulate(of_rows_.begin(), of_rows_.end(), 0.0);
  std::fill(of_rows_.begin(), of_rows_.end(), 0.0);
  return sum;
}

}  // namespace synthoscope::deconvolution
