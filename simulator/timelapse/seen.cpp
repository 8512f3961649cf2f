// SPDX-License-Identifier: MIT
#include "simulator/timelapse/seen.hpp"
#include <array>
#include <atomic>
#include <cmath>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/footprint_source.hpp"
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/object_index.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kMinCubeBits = 4;  // of the edge of a cube, in voxels

/// Finds the voxel that holds a point. Returns false if the point is outside the grid.
bool voxel_at(const Grid& grid, const Vector3& point, Index3& voxel) {
  const Vector3 pitch = vector_of(grid.pitch);
  std::array<double, 3> place{};
  for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = std::floor(point[axis] / pitch[axis]);
  const auto [z, y, x] = place;
  if (!(z >= 0 && y >= 0 && x >= 0)) return false;
  if (!(z < static_cast<double>(grid.extent.z) && y < static_cast<double>(grid.extent.y) &&
        x < static_cast<double>(grid.extent.x)))
    return false;
  voxel = {static_cast<std::int64_t>(z), static_cast<std::int64_t>(y),
           static_cast<std::int64_t>(x)};
  return true;
}

/// Returns the voxels that each object can touch, in the order of ids.
std::vector<VoxelRange> ranges_of(const Phantom& phantom) {
  std::vector<VoxelRange> ranges;
  ranges.reserve(static_cast<std::size_t>(phantom.count()));
  for_each_object(phantom, [&](std::int64_t, const auto& body) {
    ranges.push_back(
        range_of(voxels_reached(body.bounds(), phantom.grid.pitch, whole(phantom.grid.extent))));
  });
  return ranges;
}

/// A search for a voxel of each object that no object of lower id has.
class Seeing {
 public:
  explicit Seeing(const Phantom& phantom)
      : phantom_{phantom},
        ranges_{ranges_of(phantom)},
        index_{phantom.grid.extent, kMinCubeBits, phantom.count(),
               [this](std::int64_t i) { return ranges_[static_cast<std::size_t>(i)]; }} {}

  [[nodiscard]] bool is_seen(std::int64_t id) const {
    bool seen = false;
    visit_object(phantom_, id, [&](std::int64_t, const auto& body) { seen = shows(id, body); });
    return seen;
  }

 private:
  template <class Body>
  [[nodiscard]] bool shows(std::int64_t id, const Body& body) const {
    const auto is_its = [&](const Index3& voxel) {
      const Vector3 centre = vector_of(centre_of(phantom_.grid, voxel));
      return body.contains(centre) && !is_taken(id, voxel, centre);
    };
    const auto holds_voxel_of = [&](const Vector3& point) {
      Index3 voxel;
      return voxel_at(phantom_.grid, point, voxel) && is_its(voxel);
    };
    // Most objects have the voxel in their middle; objects that are only tubes have one on an axis
    if (holds_voxel_of(body.centroid())) return true;
    if constexpr (IsStrands<Body>)
      for (const StainedStrand& stained : body.strands())
        for (const Segment& segment : stained.strand.segments())
          if (holds_voxel_of(0.5 * (segment.from + segment.to))) return true;
    // Otherwise any voxel will do
    const VoxelRange& near = ranges_[static_cast<std::size_t>(id - 1)];
    for (std::int64_t z = near.begin[0]; z < near.end[0]; ++z)
      for (std::int64_t y = near.begin[1]; y < near.end[1]; ++y)
        for (std::int64_t x = near.begin[2]; x < near.end[2]; ++x)
          if (is_its({z, y, x})) return true;
    return false;
  }

  /// Returns whether an object of lower id has the voxel.
  [[nodiscard]] bool is_taken(std::int64_t id, const Index3& voxel, const Vector3& centre) const {
    const CubeLists lists = index_.lists();
    const std::int64_t cube = lists.cube(voxel.z, voxel.y, voxel.x);
    bool taken = false;
    for (std::int64_t at = lists.starts[cube]; at < lists.starts[cube + 1] && !taken; ++at) {
      const std::int64_t other = lists.ids[at] + 1;  // ids count from 1
      if (other >= id) break;
      if (ranges_[static_cast<std::size_t>(other - 1)].has(voxel.z, voxel.y, voxel.x))
        visit_object(phantom_, other,
                     [&](std::int64_t, const auto& body) { taken = body.contains(centre); });
    }
    return taken;
  }

  const Phantom& phantom_;
  std::vector<VoxelRange> ranges_;
  CubeIndex index_;
};

/// Renders footprints row by row.
std::vector<char> seen_in_footprints(const Phantom& phantom, std::int64_t margin,
                                     const RunContext& context) {
  std::vector<std::uint16_t> ids(static_cast<std::size_t>(phantom.count()));
  std::iota(ids.begin(), ids.end(), std::uint16_t{1});
  FootprintSource footprints{phantom, ids, margin};
  std::vector<std::atomic<char>> seen(ids.size());
  const Extent3 row{1, 1, phantom.grid.extent.x};
  context.pool.for_each(phantom.grid.extent.y, [&](std::int64_t y) {
    context.stop.check();
    Volume<std::uint16_t> labels{row};
    footprints.read({{0, y, 0}, row}, VoxelView{labels.view()});
    for (const std::uint16_t id : labels.voxels)
      if (id > 0) seen[id - std::size_t{1}].store(1, std::memory_order_relaxed);
  });
  return {seen.begin(), seen.end()};
}

}  // namespace

std::int64_t seeing_bytes(std::int64_t objects, const Grid& grid) {
  return objects * std::int64_t{sizeof(VoxelRange) + 2} +
         CubeIndex::bytes(grid.extent, kMinCubeBits, objects);
}

std::vector<bool> objects_seen(const Phantom& phantom, const RunContext& context, MaskKind masks,
                               std::int64_t margin) {
  if (masks == MaskKind::footprint) {
    const auto seen = seen_in_footprints(phantom, margin, context);
    return {seen.begin(), seen.end()};
  }
  const Seeing seeing{phantom};
  // Threads write side by side, which the bits of vector<bool> do not allow
  std::vector<char> seen(static_cast<std::size_t>(phantom.count()));
  context.pool.for_each(phantom.count(), [&](std::int64_t i) {
    context.stop.check();
    seen[static_cast<std::size_t>(i)] = seeing.is_seen(i + 1) ? 1 : 0;
  });
  return {seen.begin(), seen.end()};
}

}  // namespace synthoscope::simulator
