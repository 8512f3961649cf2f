// SPDX-License-Identifier: MIT
#include "simulator/phantom/cube_index.hpp"
#include <algorithm>

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMostCubes = std::int64_t{1} << 20, kMostPlaces = std::int64_t{1} << 22;

std::int64_t cubes_along(std::int64_t voxels, int bits) {
  return ((voxels - 1) >> bits) + 1;
}

std::int64_t cubes_of(const Extent3& extent, int bits) {
  return cubes_along(extent.z, bits) * cubes_along(extent.y, bits) * cubes_along(extent.x, bits);
}

}  // namespace

VoxelRange range_of(const Box3& box) {
  const auto [z, y, x] = box.origin;
  const auto narrow = [](std::int64_t voxel) { return static_cast<std::int32_t>(voxel); };
  return {{narrow(z), narrow(y), narrow(x)},
          {narrow(z + box.size.z), narrow(y + box.size.y), narrow(x + box.size.x)}};
}

VoxelRange intersection(const VoxelRange& a, const VoxelRange& b) {
  VoxelRange both;
  for (int axis = 0; axis < 3; ++axis) {
    both.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    both.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return both;
}

VoxelRange hull(const VoxelRange& a, const VoxelRange& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  VoxelRange all;
  for (int axis = 0; axis < 3; ++axis) {
    all.begin[axis] = std::min(a.begin[axis], b.begin[axis]);
    all.end[axis] = std::max(a.end[axis], b.end[axis]);
  }
  return all;
}

std::int64_t CubeIndex::lay_out_cubes(const Extent3& extent, int bits) {
  figures_.cube_bits = bits;
  figures_.cubes_y = cubes_along(extent.y, bits);
  figures_.cubes_x = cubes_along(extent.x, bits);
  return cubes_of(extent, bits);
}

bool CubeIndex::is_small_enough(std::int64_t cubes, std::int64_t places) {
  return (cubes <= kMostCubes && places <= kMostPlaces) || cubes == 1;
}

void CubeIndex::begin_lists(std::int64_t places) {
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  ids_.resize(static_cast<std::size_t>(places));
}

void CubeIndex::end_lists() {
  std::copy_backward(starts_.begin(), starts_.end() - 1, starts_.end());
  starts_.front() = 0;
}

std::int64_t CubeIndex::bytes() const {
  return static_cast<std::int64_t>(starts_.capacity() * sizeof starts_[0] +
                                   ids_.capacity() * sizeof ids_[0]);
}

std::int64_t CubeIndex::bytes(const Extent3& extent, int fewest_bits, std::int64_t count) {
  const std::int64_t cubes = cubes_of(extent, fewest_bits);
  const std::int64_t most = std::max(kMostPlaces, count);  // one entry each in a single cube
  return (std::min(cubes, kMostCubes) + 1) * std::int64_t{sizeof(std::int64_t)} +
         (count > most / cubes ? most : count * cubes) * std::int64_t{sizeof(std::int32_t)};
}

}  // namespace synthoscope::simulator
