// SPDX-License-Identifier: MIT
// simulator/phantom/render.cpp — light and labels of any box of a phantom.
#include <algorithm>
#include <cmath>
#include <utility>
#include "simulator/phantom/phantom.hpp"
#include "simulator/phantom/stain.hpp"

namespace synthoscope::simulator {
namespace {

/// The voxels of `box` that an object can reach, along one axis. One voxel is added on each side
/// against rounding.
std::pair<std::int64_t, std::int64_t> reach(double low_um, double high_um, double pitch_um,
                                            std::int64_t origin, std::int64_t size) {
  const auto clipped = [&](double voxel) {
    return std::clamp(voxel, static_cast<double>(origin), static_cast<double>(origin + size));
  };
  const auto begin = static_cast<std::int64_t>(clipped(std::floor(low_um / pitch_um) - 1));
  const auto end = static_cast<std::int64_t>(clipped(std::ceil(high_um / pitch_um) + 1));
  return {begin, std::max(begin, end)};
}

Box3 reach(const Bounds& b, const VoxelSize& pitch, const Box3& box) {
  const auto [z0, z1] = reach(b.low[0], b.high[0], pitch.z_um, box.origin.z, box.size.z);
  const auto [y0, y1] = reach(b.low[1], b.high[1], pitch.y_um, box.origin.y, box.size.y);
  const auto [x0, x1] = reach(b.low[2], b.high[2], pitch.x_um, box.origin.x, box.size.x);
  return {{z0, y0, x0}, {z1 - z0, y1 - y0, x1 - x0}};
}

/// Calls `visit(centre, voxel)` for the voxels of `near`, a part of `box`.
template <class T, class Visit>
void for_each_voxel(const Box3& near, const Grid& grid, const Box3& box, HostView3<T> out,
                    Visit&& visit) {
  for (std::int64_t z = near.origin.z; z < near.origin.z + near.size.z; ++z)
    for (std::int64_t y = near.origin.y; y < near.origin.y + near.size.y; ++y) {
      T* row = out.row(z - box.origin.z, y - box.origin.y) - box.origin.x;
      for (std::int64_t x = near.origin.x; x < near.origin.x + near.size.x; ++x)
        visit(vector_of(centre_of(grid, {z, y, x})), row[x]);
    }
}

template <class T>
void clear(HostView3<T> out) {
  for (std::int64_t z = 0; z < out.extent().z; ++z)
    for (std::int64_t y = 0; y < out.extent().y; ++y)
      std::fill_n(out.row(z, y), out.extent().x, T{});
}

void require_inside(const Phantom& phantom, const Box3& box, const VoxelView& out) {
  SYNTHOSCOPE_ASSERT(contains(phantom.grid.extent, box), ==, true);
  SYNTHOSCOPE_ASSERT(box.size, ==, out.extent());
}

/// Part of a voxel that lies in a nucleus and in none of those before it.
class OwnCoverage {
 public:
  OwnCoverage(const Phantom& phantom, std::size_t number, const Vector3& pitch)
      : nucleus_{phantom.nuclei[number]}, voxel_{nucleus_.voxel_shape(pitch)} {
    if (phantom.overlapped.empty()) return;
    for (const std::size_t other : phantom.overlapped[number])
      before_.emplace_back(&phantom.nuclei[other], phantom.nuclei[other].voxel_shape(pitch));
  }

  [[nodiscard]] double operator()(const Vector3& centre) const {
    const double covered = nucleus_.coverage(centre, voxel_);
    if (covered == 0) return 0;
    for (const auto& [nucleus, voxel] : before_)
      if (nucleus->coverage(centre, voxel) > 0)
        return sampled_share(centre, voxel_.pitch, [&](const Vector3& p) { return owns(p); });
    return covered;
  }

 private:
  [[nodiscard]] bool owns(const Vector3& p) const {
    return nucleus_.contains(p) && std::none_of(before_.begin(), before_.end(), [&](const auto& b) {
             return b.first->contains(p);
           });
  }
  const Nucleus& nucleus_;
  NucleusVoxel voxel_;
  std::vector<std::pair<const Nucleus*, NucleusVoxel>> before_;
};

/// What a voxel around a centre receives of object `id`: made once per object and box.
auto light_of(const Nucleus& nucleus, std::int64_t id, const Phantom& phantom,
              const Vector3& pitch) {
  const NucleiSpec& spec = phantom.spec.nuclei;
  return [coverage = OwnCoverage{phantom, static_cast<std::size_t>(id - 1), pitch},
          stain = Stain{nucleus, spec},
          photons = spec.photons_per_um3 *
                    (pitch[0] * pitch[1] * pitch[2])](const Vector3& centre) mutable {
    const double covered = coverage(centre);
    return covered == 0 ? 0.0 : covered * (photons * stain(centre));
  };
}

auto light_of(const Bead& bead, std::int64_t, const Phantom&, const Vector3& pitch) {
  return [&bead, pitch, photons = bead.photons_per_um3 * (pitch[0] * pitch[1] * pitch[2])](
             const Vector3& centre) {
    return photons * ball_share(bead.centre, bead.radius_um, centre, pitch);
  };
}

auto light_of(const PointTarget& point, std::int64_t, const Phantom&, const Vector3&) {
  return [&point](const Vector3& centre) { return point.contains(centre) ? point.photons : 0.0; };
}

/// Of lines, shells and stars.
template <class Member>
auto light_of(const Member& member, std::int64_t, const Phantom&, const Vector3& pitch) {
  return [&member, pitch, photons = member.photons_per_um3 * (pitch[0] * pitch[1] * pitch[2])](
             const Vector3& centre) { return photons * member.share(centre, pitch); };
}

}  // namespace

void PhantomSource::read(const Box3& box, VoxelView out) {
  require_inside(phantom_, box, out);
  const auto photons = out.as<float>();
  const Grid& grid = phantom_.grid;
  clear(photons);
  const auto add = [&](std::int64_t id, const auto& body) {
    const Box3 near = reach(body.bounds(), grid.pitch, box);
    if (!is_positive(near.size)) return;
    auto light = light_of(body, id, phantom_, vector_of(grid.pitch));
    for_each_voxel(near, grid, box, photons, [&](const Vector3& centre, float& voxel) {
      voxel = static_cast<float>(voxel + light(centre));
    });
  };
  for (const std::int64_t id : index_.near(box)) visit_object(phantom_, id, add);
}

void LabelSource::read(const Box3& box, VoxelView out) {
  require_inside(phantom_, box, out);
  const auto labels = out.as<std::uint16_t>();
  clear(labels);
  const auto mark = [&](std::int64_t id, const auto& body) {
    const Box3 near = reach(body.bounds(), phantom_.grid.pitch, box);
    for_each_voxel(near, phantom_.grid, box, labels,
                   [&](const Vector3& centre, std::uint16_t& voxel) {
                     if (voxel == 0 && body.contains(centre))
                       voxel = static_cast<std::uint16_t>(id);
                   });
  };
  for (const std::int64_t id : index_.near(box)) visit_object(phantom_, id, mark);
}

}  // namespace synthoscope::simulator
