// SPDX-License-Identifier: MIT
#include "studio/preview/region.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include "core/base/error.hpp"
#include "simulator/scene/blur_setup.hpp"

namespace synthoscope::studio {
namespace {

/// Returns the pixels along y and x after which pixels of all cameras begin.
std::int64_t common_binning(const std::vector<simulator::Channel>& channels) {
  std::int64_t all = 1;
  for (const simulator::Channel& one : channels) all = std::lcm(all, one.scene.camera.binning);
  return all;
}

/// A range of voxels along an axis.
struct VoxelRange {
  std::int64_t begin = 0, end = 0;
};

VoxelRange widened(std::int64_t origin, std::int64_t size, std::int64_t multiple) {
  return {origin / multiple * multiple, (origin + size + multiple - 1) / multiple * multiple};
}

Box3 middle_of(const Extent3& grid) {
  const Extent3 size{std::min(grid.z, kDefaultRegion.z), std::min(grid.y, kDefaultRegion.y),
                     std::min(grid.x, kDefaultRegion.x)};
  return {{(grid.z - size.z) / 2, (grid.y - size.y) / 2, (grid.x - size.x) / 2}, size};
}

/// Returns the voxels that a kernel of `size` reaches from a range, within `voxels`.
VoxelRange reached(std::int64_t origin, std::int64_t size, std::int64_t kernel, std::int64_t centre,
                   std::int64_t voxels) {
  return {std::max<std::int64_t>(0, origin - (kernel - 1 - centre)),
          std::min(voxels, origin + size + centre)};
}

}  // namespace

Box3 usable_region(const simulator::Grid& grid, const std::vector<simulator::Channel>& channels,
                   const std::optional<Box3>& asked) {
  const Box3 region = asked.value_or(middle_of(grid.extent));
  if (!contains(grid.extent, region) || volume(region.size) == 0)
    throw InvalidSpec(fmt::format(
        "preview the region {}: the grid has {} voxels along z, y and x; give a region in it",
        region, grid.extent));
  const std::int64_t bin = common_binning(channels);
  const VoxelRange y = widened(region.origin.y, region.size.y, bin),
                   x = widened(region.origin.x, region.size.x, bin);
  return {{region.origin.z, y.begin, x.begin}, {region.size.z, y.end - y.begin, x.end - x.begin}};
}

BlurWindow blur_window(const simulator::SceneSpec& scene, const Box3& region,
                       const simulator::PsfSize& psf) {
  const Extent3 blur = simulator::blur_grid(scene).extent;
  if (region == whole(scene.grid.extent)) return {whole(blur), simulator::recorded_part(scene)};
  const Extent3 margin = simulator::margin_of(scene);
  const std::int64_t n = scene.oversample;
  const Box3 fine{{region.origin.z + margin.z, n * (region.origin.y + margin.y),
                   n * (region.origin.x + margin.x)},
                  {region.size.z, n * region.size.y, n * region.size.x}};
  const VoxelRange z = reached(fine.origin.z, fine.size.z, psf.size.z, psf.centre.z, blur.z),
                   y = reached(fine.origin.y, fine.size.y, psf.size.y, psf.centre.y, blur.y),
                   x = reached(fine.origin.x, fine.size.x, psf.size.x, psf.centre.x, blur.x);
  const Index3 origin{z.begin, y.begin, x.begin};
  return {{origin, {z.end - z.begin, y.end - y.begin, x.end - x.begin}}, shifted(fine, origin, -1)};
}

Box3 with_reserve(const Box3& box, const Extent3& grid) {
  constexpr std::int64_t kReserve = 16;
  const auto wider = [](std::int64_t origin, std::int64_t size, std::int64_t voxels) {
    return VoxelRange{std::max<std::int64_t>(0, origin - kReserve),
                      std::min(voxels, origin + size + kReserve)};
  };
  const VoxelRange z = wider(box.origin.z, box.size.z, grid.z),
                   y = wider(box.origin.y, box.size.y, grid.y),
                   x = wider(box.origin.x, box.size.x, grid.x);
  return {{z.begin, y.begin, x.begin}, {z.end - z.begin, y.end - y.begin, x.end - x.begin}};
}

}  // namespace synthoscope::studio
