// SPDX-License-Identifier: MIT
// simulator/phantom/render.cpp — light and labels of any box of a phantom.
#include <algorithm>
#include <numeric>
#include <utility>
#include "simulator/phantom/device_phantom.hpp"
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {
namespace {

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

/// Adds `brightness` times the light of strands to the voxels of `box`.
void add_light(const PlacedStrands& placed, const PlainStrand& strand, double brightness,
               const Grid& grid, const Box3& box, HostView3<float> photons) {
  const Vector3 pitch = vector_of(grid.pitch);
  placed.for_each_voxel(
      strand, box, [&](std::int64_t z, std::int64_t y, std::int64_t x, const auto& pieces) {
        float& voxel = photons(z - box.origin.z, y - box.origin.y, x - box.origin.x);
        const double share = strand_share(
            static_cast<int>(pieces.size()),
            [&](int i) { return pieces[static_cast<std::size_t>(i)]; },
            vector_of(centre_of(grid, {z, y, x})), pitch);
        voxel = static_cast<float>(voxel + brightness * (strand.photons * share));
      });
}

/// Marks the voxels of `box` whose centres lie in a strand and that have no label yet.
void mark(const PlacedStrands& placed, const PlainStrand& strand, std::uint16_t label,
          const Grid& grid, const Box3& box, HostView3<std::uint16_t> labels) {
  placed.for_each_voxel(
      strand, box, [&](std::int64_t z, std::int64_t y, std::int64_t x, const auto& pieces) {
        std::uint16_t& voxel = labels(z - box.origin.z, y - box.origin.y, x - box.origin.x);
        const Vector3 centre = vector_of(centre_of(grid, {z, y, x}));
        if (voxel == 0 && std::any_of(pieces.begin(), pieces.end(), [&](const StrandPiece* piece) {
              return contains(*piece, centre);
            }))
          voxel = label;
      });
}

}  // namespace

PhantomSource::PhantomSource(const Phantom& phantom, const LightSpec& light)
    : phantom_{phantom}, light_{light}, index_{phantom}, strands_{phantom} {}

std::unique_ptr<cuda::DeviceSource> PhantomSource::make_on_device() {
  return device::make_device_light(phantom_, light_);
}

ObjectLight PhantomSource::light_of_object(std::int64_t id) const {
  return phantom_.lights.empty() ? ObjectLight{}
                                 : phantom_.lights[static_cast<std::size_t>(id - 1)];
}

void PhantomSource::read(const Box3& box, VoxelView out) {
  require_inside(phantom_, box, out);
  const auto photons = out.as<float>();
  const Grid& grid = phantom_.grid;
  clear(photons);
  const auto add = [&]<class T>(std::int64_t id, const T& body) {
    const ObjectLight own = light_of_object(id);
    if constexpr (!IsStrands<T>) {
      const Box3 near = voxels_reached(core_bounds(body), grid.pitch, box);
      if (weight_of(light_, body) > 0 && is_positive(near.size)) {
        auto light = light_of(body, id, phantom_, vector_of(grid.pitch), light_);
        for_each_voxel(near, grid, box, photons, [&](const Vector3& centre, float& voxel) {
          voxel = static_cast<float>(voxel + phantom_.brightness * own.at(centre) * light(centre));
        });
      }
    }
    if constexpr (HasStrands<T>)
      for (PlainStrand strand : strands_.of_object(id)) {
        strand.photons *= weight_of(light_, body, strand.structure);
        if (strand.photons > 0)
          add_light(strands_, strand, phantom_.brightness * own.factor, grid, box, photons);
      }
  };
  for (const std::int64_t id : index_.near(box)) visit_object(phantom_, id, add);
  add_light_of_no_object(box, photons);
}

void PhantomSource::add_light_of_no_object(const Box3& box, HostView3<float> photons) const {
  const Vector3 pitch = vector_of(phantom_.grid.pitch);
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::light_of_no_object(phantom_, light_); }) {
      const auto light = Kind::light_of_no_object(phantom_, light_);
      if (!light) return;
      const Box3 near = voxels_reached(bounds_of(light->lattice), phantom_.grid.pitch, box);
      for_each_voxel(near, phantom_.grid, box, photons, [&](const Vector3& centre, float& voxel) {
        voxel = static_cast<float>(voxel + phantom_.brightness * light->photons_in(centre, pitch));
      });
    }
  });
}

std::vector<std::uint16_t> LabelSource::ids_of(const Phantom& phantom) {
  std::vector<std::uint16_t> ids(static_cast<std::size_t>(phantom.count()));
  std::iota(ids.begin(), ids.end(), std::uint16_t{1});
  return ids;
}

LabelSource::LabelSource(const Phantom& phantom, std::vector<std::uint16_t> labels)
    : phantom_{phantom}, labels_{std::move(labels)}, index_{phantom}, strands_{phantom} {
  SYNTHOSCOPE_ASSERT(static_cast<std::int64_t>(labels_.size()), ==, phantom.count());
}

std::unique_ptr<cuda::DeviceSource> LabelSource::make_on_device() {
  return device::make_device_labels(phantom_, labels_);
}

void LabelSource::read(const Box3& box, VoxelView out) {
  require_inside(phantom_, box, out);
  const auto labels = out.as<std::uint16_t>();
  clear(labels);
  const auto mark_object = [&]<class T>(std::int64_t id, const T& body) {
    const std::uint16_t label = labels_[static_cast<std::size_t>(id - 1)];
    if constexpr (!IsStrands<T>)
      for_each_voxel(voxels_reached(core_bounds(body), phantom_.grid.pitch, box), phantom_.grid,
                     box, labels, [&](const Vector3& centre, std::uint16_t& voxel) {
                       if (voxel == 0 && core_contains(body, centre)) voxel = label;
                     });
    if constexpr (HasStrands<T>)
      for (const PlainStrand& strand : strands_.of_object(id))
        if (strand.is_labelled) mark(strands_, strand, label, phantom_.grid, box, labels);
  };
  for (const std::int64_t id : index_.near(box)) visit_object(phantom_, id, mark_object);
}

}  // namespace synthoscope::simulator
