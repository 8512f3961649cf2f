// SPDX-License-Identifier: MIT
#include "deconvolution/seen_share.hpp"
#include <algorithm>
#include <numeric>
#include <vector>
#include "fftconv/planes/mean_removal.hpp"

namespace synthoscope::deconvolution {
namespace {

/// Positions of an axis of the estimate from which the whole kernel reaches the field.
struct Inner {
  std::int64_t begin, end;
  Inner(std::int64_t field, std::int64_t kernel) : begin{kernel - 1}, end{field} {}
  [[nodiscard]] bool holds(std::int64_t at) const { return at >= begin && at < end; }
};

}  // namespace

SeenShare::SeenShare(const Geometry& geometry, const fftconv::Kernel& kernel,
                     const RunContext& context)
    : geometry_{geometry},
      sums_{std::make_unique<fftconv::BoxSums>(kernel, adjoint_problem(geometry),
                                               fftconv::WorkAxes{}, context)} {
  // The largest share is that of a voxel in the middle: the kernel may be larger than the field
  const Extent3 e = estimate_extent(geometry);
  total_ = sums_->at(e.z / 2, e.y / 2, e.x / 2);
}

SeenShare::~SeenShare() = default;

void SeenShare::fill_row(std::int64_t z, std::int64_t y, std::int64_t x,
                         std::span<float> shares) const {
  const Extent3 &f = geometry_.field, &k = geometry_.kernel;
  const bool is_inner = Inner{f.z, k.z}.holds(z) && Inner{f.y, k.y}.holds(y);
  const Inner along_x{f.x, k.x};
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::int64_t at = x + static_cast<std::int64_t>(i);
    const double share = is_inner && along_x.holds(at) ? total_ : sums_->at(z, y, at);
    shares[i] = share > kLeast * total_ ? static_cast<float>(share) : 0;
  }
}

double SeenShare::sum(const RunContext& context) const {
  const Extent3 e = estimate_extent(geometry_);
  std::vector<double> of_planes(static_cast<std::size_t>(e.z));
  context.pool.for_each(e.z, [&](std::int64_t z) {
    std::vector<float> shares(static_cast<std::size_t>(e.x));
    double sum = 0;
    for (std::int64_t y = 0; y < e.y; ++y) {
      fill_row(z, y, 0, shares);
      sum = std::accumulate(shares.begin(), shares.end(), sum);
    }
    of_planes[static_cast<std::size_t>(z)] = sum;
  });
  return std::accumulate(of_planes.begin(), of_planes.end(), 0.0);
}

}  // namespace synthoscope::deconvolution
