// SPDX-License-Identifier: MIT
#include "fit/edges/halo_levels.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::int64_t kParts = 4;  ///< along y and x
constexpr std::int64_t kMostHaloPlanes = 8;

/// Squares of the distances of all pixels of a plane to the nearest object, in pixels along x.
std::vector<double> squares_to_objects(const LabelledImage& image, std::int64_t plane) {
  const Extent3& e = image.grid.extent;
  std::vector<double> field(static_cast<std::size_t>(e.y * e.x),
                            std::numeric_limits<double>::infinity());
  const std::uint32_t* const labels = image.labels.view().row(plane, 0);
  for (std::size_t i = 0; i < field.size(); ++i)
    if (labels[i] != 0) field[i] = 0;
  score::squared_distances(field, {1, e.y, e.x},
                           {1, image.grid.pitch.y_um / image.grid.pitch.x_um, 1});
  return field;
}

void count_pixel(double squared, double value, double reach, HaloSums& sums) {
  if (squared == 0) {
    sums.inside_light += value;
    sums.inside_pixels += 1;
    return;
  }
  const double distance = std::sqrt(squared) / reach;
  for (std::size_t i = 0; i < kHaloRings; ++i)
    if (distance >= kHaloReaches[i] && distance < kHaloReaches[i + 1]) {
      sums.light[i] += value;
      sums.pixels[i] += 1;
    }
}

}  // namespace

HaloSums& HaloSums::operator+=(const HaloSums& other) {
  for (std::size_t i = 0; i < kHaloRings; ++i) {
    light[i] += other.light[i];
    pixels[i] += other.pixels[i];
  }
  inside_light += other.inside_light;
  inside_pixels += other.inside_pixels;
  return *this;
}

std::vector<HaloSums> halo_sums(const LabelledImage& image, double reach) {
  const Extent3& e = image.grid.extent;
  std::vector<HaloSums> parts(kParts * kParts);
  const std::int64_t step = (e.z + kMostHaloPlanes - 1) / kMostHaloPlanes;
  for (std::int64_t z = step / 2; z < e.z; z += step) {
    const std::vector<double> squares = squares_to_objects(image, z);
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x) {
        const std::int64_t part = y * kParts / e.y * kParts + x * kParts / e.x;
        count_pixel(squares[static_cast<std::size_t>(y * e.x + x)],
                    static_cast<double>(image.counts.view()(z, y, x)), reach,
                    parts[static_cast<std::size_t>(part)]);
      }
  }
  return parts;
}

std::vector<double> halo_of(const HaloSums& sums, std::size_t rings) {
  std::vector<double> halo(rings - 1);
  if (sums.inside_pixels == 0 || sums.pixels[rings - 1] == 0) return halo;
  const double far = sums.light[rings - 1] / sums.pixels[rings - 1];
  const double inside = sums.inside_light / sums.inside_pixels - far;
  for (std::size_t i = 0; i < halo.size(); ++i)
    if (sums.pixels[i] > 0 && inside > 0) halo[i] = (sums.light[i] / sums.pixels[i] - far) / inside;
  return halo;
}

}  // namespace synthoscope::fit
