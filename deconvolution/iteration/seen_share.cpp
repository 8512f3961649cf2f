// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/seen_share.hpp"
#include <algorithm>
#include <numeric>
#include <vector>
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/planes/mean_removal.hpp"

namespace synthoscope::deconvolution {
namespace {

/// Positions of an axis of the estimate from which the whole kernel reaches the field.
struct Inner {
  std::int64_t begin, end;
  Inner(Edge edge, std::int64_t field, std::int64_t kernel)
      : begin{edge == Edge::wrap ? 0 : kernel - 1}, end{field} {}
  [[nodiscard]] bool holds(std::int64_t at) const { return at >= begin && at < end; }
};

}  // namespace

SeenShare::SeenShare(const Geometry& geometry, const std::vector<WeightedPsf>& psfs,
                     const RunContext& context)
    : geometry_{geometry} {
  // The largest share is that of a voxel in the middle: the kernel may be larger than the field
  const Extent3 e = estimate_extent(geometry);
  for (const WeightedPsf& psf : psfs) {
    auto sums = std::make_unique<fftconv::BoxSums>(psf.kernel, adjoint_problem(geometry),
                                                   fftconv::WorkAxes{}, context);
    const double total = sums->at(e.z / 2, e.y / 2, e.x / 2);
    parts_.push_back({std::move(sums), total, psf.weights});
  }
  for (std::int64_t z = 0; z < e.z; ++z) total_ = std::max(total_, whole_in(z));
}

SeenShare::~SeenShare() = default;

double SeenShare::whole_in(std::int64_t z) const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.weight(z) * part.total;
  return sum;
}

void SeenShare::fill_row(std::int64_t z, std::int64_t y, std::int64_t x,
                         std::span<float> shares) const {
  const Extent3 &f = geometry_.field, &k = geometry_.kernel;
  const Edge edge = geometry_.edge;
  const auto count = static_cast<std::int64_t>(shares.size());
  const Inner along_x{edge, f.x, k.x};
  // Where the whole kernel reaches the field; empty at the end of the row if it does nowhere
  std::int64_t begin = count, end = count;
  if (Inner{edge, f.z, k.z}.holds(z) && Inner{edge, f.y, k.y}.holds(y)) {
    begin = std::clamp<std::int64_t>(along_x.begin - x, 0, count);
    end = std::clamp(along_x.end - x, begin, count);
  }
  const auto at = [&](std::int64_t i) { return shares.begin() + static_cast<std::ptrdiff_t>(i); };
  std::fill(at(begin), at(end), counted(whole_in(z)));
  fill_by_sums(z, y, x, shares.first(static_cast<std::size_t>(begin)));
  fill_by_sums(z, y, x + end, shares.subspan(static_cast<std::size_t>(end)));
}

void SeenShare::fill_by_sums(std::int64_t z, std::int64_t y, std::int64_t x,
                             std::span<float> shares) const {
  if (shares.empty()) return;
  std::vector<double> sums(shares.size()), all(shares.size());
  for (const Part& part : parts_) {
    const double weight = part.weight(z);
    if (weight == 0) continue;
    part.sums->fill_row(z, y, x, sums);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += weight * sums[i];
  }
  std::transform(all.begin(), all.end(), shares.begin(),
                 [&](double share) { return counted(share); });
}

std::int64_t SeenShare::bytes(const Geometry& geometry) {
  return fftconv::box_sum_entries(adjoint_problem(geometry)) * std::int64_t{sizeof(double)};
}

ShareClasses::ShareClasses(std::int64_t field, std::int64_t kernel) {
  const std::int64_t extent = field + kernel - 1;
  const bool has_inner = kernel <= field;
  front = has_inner ? kernel - 1 : extent - 1;
  back = has_inner ? field - 1 : extent - 1;
  count = extent - (back - front);
}

ShareClasses SeenShare::classes(const fftconv::VolumeAxis& axis) const {
  ShareClasses all{geometry_.field.*axis.size, geometry_.kernel.*axis.size};
  const bool is_weighted = std::any_of(parts_.begin(), parts_.end(),
                                       [](const Part& part) { return !part.weights.empty(); });
  if (is_weighted && axis.size == &Extent3::z) {  // each plane has weights of its own
    all.count = estimate_extent(geometry_).z;
    all.front = all.back = all.count - 1;
  } else if (geometry_.edge == Edge::wrap) {
    all.front = 0;
    all.back = geometry_.field.*axis.size - 1;
    all.count = 1;
  }
  return all;
}

void SeenShare::fill_classes(std::int64_t z, std::int64_t y, std::span<float> shares) const {
  const ShareClasses along_z = classes(fftconv::kAlongZ), along_y = classes(fftconv::kAlongY),
                     along_x = classes(fftconv::kAlongX);
  const auto to_front = static_cast<std::size_t>(along_x.front + 1);
  const std::int64_t at_z = along_z.first_of(z), at_y = along_y.first_of(y);
  fill_row(at_z, at_y, 0, shares.first(to_front));
  fill_row(at_z, at_y, along_x.back + 1, shares.subspan(to_front));
}

double SeenShare::sum(const RunContext& context) const {
  const ShareClasses z = classes(fftconv::kAlongZ), y = classes(fftconv::kAlongY),
                     x = classes(fftconv::kAlongX);
  std::vector<double> of_planes(static_cast<std::size_t>(z.count));
  context.pool.for_each(z.count, [&](std::int64_t i) {
    std::vector<float> shares(static_cast<std::size_t>(x.count));
    double sum = 0;
    for (std::int64_t j = 0; j < y.count; ++j) {
      fill_classes(i, j, shares);
      double of_row = 0;
      for (std::int64_t k = 0; k < x.count; ++k)
        of_row += static_cast<double>(shares[static_cast<std::size_t>(k)]) *
                  static_cast<double>(x.size_of(k));
      sum += of_row * static_cast<double>(y.size_of(j));
    }
    of_planes[static_cast<std::size_t>(i)] = sum * static_cast<double>(z.size_of(i));
  });
  return std::accumulate(of_planes.begin(), of_planes.end(), 0.0);
}

}  // namespace synthoscope::deconvolution
