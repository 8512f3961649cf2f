// SPDX-License-Identifier: MIT
#include "score/spots/spot_bound.hpp"
#include <algorithm>
#include <cmath>
#include <span>
#include "core/base/as_index.hpp"
#include "core/math/linear_system.hpp"
#include "score/spots/rendered_spot.hpp"
#include "simulator/detector/expected_counts.hpp"

namespace synthoscope::score {
namespace {

constexpr std::size_t kUnknowns = 5;  // z, y, x, photons, background
using Gradient = std::array<double, kUnknowns>;

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/// The light of one photon of a spot in a box of pixels, and its derivatives by the position of the
/// PSF, per voxel of the light's grid.
struct SpotPattern {
  Box3 box;                                   ///< pixels of the sensor; whole bins
  std::array<std::vector<double>, 4> values;  ///< slopes along z, y, x; light
  std::vector<float> photons;                 ///< of all light in the box

  [[nodiscard]] std::size_t at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return as_index((z * box.size.y + y) * box.size.x + x);
  }
};

/// Returns pixels from the first to the last voxel of light along y or x, in whole bins within the
/// image: first and end.
std::array<std::int64_t, 2> pixels_of(std::int64_t first, std::int64_t last,
                                      std::int64_t oversample, std::int64_t bin,
                                      std::int64_t length) {
  const std::int64_t begin = floor_of(floor_of(first, oversample), bin) * bin;
  const std::int64_t end = (floor_of(floor_of(last, oversample), bin) + 1) * bin;
  return {std::clamp(begin, std::int64_t{0}, length), std::clamp(end, std::int64_t{0}, length)};
}

/// Returns the pixels that a spot reaches.
Box3 reached_pixels(const RenderedSpot& light, const SpotImage& image) {
  Index3 low = light.voxels.front().voxel, high = low;
  for (const LitVoxel& lit : light.voxels) {
    low = {std::min(low.z, lit.voxel.z), std::min(low.y, lit.voxel.y),
           std::min(low.x, lit.voxel.x)};
    high = {std::max(high.z, lit.voxel.z), std::max(high.y, lit.voxel.y),
            std::max(high.x, lit.voxel.x)};
  }
  const Index3& centre = image.psf.centre;
  const Extent3 &psf = image.psf.psf.extent, &sensor = image.grid.extent;
  const std::int64_t bin = image.camera.exposure().binning;
  const auto z = pixels_of(low.z - centre.z, high.z - centre.z + psf.z - 1, 1, 1, sensor.z);
  const auto y =
      pixels_of(low.y - centre.y, high.y - centre.y + psf.y - 1, image.oversample, bin, sensor.y);
  const auto x =
      pixels_of(low.x - centre.x, high.x - centre.x + psf.x - 1, image.oversample, bin, sensor.x);
  return {{z[0], y[0], x[0]}, {z[1] - z[0], y[1] - y[0], x[1] - x[0]}};
}

void add_row(double share, const float* values, std::int64_t count, double* sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] += share * static_cast<double>(values[i]);
}

/// Adds the PSF, or a slope of it, around one lit voxel.
void add_around(const LitVoxel& lit, const Volume<float>& psf, const Index3& centre,
                std::int64_t oversample, const Box3& box, double* sums) {
  const Index3 first{lit.voxel.z - centre.z, lit.voxel.y - centre.y, lit.voxel.x - centre.x};
  const Extent3& e = psf.extent;
  // Columns of the PSF that fall on pixels of the box
  const std::int64_t from = std::max<std::int64_t>(0, box.origin.x * oversample - first.x);
  const std::int64_t to = std::min(e.x, (box.origin.x + box.size.x) * oversample - first.x);
  for (std::int64_t z = 0; z < e.z; ++z) {
    const std::int64_t plane = first.z + z - box.origin.z;
    if (plane < 0 || plane >= box.size.z) continue;
    for (std::int64_t y = 0; y < e.y; ++y) {
      const std::int64_t row = floor_of(first.y + y, oversample) - box.origin.y;
      if (row < 0 || row >= box.size.y) continue;
      const float* const values = psf.view().row(z, y);
      double* const out = sums + (plane * box.size.y + row) * box.size.x;
      if (oversample == 1)
        add_row(lit.share, values + from, to - from, out + (first.x + from - box.origin.x));
      else
        for (std::int64_t x = from; x < to; ++x)
          out[(first.x + x) / oversample - box.origin.x] +=
              lit.share * static_cast<double>(values[x]);
    }
  }
}

