// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/light_ratio.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace synthoscope::deconvolution {

LightRatio::LightRatio(Source& image, double background, double least, RatioForm form,
                       Source* held_out)
    : image_{image},
      background_{background},
      least_{least},
      form_{form},
      held_out_{held_out},
      of_rows_(static_cast<std::size_t>(image.extent().z * image.extent().y)),
      held_out_rows_(held_out ? of_rows_.size() : 0) {}

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
      const std::size_t number = row_number(core, z, y);
      of_rows_[number] += sum;
      if (held_out_)
        held_out_rows_[number] += held_out_likelihood(
            {{core.origin.z + z, core.origin.y + y, core.origin.x}, {1, 1, core.size.x}}, light);
    }
}

template <class Real>
double LightRatio::held_out_likelihood(const Box3& row, const Real* light) const {
  std::vector<float> recorded(static_cast<std::size_t>(row.size.x));
  held_out_->read(row, HostView3<float>{recorded.data(), row.size});
  const auto b = static_cast<Real>(background_), least = static_cast<Real>(least_);
  double sum = 0;
  for (const float f : recorded) {
    const Real expected = std::max(*light++ + b, least);
    sum += static_cast<double>(static_cast<Real>(f) * std::log(expected) - expected);
  }
  return sum;
}

std::size_t LightRatio::row_number(const Box3& core, std::int64_t z, std::int64_t y) const {
  return static_cast<std::size_t>((core.origin.z + z) * image_.extent().y + core.origin.y + y);
}

namespace {

double take_sum(std::vector<double>& of_rows) {
  const double sum = std::accumulate(of_rows.begin(), of_rows.end(), 0.0);
  std::fill(of_rows.begin(), of_rows.end(), 0.0);
  return sum;
}

}  // namespace

double LightRatio::take_log_likelihood() {
  return take_sum(of_rows_);
}

double LightRatio::take_held_out() {
  return take_sum(held_out_rows_);
}

}  // namespace synthoscope::deconvolution
