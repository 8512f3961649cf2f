// SPDX-License-Identifier: MIT
#include "simulator/phantom/object_index.hpp"
#include <algorithm>
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMaxCubes = std::int64_t{1} << 20, kMaxPlaces = std::int64_t{1} << 22;

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
  return (cubes <= kMaxCubes && places <= kMaxPlaces) || cubes == 1;
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
  const std::int64_t most = std::max(kMaxPlaces, count);  // one entry each in a single cube
  return (std::min(cubes, kMaxCubes) + 1) * std::int64_t{sizeof(std::int64_t)} +
         (count > most / cubes ? most : count * cubes) * std::int64_t{sizeof(std::int32_t)};
}

ObjectIndex::ObjectIndex(const Phantom& phantom) : pitch_um_{phantom.grid.pitch.z_um} {
  entries_.reserve(static_cast<std::size_t>(phantom.count()));
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    const Bounds bounds = body.bounds();
    entries_.push_back({bounds.low[0], bounds.high[0], id});
    deepest_um_ = std::max(deepest_um_, bounds.high[0] - bounds.low[0]);
  });
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.low_um < b.low_um; });
}

std::vector<std::int64_t> ObjectIndex::near(const Box3& box) const {
  // Two voxels more on each side: one that rendering adds, one against rounding
  const auto edge_um = [&](std::int64_t z) { return static_cast<double>(z) * pitch_um_; };
  const double low = edge_um(box.origin.z - 2), high = edge_um(box.origin.z + box.size.z + 2);
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), low - deepest_um_,
                                [](const Entry& e, double um) { return e.low_um < um; });
  std::vector<std::int64_t> ids;
  for (; entry != entries_.end() && entry->low_um <= high; ++entry)
    if (entry->high_um >= low) ids.push_back(entry->id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace synthoscope::simulator
