// SPDX-License-Identifier: MIT
#include "score/images/fourier_correlation.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"
#include "score/images/fourier_pair.hpp"

namespace synthoscope::score {
namespace {

/// Sums over a ring, each times 4.
struct RingSums {
  double product = 0, truth = 0, result = 0;
  std::int64_t samples = 0;

  RingSums& operator+=(const RingSums& other) {
    product += other.product;
    truth += other.truth;
    result += other.result;
    samples += other.samples;
    return *this;
  }
};

/// Which ring a frequency belongs to.
class RingGrid {
 public:
  RingGrid(const Extent3& extent, const VoxelSize& voxel)
      : z_{squares_of(extent.z, voxel.z_um)},
        y_{squares_of(extent.y, voxel.y_um)},
        x_{squares_of(extent.x, voxel.x_um)} {
    step_ = 1 / std::max({side(extent.z, voxel.z_um), side(extent.y, voxel.y_um),
                          side(extent.x, voxel.x_um)});
    double limit = std::numeric_limits<double>::infinity();
    if (extent.y > 1) limit = std::min(limit, 0.5 / voxel.y_um);
    if (extent.x > 1) limit = std::min(limit, 0.5 / voxel.x_um);
    constexpr double kRounding = 1e-9;
    if (std::isfinite(limit)) rings_ = static_cast<std::int64_t>(limit / step_ + kRounding);
  }

  /// Of the frequencies k of an axis: (k / side)^2.
  [[nodiscard]] double z(std::int64_t k) const { return z_[as_index(k)]; }
  [[nodiscard]] double y(std::int64_t k) const { return y_[as_index(k)]; }
  [[nodiscard]] double x(std::int64_t k) const { return x_[as_index(k)]; }
  [[nodiscard]] double step() const { return step_; }
  /// Without ring 0, which holds the mean.
  [[nodiscard]] std::int64_t rings() const { return rings_; }

 private:
  /// 0 along an axis of one voxel, which has no frequencies.
  static double side(std::int64_t length, double pitch) {
    return length > 1 ? static_cast<double>(length) * pitch : 0;
  }
  static std::vector<double> squares_of(std::int64_t length, double pitch) {
    std::vector<double> squares(as_index(length));
    for (std::int64_t k = 0; k < length; ++k) {
      const double f =
          static_cast<double>(std::min(k, length - k)) / (static_cast<double>(length) * pitch);
      squares[as_index(k)] = f * f;
    }
    return squares;
  }

