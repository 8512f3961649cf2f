// SPDX-License-Identifier: MIT
#include "score/surfaces/surface_distance.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include "score/surfaces/distance_transform.hpp"

namespace synthoscope::score {
namespace {

/// Returns the places of the voxels at the surface of an object.
std::vector<std::size_t> surface_of(std::span<const std::uint8_t> object, const Extent3& e) {
  std::vector<std::size_t> surface;
  const std::int64_t plane = e.y * e.x;
  const auto is_inside = [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return z >= 0 && z < e.z && y >= 0 && y < e.y && x >= 0 && x < e.x &&
           object[static_cast<std::size_t>(z * plane + y * e.x + x)] != 0;
  };
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x) {
        if (!is_inside(z, y, x)) continue;
        const bool is_deep = is_inside(z, y, x - 1) && is_inside(z, y, x + 1) &&
                             is_inside(z, y - 1, x) && is_inside(z, y + 1, x) &&
                             (e.z == 1 || (is_inside(z - 1, y, x) && is_inside(z + 1, y, x)));
        if (!is_deep) surface.push_back(static_cast<std::size_t>(z * plane + y * e.x + x));
      }
  return surface;
}

/// Returns the distance of each voxel of `from` to the nearest one of `to`.
std::vector<double> distances(const std::vector<std::size_t>& from,
                              const std::vector<std::size_t>& to, const Extent3& extent,
                              const VoxelSize& pitch, std::vector<double>& field) {
  std::fill(field.begin(), field.end(), std::numeric_limits<double>::infinity());
  for (const std::size_t voxel : to) field[voxel] = 0;
  squared_distances(field, extent, pitch);
  std::vector<double> found;
  found.reserve(from.size());
  for (const std::size_t voxel : from) found.push_back(std::sqrt(field[voxel]));
  return found;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double share_within(const std::vector<double>& distances, double tolerance) {
  // Distances are square roots, and a tolerance is a number that somebody wrote
  constexpr double kRounding = 1e-12;
  const auto near = std::count_if(distances.begin(), distances.end(), [&](double distance) {
    return distance <= tolerance * (1 + kRounding);
  });
  return static_cast<double>(near) / static_cast<double>(distances.size());
}

/// Returns a percentile, linear between the sorted values.
double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

}  // namespace

SurfaceDistance surface_distance(const TwoObjects& objects, const VoxelSize& pitch,
                                 double tolerance_um) {
  const Extent3& extent = objects.extent;
  const auto truth = surface_of(objects.truth, extent);
  const auto result = surface_of(objects.result, extent);
  std::vector<double> field(objects.truth.size());
  const auto of_truth = distances(truth, result, extent, pitch, field);
  const auto of_result = distances(result, truth, extent, pitch, field);

  SurfaceDistance found;
  found.hausdorff_um = std::max(*std::max_element(of_truth.begin(), of_truth.end()),
                                *std::max_element(of_result.begin(), of_result.end()));
  found.mean_um = (mean_of(of_truth) + mean_of(of_result)) / 2;
  const double recall = share_within(of_truth, tolerance_um);
  const double precision = share_within(of_result, tolerance_um);
  found.boundary_f = recall + precision > 0 ? 2 * recall * precision / (recall + precision) : 0;
  std::vector<double> both = of_truth;
  both.insert(both.end(), of_result.begin(), of_result.end());
  found.hausdorff95_um = percentile(std::move(both), 0.95);
  return found;
}

std::int64_t surface_distance_bytes(std::int64_t voxels) {
  // The field, and for every voxel of two surfaces: its place, its distance, and both once more
  constexpr std::int64_t kOfVoxel = sizeof(double) + 2 * (sizeof(std::size_t) + 3 * sizeof(double));
  return voxels * kOfVoxel;
}

}  // namespace synthoscope::score
