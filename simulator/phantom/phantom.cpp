// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom.hpp"
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include "simulator/phantom/placement.hpp"
#include "simulator/phantom/sphere.hpp"
#include "simulator/phantom/texture.hpp"

namespace synthoscope::simulator {
namespace {

/// The voxels of `box` that a nucleus can reach, along one axis. One voxel is added on each side
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

Box3 reach(const Nucleus& nucleus, const VoxelSize& pitch, const Box3& box) {
  const Vector3& c = nucleus.centre();
  const Bounds b = bounds_of(nucleus);
  const auto [z0, z1] =
      reach(c[0] + b.low[0], c[0] + b.high[0], pitch.z_um, box.origin.z, box.size.z);
  const auto [y0, y1] =
      reach(c[1] + b.low[1], c[1] + b.high[1], pitch.y_um, box.origin.y, box.size.y);
  const auto [x0, x1] =
      reach(c[2] + b.low[2], c[2] + b.high[2], pitch.x_um, box.origin.x, box.size.x);
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

}  // namespace

std::int64_t phantom_bytes(const NucleiSpec& spec) {
  // Drawn and kept are there at once; the support lies apart
  const auto drawn = std::int64_t{sizeof(std::optional<Nucleus>)};
  const auto support = static_cast<std::int64_t>(separating_directions().size() * sizeof(double));
  return spec.count * (drawn + std::int64_t{sizeof(Nucleus)} + support);
}

Phantom make_phantom(const NucleiSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context) {
  require_valid(spec);
  context.progress.begin("phantom", spec.count);
  std::vector<std::optional<Nucleus>> drawn(static_cast<std::size_t>(spec.count));
  context.pool.for_each(spec.count, [&](std::int64_t i) {
    context.stop.check();
    drawn[static_cast<std::size_t>(i)] = Nucleus::draw(spec, seed, i);
    context.progress.advance(1);
  });
  Phantom phantom{grid, spec, {}};
  phantom.nuclei.reserve(drawn.size());
  for (auto& nucleus : drawn) phantom.nuclei.push_back(std::move(*nucleus));
  place(phantom.nuclei, spec, grid, seed, context.stop);
  return phantom;
}

void PhantomSource::read(const Box3& box, VoxelView out) {
  require_inside(phantom_, box, out);
  const auto photons = out.as<float>();
  const Grid& grid = phantom_.grid;
  const NucleiSpec& spec = phantom_.spec;
  const Vector3 pitch{grid.pitch.z_um, grid.pitch.y_um, grid.pitch.x_um};
  const double brightness = spec.photons_per_um3 * (pitch[0] * pitch[1] * pitch[2]);
  clear(photons);
  for (const Nucleus& nucleus : phantom_.nuclei) {
    const Box3 near = reach(nucleus, grid.pitch, box);
    if (!is_positive(near.size)) continue;
    const VoxelShape shape = nucleus.voxel_shape(pitch);
    Texture texture{nucleus.texture_seed(), spec.texture_wavelength_um,
                    static_cast<int>(spec.texture_octaves)};
    for_each_voxel(near, grid, box, photons, [&](const Vector3& centre, float& voxel) {
      const double covered = nucleus.coverage(centre, shape);
      if (covered == 0) return;
      const double t = texture(nucleus.to_own_frame(centre));
      const double density = brightness * (1 + spec.texture_contrast * t);
      voxel = static_cast<float>(voxel + covered * density);
    });
  }
}

void LabelSource::read(const Box3& box, VoxelView out) {
  require_inside(phantom_, box, out);
  const auto labels = out.as<std::uint16_t>();
  clear(labels);
  for (std::size_t i = 0; i < phantom_.nuclei.size(); ++i) {
    const auto id = static_cast<std::uint16_t>(i + 1);
    const Nucleus& nucleus = phantom_.nuclei[i];
    for_each_voxel(reach(nucleus, phantom_.grid.pitch, box), phantom_.grid, box, labels,
                   [&](const Vector3& centre, std::uint16_t& voxel) {
                     if (voxel == 0 && nucleus.contains(centre)) voxel = id;
                   });
  }
}

}  // namespace synthoscope::simulator
