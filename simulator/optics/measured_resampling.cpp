// SPDX-License-Identifier: MIT
#include "simulator/optics/measured_resampling.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace synthoscope::simulator {
namespace {

/// One axis of the grid laid over the file, in voxels of the file.
struct GridAxis {
  std::int64_t samples;  ///< of the file
  double centre, step;   ///< position of the grid's middle voxel; the grid's pitch
  double width;          ///< what a voxel of the grid averages over; 0 samples its middle

  [[nodiscard]] std::vector<Taps> taps(std::int64_t count) const {
    return sinc_taps(samples, centre - static_cast<double>(count / 2) * step, step, count, width);
  }
  /// Returns the total weight of each voxel of the file on an infinite grid.
  [[nodiscard]] std::vector<double> shares() const {
    constexpr double kMargin = 9;  // voxels that the sinc reaches beyond the file, and one
    const double reach =
        std::max(centre, static_cast<double>(samples) - centre) + 0.5 * width + kMargin;
    std::vector<double> all(static_cast<std::size_t>(samples));
    for (const Taps& voxel : taps(2 * static_cast<std::int64_t>(std::ceil(reach / step)) + 1))
      for (std::size_t i = 0; i < voxel.weights.size(); ++i)
        all[static_cast<std::size_t>(voxel.first) + i] += voxel.weights[i];
    return all;
  }
};

/// Returns the sum of the grid's samples of `profile`, times their pitch, relative to the profile.
double counted_light(const GridAxis& axis, const std::vector<double>& profile) {
  const auto shares = axis.shares();
  return std::inner_product(shares.begin(), shares.end(), profile.begin(), 0.0) * axis.step /
         std::accumulate(profile.begin(), profile.end(), 0.0);
}

/// Returns the width, in voxels of the file, that voxels of the grid average over along y or x. The
/// file already contains the extent of its own pixels: a larger pixel of the grid adds a box of the
/// difference of variances. If samples are so far apart that they miscount the light, each averages
/// over its whole pitch.
double width_along(const OpticsSpec& spec, const GridAxis& axis, double pitch_um,
                   const std::vector<double>& profile) {
  constexpr double kNothingFolds = 1.5;  // voxels: the sinc lets two thirds of a wave pass
  constexpr double kMiscounted = 1e-3;
  if (axis.step > kNothingFolds) {
    const double light = counted_light(axis, profile);
    if (!(std::abs(light - 1) <= kMiscounted)) {
      if (spec.pixel_integration == false)
        throw InvalidSpec(fmt::format(
            "psf: optics.pixel_integration is false, and samples of {} that lie {:.4g} um apart "
            "add up to {:.4g} % of its light; leave pixel_integration out, or use a finer grid",
            spec.file->string(), pitch_um, 100 * light));
      return axis.step;
    }
  }
  const bool adds_pixel = spec.pixel_integration.value_or(false) && axis.step > 1;
  return adds_pixel ? std::sqrt(axis.step * axis.step - 1) : 0;
}

}  // namespace

MiddleOfFile middle_of(const MeasuredFile& file, const Volume<float>& voxels) {
  const Extent3& e = voxels.extent;
  const auto nearest = [](double at, std::int64_t count) {
    return std::clamp<std::int64_t>(std::llround(at), 0, count - 1);
  };
  const Index3 at{nearest(file.centre.z, e.z), nearest(file.centre.y, e.y),
                  nearest(file.centre.x, e.x)};
  const auto light = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return static_cast<double>(voxels.view()(z, y, x)) - file.summary.background;
  };
  MiddleOfFile middle{std::vector<double>(static_cast<std::size_t>(e.y)),
                      std::vector<double>(static_cast<std::size_t>(e.x)),
                      {}};
  for (std::int64_t y = 0; y < e.y; ++y)
    for (std::int64_t x = 0; x < e.x; ++x) {
      middle.along_y[static_cast<std::size_t>(y)] += light(at.z, y, x);
      middle.along_x[static_cast<std::size_t>(x)] += light(at.z, y, x);
    }
  for (std::int64_t z = 0; z < e.z; ++z) middle.along_z.push_back(light(z, at.y, at.x));
  return middle;
}