void fill_pattern(SpotPattern& pattern, const RenderedSpot& light, const SpotImage& image) {
  pattern.box = reached_pixels(light, image);
  const std::size_t pixels = as_index(volume(pattern.box.size));
  for (std::size_t i = 0; i < pattern.values.size(); ++i) {
    pattern.values[i].assign(pixels, 0);
    const Volume<float>& psf = i < 3 ? image.psf.slopes[i] : image.psf.psf;
    for (const LitVoxel& lit : light.voxels)
      add_around(lit, psf, image.psf.centre, image.oversample, pattern.box,
                 pattern.values[i].data());
  }
  pattern.photons.resize(pixels);
  if (pixels > 0)
    image.photons.read(pattern.box, HostView3<float>{pattern.photons.data(), pattern.box.size});
}

/// Adds up the information of all pixels.
class Information {
 public:
  Information(const SpotImage& image, double photons)
      : image_{image},
        spot_photons_{photons},
        counts_{image.camera},
        bin_{image.camera.exposure().binning},
        bright_(as_index(bin_ * bin_)) {}

  /// Adds the pixel that is read out and whose first pixel of the sensor is (y, x) of a plane of
  /// the pattern's box.
  void add(const SpotPattern& pattern, std::int64_t z, std::int64_t y, std::int64_t x) {
    const Index3& origin = pattern.box.origin;
    const std::int64_t out_y = (origin.y + y) / bin_, out_x = (origin.x + x) / bin_;
    const simulator::PhotonPointer photons{&pattern.photons[pattern.at(z, y, x)],
                                           pattern.box.size.x};
    if (counts_.range_used(out_y, out_x, photons) >= 1) return;
    const simulator::CountMoments seen = counts_.of(out_y, out_x, photons);
    if (!(seen.variance > 0)) return;
    Gradient gradient{};
    for (std::int64_t i = 0; i < bin_; ++i)
      for (std::int64_t j = 0; j < bin_; ++j) {
        const double dn_per_photon = response(out_y, out_x, photons, i, j, seen.mean);
        const double light = image_.illumination.at(origin.y + y + i, origin.x + x + j);
        const std::size_t at = pattern.at(z, y + i, x + j);
        for (std::size_t axis = 0; axis < 3; ++axis)
          gradient[axis] -= dn_per_photon * light * spot_photons_ * pattern.values[axis][at];
        gradient[3] += dn_per_photon * light * pattern.values[3][at];
        gradient[4] += dn_per_photon * light;
      }
    for (std::size_t a = 0; a < kUnknowns; ++a)
      for (std::size_t b = 0; b < kUnknowns; ++b)
        sums_[a][b] += gradient[a] * gradient[b] / seen.variance;
  }

  /// Returns the variances of the bound of all unknowns from `first` on; kUnknown if the image does
  /// not determine them.
  [[nodiscard]] Gradient variances(std::size_t first) const {
    Gradient variances;
    variances.fill(kUnknown);
    const std::size_t count = kUnknowns - first;
    // With ones on the diagonal the pivots do not depend on units
    std::vector<std::vector<double>> rows(count, std::vector<double>(2 * count, 0.0));
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b)
        rows[a][b] = sums_[first + a][first + b] /
                     std::sqrt(sums_[first + a][first + a] * sums_[first + b][first + b]);
      rows[a][count + a] = 1;
    }
    for (const auto& row : rows)
      if (!std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); }))
        return variances;
    if (!solve_linear(rows)) return variances;
    for (std::size_t a = 0; a < count; ++a)
      variances[first + a] = rows[a][count + a] / sums_[first + a][first + a];
    return variances;
  }

 private:
  /// Returns how much the mean count grows for each photon more in pixel (i, j) of the bin.
  double response(std::int64_t out_y, std::int64_t out_x, const simulator::PhotonPointer& photons,
                  std::int64_t i, std::int64_t j, double mean) {
    for (std::int64_t row = 0; row < bin_; ++row)
      std::copy_n(photons.first + row * photons.row, bin_,
                  bright_.begin() + static_cast<std::ptrdiff_t>(row * bin_));
    float& pixel = bright_[as_index(i * bin_ + j)];
    const float before = std::max(pixel, 0.0F);
    // Large beside the rounding of float32, small beside what bends a counter's response
    pixel = before + std::max(1.0F, 0.01F * before);
    const auto step = static_cast<double>(pixel - before);
    return (counts_.of(out_y, out_x, {bright_.data(), bin_}).mean - mean) / step;
  }

  const SpotImage& image_;
  double spot_photons_;
  simulator::ExpectedCounts counts_;
  std::int64_t bin_;
  std::vector<float> bright_;  ///< of one pixel that is read out
  std::array<Gradient, kUnknowns> sums_{};
};

