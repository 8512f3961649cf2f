// SPDX-License-Identifier: MIT
#include "simulator/optics/glare.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include "core/math/elementary.hpp"
#include "simulator/optics/psf_parts.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kHaloReach = 6;  // in glare_um: 1.7 % of the halo lie beyond
constexpr double kTapReach = 6;   // in standard deviations

/// One Gaussian of the halo: its variance along an axis over 2 L^2, and its share of the light.
struct HaloPart {
  double variance;
  double share;
};
/// Nodes and weights of Gauss-Laguerre quadrature of degree 1/2 (Abramowitz and Stegun 25.4.45).
/// From half of L to 8 L their sum follows exp(-r / L) within 9 %; in the middle it is 37 % lower.
constexpr std::array<HaloPart, 5> kHaloParts{{{0.43139880714785145, 0.4180087056350736},
                                              {1.7597536984236963, 0.4655516120305992},
                                              {4.104465362828315, 0.11033271191035725},
                                              {7.746703779542558, 0.006063249927129885},
                                              {13.457678352057581, 4.3720496840175516e-05}}};

/// Returns the weights of a Gaussian 0 to `most` pixels from its middle. Over both sides and
/// without that limit they add up to 1.
std::vector<double> gaussian_taps(double sigma_pixels, std::int64_t most) {
  const auto reach = static_cast<std::int64_t>(std::ceil(kTapReach * sigma_pixels));
  std::vector<double> taps;
  double sum = 0;
  for (std::int64_t i = 0; i <= reach; ++i) {
    const double ratio = static_cast<double>(i) / sigma_pixels;
    const double weight = portable::exp_negative(-0.5 * ratio * ratio);
    sum += i == 0 ? weight : 2 * weight;
    if (i <= most) taps.push_back(weight);
  }
  for (double& tap : taps) tap /= sum;
  return taps;
}

/// One plane of a PSF in the middle of a larger window, and what its halo is computed with.
class PlaneWithHalo {
 public:
  PlaneWithHalo(const Extent3& sharp, const Extent3& wide, const VoxelSize& pitch, double share,
                double length_um)
      : sharp_{sharp}, wide_{wide}, share_{share} {
    for (const HaloPart& part : kHaloParts) {
      const double sigma_um = std::sqrt(2 * part.variance) * length_um;
      along_y_.push_back(gaussian_taps(sigma_um / pitch.y_um, wide.y));
      along_x_.push_back(gaussian_taps(sigma_um / pitch.x_um, wide.x));
    }
  }

  /// Writes (1 - share) of `plane` and its halo to `out`, and returns the ratio of their sums.
  template <class T>
  double write(const T* plane, T* out) const {
    const std::int64_t left = (wide_.x - sharp_.x) / 2, top = (wide_.y - sharp_.y) / 2;
    std::vector<double> result(static_cast<std::size_t>(wide_.y * wide_.x));
    double before = 0;
    for (std::int64_t y = 0; y < sharp_.y; ++y)
      for (std::int64_t x = 0; x < sharp_.x; ++x) {
        const auto value = static_cast<double>(plane[y * sharp_.x + x]);
        before += value;
        result[static_cast<std::size_t>((y + top) * wide_.x + x + left)] = (1 - share_) * value;
      }
    for (std::size_t part = 0; part < kHaloParts.size(); ++part)
      add_part(plane, part, left, top, result);
    double after = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      out[i] = static_cast<T>(result[i]);
      after += result[i];
    }
    return before > 0 ? after / before : 1;
  }

 private:
  template <class T>
  void add_part(const T* plane, std::size_t part, std::int64_t left, std::int64_t top,
                std::vector<double>& result) const {
    std::vector<double> rows(static_cast<std::size_t>(sharp_.y * wide_.x));
    for (std::int64_t y = 0; y < sharp_.y; ++y)
      for (std::int64_t x = 0; x < sharp_.x; ++x)
        spread(share_ * kHaloParts[part].share * static_cast<double>(plane[y * sharp_.x + x]),
               along_x_[part], x + left, wide_.x, &rows[static_cast<std::size_t>(y * wide_.x)]);
    for (std::int64_t y = 0; y < sharp_.y; ++y)
      for (std::int64_t to = 0; to < wide_.y; ++to) {
        const auto distance = static_cast<std::size_t>(std::abs(to - y - top));
        if (distance >= along_y_[part].size()) continue;
        const double weight = along_y_[part][distance];
        const double* const from = &rows[static_cast<std::size_t>(y * wide_.x)];
        double* const row = &result[static_cast<std::size_t>(to * wide_.x)];
        for (std::int64_t x = 0; x < wide_.x; ++x) row[x] += weight * from[x];
      }
  }

  /// Adds `light` at pixel `at`, spread by `taps`, to a row.
  static void spread(double light, const std::vector<double>& taps, std::int64_t at,
                     std::int64_t width, double* row) {
    const auto reach = static_cast<std::int64_t>(taps.size()) - 1;
    const std::int64_t first = std::max<std::int64_t>(0, at - reach);
    const std::int64_t last = std::min(width - 1, at + reach);
    for (std::int64_t x = first; x < at; ++x)
      row[x] += light * taps[static_cast<std::size_t>(at - x)];
    for (std::int64_t x = at; x <= last; ++x)
      row[x] += light * taps[static_cast<std::size_t>(x - at)];
  }

  Extent3 sharp_, wide_;
  double share_;
  std::vector<std::vector<double>> along_y_, along_x_;
};