Resampling::Resampling(const OpticsSpec& spec, const MeasuredFile& file, const MiddleOfFile& middle,
                       const VoxelSize& pitch, const Extent3& size)
    : extent_{file.summary.extent}, size_{size}, background_{file.summary.background} {
  const auto axis = [](std::int64_t samples, double centre, double pitch_um, double file_um,
                       double shift_um) {
    return GridAxis{samples, centre - shift_um / file_um, pitch_um / file_um, 0};
  };
  const GridAxis z = axis(extent_.z, file.centre.z, pitch.z_um, file.pitch.z_um, spec.shift.z_um);
  GridAxis y = axis(extent_.y, file.centre.y, pitch.y_um, file.pitch.y_um, spec.shift.y_um);
  GridAxis x = axis(extent_.x, file.centre.x, pitch.x_um, file.pitch.x_um, spec.shift.x_um);
  y.width = width_along(spec, y, pitch.y_um, middle.along_y);
  x.width = width_along(spec, x, pitch.x_um, middle.along_x);
  z_ = z.taps(size.z);
  focus_ = axis(extent_.z, file.centre.z, pitch.z_um, file.pitch.z_um, 0)
               .taps(size.z)[static_cast<std::size_t>(size.z / 2)];
  y_ = y.taps(size.y);
  x_ = x.taps(size.x);
  shares_y_ = y.shares();
  shares_x_ = x.shares();
}

std::int64_t Resampling::bytes(const Extent3& file, const Extent3& size) {
  return (file.y * file.x + size.y * file.x) * std::int64_t{sizeof(double)};
}

template <class T>
PlaneLight Resampling::plane(const Volume<float>& file, std::int64_t z, double scale,
                             T* out) const {
  const std::vector<double> flat = along_z(file, z_[static_cast<std::size_t>(z)]);
  std::vector<double> rows(static_cast<std::size_t>(size_.y * extent_.x));
  for (std::int64_t y = 0; y < size_.y; ++y) {
    const Taps& taps = y_[static_cast<std::size_t>(y)];
    for (std::size_t i = 0; i < taps.weights.size(); ++i)
      for (std::int64_t x = 0; x < extent_.x; ++x)
        rows[static_cast<std::size_t>(y * extent_.x + x)] +=
            taps.weights[i] * flat[static_cast<std::size_t>(
                                  (taps.first + static_cast<std::int64_t>(i)) * extent_.x + x)];
  }
  PlaneLight light{0, unbounded(flat)};
  for (std::int64_t y = 0; y < size_.y; ++y)
    for (std::int64_t x = 0; x < size_.x; ++x) {
      const Taps& taps = x_[static_cast<std::size_t>(x)];
      const double value = std::inner_product(taps.weights.begin(), taps.weights.end(),
                                              rows.begin() + y * extent_.x + taps.first, 0.0);
      light.window += value;
      out[y * size_.x + x] = static_cast<T>(value * scale);
    }
  return light;
}

double Resampling::light_in_focus(const Volume<float>& file) const {
  return unbounded(along_z(file, focus_));
}

std::vector<double> Resampling::along_z(const Volume<float>& file, const Taps& taps) const {
  const std::int64_t area = extent_.y * extent_.x;
  std::vector<double> flat(static_cast<std::size_t>(area));
  for (std::size_t i = 0; i < taps.weights.size(); ++i) {
    const float* const from = file.view().row(taps.first + static_cast<std::int64_t>(i), 0);
    for (std::size_t v = 0; v < flat.size(); ++v)
      flat[v] += taps.weights[i] * (static_cast<double>(from[v]) - background_);
  }
  return flat;
}

double Resampling::unbounded(const std::vector<double>& flat) const {
  double sum = 0;
  for (std::size_t y = 0; y < shares_y_.size(); ++y)
    sum +=
        shares_y_[y] *
        std::inner_product(shares_x_.begin(), shares_x_.end(),
                           flat.begin() + static_cast<std::ptrdiff_t>(y * shares_x_.size()), 0.0);
  return sum;
}

template PlaneLight Resampling::plane(const Volume<float>&, std::int64_t, double, float*) const;
template PlaneLight Resampling::plane(const Volume<float>&, std::int64_t, double, double*) const;

}  // namespace synthoscope::simulator
