// SPDX-License-Identifier: MIT
#include "score/spots/psf_slopes.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"

namespace synthoscope::score {
namespace {

constexpr std::int64_t kSlopeReach = 8;
constexpr double kKeptInformation = 0.99;
/// Below this, light is error of rounding in the PSF.
constexpr double kLeastBackground = 1e-5;

/// Weights of f(+k) - f(-k) for k from 1 on: (-1)^(k + 1) m!^2 / (k (m - k)! (m + k)!).
std::array<double, kSlopeReach> slope_weights() {
  std::array<double, kSlopeReach> weights{};
  double ratio = 1;  // m!^2 / ((m - k)! (m + k)!)
  for (std::int64_t k = 1; k <= kSlopeReach; ++k) {
    ratio *= static_cast<double>(kSlopeReach - k + 1) / static_cast<double>(kSlopeReach + k);
    weights[as_index(k - 1)] = (k % 2 == 1 ? ratio : -ratio) / static_cast<double>(k);
  }
  return weights;
}

/// Returns the derivative along one axis, whose neighbours are `step` voxels apart in memory.
Volume<float> slope_along(const Volume<float>& psf, std::size_t axis, TaskPool& pool) {
  const Extent3& e = psf.extent;
  const std::int64_t length = std::array{e.z, e.y, e.x}[axis];
  const std::int64_t step = std::array{e.y * e.x, e.x, std::int64_t{1}}[axis];
  Volume<float> slope{e};
  if (length == 1) return slope;
  const auto weights = slope_weights();
  pool.for_each(e.z * e.y, [&](std::int64_t row) {
    for (std::int64_t x = 0; x < e.x; ++x) {
      const std::int64_t voxel = row * e.x + x;
      const std::int64_t at = std::array{row / e.y, row % e.y, x}[axis];
      double sum = 0;
      for (std::int64_t k = 1; k <= kSlopeReach; ++k) {
        const std::int64_t after = std::min(at + k, length - 1) - at;
        const std::int64_t before = std::max(at - k, std::int64_t{0}) - at;
        sum += weights[as_index(k - 1)] *
               (static_cast<double>(psf.voxels[as_index(voxel + after * step)]) -
                static_cast<double>(psf.voxels[as_index(voxel + before * step)]));
      }
      slope.voxels[as_index(voxel)] = static_cast<float>(sum);
    }
  });
  return slope;
}

/// Returns how far from the centre along an axis its share of the information lies.
std::int64_t reach_of(const std::vector<double>& profile, std::int64_t centre) {
  double all = 0;
  for (const double part : profile) all += part;
  const std::int64_t length = std::ssize(profile);
  std::int64_t reach = 0;
  double within = profile[as_index(centre)];
  // Three axes lose a third each
  while (within < (1 - (1 - kKeptInformation) / 3) * all && reach < length) {
    ++reach;
    if (centre - reach >= 0) within += profile[as_index(centre - reach)];
    if (centre + reach < length) within += profile[as_index(centre + reach)];
  }
  return reach;
}

/// Returns the box that holds most of the information about the position along each axis.
Box3 informative_box(const PsfSlopes& all, double background) {
  const Extent3& e = all.psf.extent;
  const double peak =
      static_cast<double>(*std::max_element(all.psf.voxels.begin(), all.psf.voxels.end()));
  if (!(peak > 0))
    throw InvalidInput("read the PSF of a data set: it has no light; simulate the scene again");
  const std::array<std::int64_t, 3> centre{all.centre.z, all.centre.y, all.centre.x};
  std::array<std::int64_t, 3> reach{};
  for (const Volume<float>& slope : all.slopes) {
    std::array<std::vector<double>, 3> profiles{std::vector<double>(as_index(e.z)),
                                                std::vector<double>(as_index(e.y)),
                                                std::vector<double>(as_index(e.x))};
    std::size_t i = 0;
    for (std::int64_t z = 0; z < e.z; ++z)
      for (std::int64_t y = 0; y < e.y; ++y)
        for (std::int64_t x = 0; x < e.x; ++x, ++i) {
          const auto s = static_cast<double>(slope.voxels[i]);
          const double light = std::max(0.0, static_cast<double>(all.psf.voxels[i]));
          const double part = s * s / (light + std::max(background, kLeastBackground) * peak);
          profiles[0][as_index(z)] += part;
          profiles[1][as_index(y)] += part;
          profiles[2][as_index(x)] += part;
        }
    for (std::size_t axis = 0; axis < 3; ++axis)
      reach[axis] = std::max(reach[axis], reach_of(profiles[axis], centre[axis]));
  }
  const Box3 box{{centre[0] - reach[0], centre[1] - reach[1], centre[2] - reach[2]},
                 {2 * reach[0] + 1, 2 * reach[1] + 1, 2 * reach[2] + 1}};
  return intersection(box, whole(e));
}

Volume<float> cut_out(const Volume<float>& volume, const Box3& box) {
  Volume<float> part{box.size};
  for_each_run(volume.extent, box, box.size.x,
               [&](std::int64_t from, std::int64_t to, std::int64_t count) {
                 std::copy_n(volume.voxels.begin() + from, count, part.voxels.begin() + to);
               });
  return part;
}

}  // namespace

PsfSlopes slopes_of(Source& psf, const Index3& centre, double background,
                    const RunContext& context) {
  PsfSlopes all;
  const std::int64_t bytes = volume(psf.extent()) * std::int64_t{sizeof(float)};
  // While a volume is cut, it is there twice
  all.counted = context.memory.reserve(5 * bytes, "slopes of a PSF");
  all.psf = read_all<float>(psf);
  all.centre = centre;
  for (std::size_t axis = 0; axis < 3; ++axis)
    all.slopes[axis] = slope_along(all.psf, axis, context.pool);
  const Box3 box = informative_box(all, background);
  all.psf = cut_out(all.psf, box);
  for (Volume<float>& slope : all.slopes) slope = cut_out(slope, box);
  all.centre = {centre.z - box.origin.z, centre.y - box.origin.y, centre.x - box.origin.x};
  return all;
}

}  // namespace synthoscope::score