simulator::Grid grid_of_light(const SpotImage& image) {
  return simulator::refined(image.grid, image.oversample);
}

SpotBound bound_of(const Spot& spot, const SpotImage& image, SpotPattern& pattern) {
  SpotBound bound;
  Spot ball = spot;
  if (!(ball.radius_um > 0)) ball.radius_um = 0;
  const simulator::Grid grid = grid_of_light(image);
  const RenderedSpot light = rendered(ball, grid);
  bound.light_um = light.centre_um;
  if (!(spot.photons > 0)) return bound;

  fill_pattern(pattern, light, image);
  Information information{image, spot.photons};
  const std::int64_t bin = image.camera.exposure().binning;
  for (std::int64_t z = 0; z < pattern.box.size.z; ++z)
    for (std::int64_t y = 0; y < pattern.box.size.y; y += bin)
      for (std::int64_t x = 0; x < pattern.box.size.x; x += bin) information.add(pattern, z, y, x);

  const std::size_t first = image.grid.extent.z == 1 ? 1 : 0;
  const Gradient variances = information.variances(first);
  const AlongZyx pitch{grid.pitch.z_um, grid.pitch.y_um, grid.pitch.x_um};
  for (std::size_t axis = first; axis < 3; ++axis)
    bound.sd_um[axis] = std::sqrt(variances[axis]) * pitch[axis];
  bound.photons_sd = std::sqrt(variances[3]);
  return bound;
}

/// Returns the most bytes of one pattern.
std::int64_t pattern_bytes(const std::vector<Spot>& spots, const std::vector<std::size_t>& which,
                           const SpotImage& image) {
  double radius = 0;
  for (const std::size_t spot : which)
    if (spots[spot].radius_um > radius) radius = spots[spot].radius_um;
  const simulator::Grid grid = grid_of_light(image);
  const std::int64_t bin = image.camera.exposure().binning;
  const auto length = [&](std::int64_t psf, double pitch, std::int64_t most) {
    const double lit = 2 * radius / pitch + 2;
    return std::min(most, psf + 2 * bin + static_cast<std::int64_t>(std::min(lit, 1e9)));
  };
  const Extent3& psf = image.psf.psf.extent;
  const Extent3 box{length(psf.z, grid.pitch.z_um, image.grid.extent.z),
                    length(psf.y, grid.pitch.y_um, image.grid.extent.y),
                    length(psf.x, grid.pitch.x_um, image.grid.extent.x)};
  constexpr std::int64_t kBytes = 4 * sizeof(double) + sizeof(float);
  return volume(box) * kBytes;
}

}  // namespace

std::vector<SpotBound> bounds_of(const std::vector<Spot>& spots,
                                 const std::vector<std::size_t>& which, const SpotImage& image,
                                 const RunContext& context) {
  const Reservation counted =
      context.memory.reserve(context.pool.threads() * pattern_bytes(spots, which, image) +
                                 std::ssize(which) * std::int64_t{sizeof(SpotBound)},
                             "information about spots");
  std::vector<SpotPattern> patterns(as_index(context.pool.threads()));
  std::vector<SpotBound> bounds(which.size());
  context.progress.begin("bounds of spots", std::ssize(which));
  context.pool.for_each(std::ssize(which), [&](std::int64_t i) {
    bounds[as_index(i)] =
        bound_of(spots[which[as_index(i)]], image, patterns[as_index(TaskPool::slot())]);
    context.progress.advance(1);
  });
  return bounds;
}

}  // namespace synthoscope::score
