// SPDX-License-Identifier: MIT
#include "simulator/timelapse/seen.hpp"
#include <cmath>
#include "simulator/phantom/reach.hpp"

namespace synthoscope::simulator {
namespace {

/// The voxel that holds a point, if the grid has it.
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

/// Whether an object of lower id has the voxel.
bool is_taken(const Phantom& phantom, const ObjectIndex& index, std::int64_t id,
              const Index3& voxel, const Vector3& centre) {
  bool taken = false;
  for (const std::int64_t other : index.near({voxel, {1, 1, 1}})) {
    if (other >= id || taken) break;
    visit_object(phantom, other,
                 [&](std::int64_t, const auto& body) { taken = body.contains(centre); });
  }
  return taken;
}

}  // namespace

std::vector<bool> objects_seen(const Phantom& phantom) {
  const ObjectIndex index{phantom};
  std::vector<bool> seen;
  seen.reserve(static_cast<std::size_t>(phantom.count()));
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    const auto is_its = [&](const Index3& voxel) {
      const Vector3 centre = vector_of(centre_of(phantom.grid, voxel));
      return body.contains(centre) && !is_taken(phantom, index, id, voxel, centre);
    };
    // Most have the voxel in their middle; else any will do
    Index3 middle;
    if (voxel_at(phantom.grid, body.centroid(), middle) && is_its(middle)) {
      seen.push_back(true);
      return;
    }
    const Box3 near = voxels_reached(body.bounds(), phantom.grid.pitch, whole(phantom.grid.extent));
    bool found = false;
    for (std::int64_t z = 0; z < near.size.z && !found; ++z)
      for (std::int64_t y = 0; y < near.size.y && !found; ++y)
        for (std::int64_t x = 0; x < near.size.x && !found; ++x)
          found = is_its({near.origin.z + z, near.origin.y + y, near.origin.x + x});
    seen.push_back(found);
  });
  return seen;
}

}  // namespace synthoscope::simulator