  std::vector<double> z_, y_, x_;
  double step_ = 0;
  std::int64_t rings_ = 0;
};

std::int64_t negative_frequency(std::int64_t k, std::int64_t length) {
  return k == 0 ? 0 : length - k;
}

/// Sums over one plane of a spectrum, of the frequency kz. Frequencies x and -x contribute the
/// same, so that half of x is enough.
std::vector<RingSums> sums_of_plane(const FourierPair& pair, const Extent3& extent,
                                    const RingGrid& grid, std::int64_t plane,
                                    std::int64_t negative_plane, std::int64_t kz) {
  std::vector<RingSums> rings(as_index(grid.rings() + 1));
  const std::int64_t lanes = FourierLines::lanes();
  for (std::int64_t ky = 0; ky < extent.y; ++ky) {
    const double* const at = pair.row(plane, pair.row_of_y(ky));
    const double* const opposite =
        pair.row(negative_plane, pair.row_of_y(negative_frequency(ky, extent.y)));
    const double zy = grid.z(kz) + grid.y(ky);
    for (std::int64_t kx = 0; 2 * kx <= extent.x; ++kx) {
      const double frequency = std::sqrt(zy + grid.x(kx));
      const auto ring = std::lround(frequency / grid.step());
      if (ring > grid.rings()) continue;
      const double* const p = at + pair.place_of_x(kx);
      const double* const q = opposite + pair.place_of_x(negative_frequency(kx, extent.x));
      // With P = F(k) and Q = conj F(-k) of t + i r, T = (P + Q) / 2 and R = (P - Q) / 2i
      const double p_re = p[0], p_im = p[lanes], q_re = q[0], q_im = -q[lanes];
      const int signs = kx == 0 || 2 * kx == extent.x ? 1 : 2;
      RingSums& sums = rings[as_index(ring)];
      sums.truth += signs * ((p_re + q_re) * (p_re + q_re) + (p_im + q_im) * (p_im + q_im));
      sums.result += signs * ((p_re - q_re) * (p_re - q_re) + (p_im - q_im) * (p_im - q_im));
      sums.product += signs * 2 * (p_im * q_re - p_re * q_im);
      sums.samples += signs;
    }
  }
  return rings;
}

/// @source van Heel & Schatz 2005
double half_bit_threshold(std::int64_t samples) {
  const double root = std::sqrt(static_cast<double>(samples));
  return (0.2071 + 1.9102 / root) / (1.2071 + 0.9102 / root);
}

/// @param threshold  threshold(i) of entry i
template <class Threshold>
Crossing first_crossing(const FourierCurve& curve, Threshold&& threshold) {
  Crossing crossing{CrossingState::above, std::numeric_limits<double>::quiet_NaN()};
  double before = 0;
  for (std::size_t i = 0; i < curve.correlation.size(); ++i) {
    const double above = curve.correlation[i] - threshold(i);
    if (above < 0) {
      crossing.state = i == 0 ? CrossingState::below : CrossingState::crossed;
      if (i > 0)
        crossing.um =
            1 / (curve.step_per_um * (static_cast<double>(i) + before / (before - above)));
      break;
    }
    before = above;
  }
  return crossing;
}

FourierCurve curve_of(const std::vector<RingSums>& rings, const RingGrid& grid) {
  FourierCurve curve;
  curve.step_per_um = grid.step();
  for (std::size_t ring = 1; ring < rings.size(); ++ring) {
    const RingSums& sums = rings[ring];
    const double power = std::sqrt(sums.truth) * std::sqrt(sums.result);
    curve.correlation.push_back(power > 0 ? sums.product / power : 0);
    curve.samples.push_back(sums.samples);
  }
  curve.resolution.seventh = first_crossing(curve, [](std::size_t) { return 1.0 / 7; });
  curve.resolution.half = first_crossing(curve, [](std::size_t) { return 0.5; });
  curve.resolution.half_bit =
      first_crossing(curve, [&](std::size_t i) { return half_bit_threshold(curve.samples[i]); });
  return curve;
}

/// A scale of about one deviation keeps the rounding of one image out of the other.
Levels levels_of(const PairMoments& moments) {
  const auto scale = [&](double squares) {
    return squares > 0 ? 1 / std::sqrt(squares / static_cast<double>(moments.voxels)) : 1;
  };
  return {moments.truth_mean, scale(moments.truth_squares), moments.result_mean,
          scale(moments.result_squares)};
}

}  // namespace

FourierRings fourier_rings(const ScoredImage& truth, const ScoredImage& result,
                           const VoxelSize& voxel, FourierWindow window,
                           const PlaneMoments& moments, const RunContext& context) {
  require_same_grid(truth, result);
  const Extent3 all = truth.voxels.extent(), plane{1, all.y, all.x};
  const RingGrid grid{plane, voxel};

  // As many planes at once as half of the free memory holds, at most one for each thread
  const std::int64_t free = (context.memory.limit() - context.memory.used()) / 2;
  const std::int64_t bytes = FourierPair::bytes(truth, result, plane, 1);
  const std::int64_t together = std::clamp<std::int64_t>(
      free / bytes, 1, std::min<std::int64_t>(all.z, context.pool.threads()));
  FourierPair pair{truth,  result, {together, all.y, all.x}, FourierPair::Of::planes,
                   window, context};

  FourierRings rings;
  std::vector<RingSums> sums(as_index(grid.rings() + 1));
  context.progress.begin("Fourier rings", all.z);
  for (std::int64_t first = 0; first < all.z; first += together) {
    const std::int64_t planes = std::min(together, all.z - first);
    std::vector<Levels> levels;
    for (std::int64_t i = 0; i < planes; ++i)
      levels.push_back(levels_of(moments.planes[as_index(first + i)]));
    pair.transform(first, planes, levels);
    std::vector<std::vector<RingSums>> of_planes(as_index(planes));
    context.pool.for_each(planes, [&](std::int64_t i) {
      of_planes[as_index(i)] = sums_of_plane(pair, plane, grid, i, i, 0);
    });
    for (std::int64_t i = 0; i < planes; ++i) {
      rings.planes.push_back(curve_of(of_planes[as_index(i)], grid).resolution);
      const double weight_truth = 1 / levels[as_index(i)].truth_scale;
      const double weight_result = 1 / levels[as_index(i)].result_scale;
      for (std::size_t ring = 0; ring < sums.size(); ++ring) {
        RingSums of_plane = of_planes[as_index(i)][ring];
        of_plane.truth *= weight_truth * weight_truth;
        of_plane.result *= weight_result * weight_result;
        of_plane.product *= weight_truth * weight_result;
        sums[ring] += of_plane;
      }
    }
    context.progress.advance(planes);
  }
  rings.all = curve_of(sums, grid);
  return rings;
}

void require_room_for_shells(const ScoredImage& truth, const ScoredImage& result,
                             const RunContext& context) {
  const Extent3 extent = truth.voxels.extent();
  const std::int64_t bytes = FourierPair::bytes(truth, result, extent, context.pool.threads());
  const std::int64_t used = context.memory.used(), limit = context.memory.limit();
  if (bytes <= limit - used) return;
  throw PlanError(fmt::format(
      "score {}: Fourier shells need {} for the transform of {} voxels, and {} of {} are free; "
      "give --memory {}, or leave the shells out",
      result.name, print_bytes(bytes), extent, print_bytes(std::max<std::int64_t>(0, limit - used)),
      print_bytes(limit), size_of_at_least(bytes + used)));
}

FourierCurve fourier_shells(const ScoredImage& truth, const ScoredImage& result,
                            const VoxelSize& voxel, FourierWindow window,
                            const PlaneMoments& moments, const RunContext& context) {
  require_same_grid(truth, result);
  require_room_for_shells(truth, result, context);
  const Extent3 extent = truth.voxels.extent();
  const RingGrid grid{extent, voxel};
  context.progress.begin("Fourier shells", 2);
  FourierPair pair{truth, result, extent, FourierPair::Of::volume, window, context};
  pair.transform(0, extent.z, {levels_of(moments.all)});
  context.progress.advance(1);

  // Sums of some planes at once, added in the order of their frequency
  std::vector<RingSums> sums(as_index(grid.rings() + 1));
  const std::int64_t together = 4 * std::int64_t{context.pool.threads()};
  for (std::int64_t first = 0; first < extent.z; first += together) {
    std::vector<std::vector<RingSums>> of_planes(as_index(std::min(together, extent.z - first)));
    context.pool.for_each(std::ssize(of_planes), [&](std::int64_t i) {
      context.stop.check();
      const std::int64_t kz = first + i;
      of_planes[as_index(i)] = sums_of_plane(pair, extent, grid, pair.plane_of_z(kz),
                                             pair.plane_of_z(negative_frequency(kz, extent.z)), kz);
    });
    for (const auto& plane : of_planes)
      for (std::size_t ring = 0; ring < sums.size(); ++ring) sums[ring] += plane[ring];
  }
  context.progress.advance(1);
  return curve_of(sums, grid);
}

}  // namespace synthoscope::score
