// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/light_ratio.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace synthoscope::deconvolution {

LightRatio::LightRatio(Source& image, double background, double least, RatioForm form)
    : image_{image},
      background_{background},
      least_{least},
      form_{form},
      of_rows_(static_cast<std::size_t>(image.extent().z * image.extent().y)) {}

void LightRatio::apply(const Box3& core, HostView3<const float> in, VoxelView out) {
  make_ratio(core, in, out);
}

void LightRatio::apply(const Box3& core, HostView3<const double> in, VoxelView out) {
  make_ratio(core, in, out);
}

template <class Real>
void LightRatio::make_ratio(const Box3& core, HostView3<const Real> in, VoxelView out) {
  image_.read(core, out);
  const HostView3<float> ratio = out.as<float>();
  const auto b = static_cast<Real>(background_), least = static_cast<Real>(least_);
  const Real less = form_ == RatioForm::excess ? 1 : 0;
  for (std::int64_t z = 0; z < core.size.z; ++z)
    for (std::int64_t y = 0; y < core.size.y; ++y) {
      const Real* const light = in.row(z, y);
      float* const row = ratio.row(z, y);
      double sum = 0;
      for (std::int64_t x = 0; x < core.size.x; ++x) {
        const auto f = static_cast<Real>(row[x]);
        const Real expected = std::max(light[x] + b, least);
        sum += static_cast<double>(f * std::log(expected) - expected);
        row[x] = static_cast<float>(f / expected - less);
      }
      of_rows_[row_number(core, z, y)] += sum;
    }
}

std::size_t LightRatio::row_number(const Box3& core, std::int64_t z, std::int64_t y) const {
  return static_cast<std::size_t>((core.origin.z + z) * image_.extent().y + core.origin.y + y);
}

double LightRatio::take_log_likelihood() {
  const double sum = std::accumulate(of_rows_.begin(), of_rows_.end(), 0.0);
  std::fill(of_rows_.begin(), of_rows_.end(), 0.0);
  return sum;
}

}  // namespace synthoscope::deconvolution
