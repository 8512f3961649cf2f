// SPDX-License-Identifier: MIT
#include "fit/objects/object_gaps.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace synthoscope::fit {
namespace {

using Surface = std::vector<SurfaceVoxel>;

constexpr std::size_t kSample = 48;  ///< voxels of a surface that give a first bound of a gap
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The empty length between two voxels or boxes along an axis.
double between(std::int64_t low, std::int64_t high, std::int64_t other_low, std::int64_t other_high,
               double pitch) {
  const std::int64_t steps = std::max({other_low - high, low - other_high, std::int64_t{1}}) - 1;
  return static_cast<double>(steps) * pitch;
}

double squared_gap(const SurfaceVoxel& a, const SurfaceVoxel& b, const VoxelSize& pitch) {
  const double z = between(a.z, a.z, b.z, b.z, pitch.z_um),
               y = between(a.y, a.y, b.y, b.y, pitch.y_um),
               x = between(a.x, a.x, b.x, b.x, pitch.x_um);
  return z * z + y * y + x * x;
}

double squared_gap(const Box3& a, const Box3& b, const VoxelSize& pitch) {
  const auto along = [](std::int64_t low, std::int64_t size, std::int64_t other_low,
                        std::int64_t other_size, double um) {
    return between(low, low + size - 1, other_low, other_low + other_size - 1, um);
  };
  const double z = along(a.origin.z, a.size.z, b.origin.z, b.size.z, pitch.z_um),
               y = along(a.origin.y, a.size.y, b.origin.y, b.size.y, pitch.y_um),
               x = along(a.origin.x, a.size.x, b.origin.x, b.size.x, pitch.x_um);
  return z * z + y * y + x * x;
}

/// Some voxels of a surface, evenly among its rows.
Surface sample_of(const Surface& surface) {
  if (surface.size() <= kSample) return surface;
  Surface sample;
  for (std::size_t i = 0; i < kSample; ++i) sample.push_back(surface[i * surface.size() / kSample]);
  return sample;
}

/// The voxels of a surface within a distance of a box, by ascending x.
Surface near(const Surface& surface, const Box3& box, double squared, const VoxelSize& pitch) {
  Surface found;
  for (const SurfaceVoxel& voxel : surface)
    if (squared_gap({{voxel.z, voxel.y, voxel.x}, {1, 1, 1}}, box, pitch) <= squared)
      found.push_back(voxel);
  std::sort(found.begin(), found.end(),
            [](const SurfaceVoxel& a, const SurfaceVoxel& b) { return a.x < b.x; });
  return found;
}

/// The least squared gap between two surfaces, if it is at most `most`; otherwise more than that.
double least_squared_gap(const Surface& a, const Surface& b, double most, const VoxelSize& pitch) {
  double least = std::nextafter(most, kInfinity);
  std::size_t begin = 0;
  for (const SurfaceVoxel& voxel : a) {
    // Voxels of b that are too far to the left of this one are so for all that follow
    const double reach = std::sqrt(least) / pitch.x_um + 2;
    while (begin < b.size() && voxel.x - b[begin].x > reach) ++begin;
    for (std::size_t i = begin; i < b.size() && b[i].x - voxel.x <= reach; ++i)
      least = std::min(least, squared_gap(voxel, b[i], pitch));
    if (least == 0) return 0;
  }
  return least;
}

/// An object that may be the nearest one.
struct Neighbour {
  std::size_t number = 0;
  double of_boxes = 0;  ///< squared gap
};

std::vector<Neighbour> neighbours_of(const LabelledObjects& all, std::size_t number) {
  std::vector<Neighbour> found;
  for (std::size_t other = 0; other < all.objects.size(); ++other)
    if (other != number)
      found.push_back(
          {other, squared_gap(all.objects[number].box, all.objects[other].box, all.grid.pitch)});
  std::sort(found.begin(), found.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.of_boxes < b.of_boxes || (a.of_boxes == b.of_boxes && a.number < b.number);
  });
  return found;
}

void measure_gap(LabelledObject& object, std::size_t number, const LabelledObjects& all,
                 const std::vector<Surface>& surfaces, const std::vector<Surface>& samples) {
  const VoxelSize& pitch = all.grid.pitch;
  const std::vector<Neighbour> neighbours = neighbours_of(all, number);
  double least = kInfinity;
  for (const Neighbour& other : neighbours) {
    if (other.of_boxes >= least) break;
    for (const SurfaceVoxel& a : samples[number])
      for (const SurfaceVoxel& b : samples[other.number])
        least = std::min(least, squared_gap(a, b, pitch));
  }
  object.touching = 0;
  for (const Neighbour& other : neighbours) {
    if (other.of_boxes > least) break;
    const double gap =
        least_squared_gap(near(surfaces[number], all.objects[other.number].box, least, pitch),
                          near(surfaces[other.number], object.box, least, pitch), least, pitch);
    least = std::min(least, gap);
    if (gap == 0) ++object.touching;
  }
  object.gap_um = std::sqrt(least);
}

}  // namespace

void measure_gaps(LabelledObjects& all, const std::vector<Surface>& surfaces,
                  const RunContext& context) {
  std::vector<Surface> samples;
  for (const Surface& surface : surfaces) samples.push_back(sample_of(surface));
  context.pool.for_each(static_cast<std::int64_t>(all.objects.size()), [&](std::int64_t i) {
    const auto number = static_cast<std::size_t>(i);
    measure_gap(all.objects[number], number, all, surfaces, samples);
  });
}

}  // namespace synthoscope::fit