/// Scales voxels whose sum or peak the normalisation sets to 1.
template <class T>
void scale_again(BasicPsf<T>& psf, const OpticsSpec& spec) {
  const auto& voxels = psf.voxels.voxels;
  double light = 0;
  if (spec.normalization == PsfNormalization::sum)
    for (const T value : voxels) light += static_cast<double>(value);
  else if (spec.normalization == PsfNormalization::peak)
    light = static_cast<double>(*std::max_element(voxels.begin(), voxels.end()));
  else
    return;
  const double factor = inverse_of(light, spec, psf.voxels.extent);
  for (T& value : psf.voxels.voxels) value = static_cast<T>(static_cast<double>(value) * factor);
  psf.plane_energy *= factor;
  for (double& energy : psf.plane_energies) energy *= factor;
}

}  // namespace

Extent3 size_with_glare(const OpticsSpec& spec, const VoxelSize& pitch, const PsfSizing& sizing,
                        const Extent3& sharp) {
  if (spec.glare_share == 0 || spec.size) return sharp;
  const auto widened = [&](std::int64_t now, double pitch_um, std::int64_t field) {
    const double more = std::ceil(kHaloReach * spec.glare_um / pitch_um);
    std::int64_t most = sizing.lateral_limit / 2;
    if (sizing.volume) most = std::min(most, field - 1);
    const double half = std::min(static_cast<double>(most), static_cast<double>(now / 2) + more);
    return std::max(now, 2 * static_cast<std::int64_t>(half) + 1);
  };
  const Extent3 field = sizing.volume.value_or(Extent3{});
  return {sharp.z, widened(sharp.y, pitch.y_um, field.y), widened(sharp.x, pitch.x_um, field.x)};
}

std::int64_t glare_working_bytes(const OpticsSpec& spec, const Extent3& sharp, const Extent3& size,
                                 std::size_t voxel_bytes, int threads) {
  if (spec.glare_share == 0) return 0;
  const auto number = static_cast<std::int64_t>(sizeof(double));
  const std::int64_t planes = std::min<std::int64_t>(threads, size.z);
  return volume(sharp) * static_cast<std::int64_t>(voxel_bytes) +
         planes * number * (size.y + sharp.y) * size.x;
}

template <class T>
void add_glare(BasicPsf<T>& psf, const OpticsSpec& spec, const VoxelSize& pitch,
               const PsfSizing& sizing, TaskPool& pool, MemoryBudget* memory) {
  if (spec.glare_share == 0) return;
  const Extent3 sharp = psf.voxels.extent, wide = size_with_glare(spec, pitch, sizing, sharp);
  require_computable(wide);
  const auto working =
      counted(memory, glare_working_bytes(spec, sharp, wide, sizeof(T), pool.threads()),
              "the halo of the PSF (a smaller optics.size needs less)");
  const Volume<T> without = std::exchange(psf.voxels, {});
  psf.counted = {};
  take_voxels(psf, wide, memory);
  const PlaneWithHalo halo{sharp, wide, pitch, spec.glare_share, spec.glare_um};
  const auto area = static_cast<std::size_t>(sharp.y * sharp.x);
  pool.for_each(sharp.z, [&](std::int64_t z) {
    const auto plane = static_cast<std::size_t>(z);
    psf.captured[plane] *=
        halo.write(without.voxels.data() + plane * area, psf.voxels.view().row(z, 0));
  });
  scale_again(psf, spec);
}

template void add_glare(BasicPsf<float>&, const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                        TaskPool&, MemoryBudget*);
template void add_glare(BasicPsf<double>&, const OpticsSpec&, const VoxelSize&, const PsfSizing&,
                        TaskPool&, MemoryBudget*);

}  // namespace synthoscope::simulator
