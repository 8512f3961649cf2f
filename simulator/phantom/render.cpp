// SPDX-License-Identifier: MIT
// simulator/phantom/render.cpp — light and labels of any box of a phantom.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include "simulator/phantom/device_phantom.hpp"
#include "simulator/phantom/geometry/reach.hpp"
#include "simulator/phantom/light_of_kind.hpp"
#include "simulator/phantom/nuclei/nucleus_light.hpp"
#include "simulator/phantom/nuclei/stain.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/phantom/tissue/tissue_light.hpp"

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

/// own_coverage of one nucleus.
class OwnCoverage {
 public:
  OwnCoverage(const Phantom& phantom, std::size_t number, const Vector3& pitch) : pitch_{pitch} {
    if (!phantom.overlapped.empty())
      for (const std::size_t other : phantom.overlapped[number])
        voxels_.push_back(phantom.nuclei[other].voxel_shape(pitch));
    voxels_.push_back(phantom.nuclei[number].voxel_shape(pitch));
    for (std::size_t i = 0; i + 1 < voxels_.size(); ++i)
      nuclei_.push_back(
          {phantom.nuclei[phantom.overlapped[number][i]].shape(), voxels_[i].lobes.data()});
    nuclei_.push_back({phantom.nuclei[number].shape(), voxels_.back().lobes.data()});
  }

  [[nodiscard]] double operator()(const Vector3& centre) const {
    return own_coverage(
        nuclei_.back(), static_cast<int>(nuclei_.size()) - 1,
        [&](int i) -> const NucleusAtPitch& { return nuclei_[static_cast<std::size_t>(i)]; },
        centre, pitch_);
  }

 private:
  Vector3 pitch_;
  std::vector<NucleusVoxel> voxels_;    ///< of the nuclei before it, then its own
  std::vector<NucleusAtPitch> nuclei_;  ///< in the order of voxels_
};

/// Returns a function of the centre of a voxel: the light that the voxel receives from object `id`.
/// Made once per object and box.
auto light_of(const Nucleus& nucleus, std::int64_t id, const Phantom& phantom, const Vector3& pitch,
              const LightSpec& seen) {
  const NucleiSpec& spec = phantom.spec.nuclei;
  return [coverage = OwnCoverage{phantom, static_cast<std::size_t>(id - 1), pitch},
          stain = Stain{nucleus, spec},
          photons = spec.photons_per_um3 * seen.nuclei *
                    (pitch[0] * pitch[1] * pitch[2])](const Vector3& centre) mutable {
    const double covered = coverage(centre);
    return covered == 0 ? 0.0 : covered * (photons * stain(centre));
  };
}

auto light_of(const PointTarget& point, std::int64_t, const Phantom&, const Vector3&,
              const LightSpec& seen) {
  return [&point, photons = point.photons * seen.target](const Vector3& centre) {
    return point.contains(centre) ? photons : 0.0;
  };
}

auto light_of(const Region& region, std::int64_t, const Phantom&, const Vector3& pitch,
              const LightSpec& seen) {
  Region shown = region;
  shown.photons_per_um3 *= seen.volume;
  return [shown, pitch](const Vector3& centre) {
    return light_of_region(shown, *shown.voxels, centre, pitch);
  };
}

/// The nucleus of a tissue's cell, and how much of a voxel it covers.
class NucleusInside {
 public:
  NucleusInside(const Nucleus& nucleus, const NucleiSpec& spec, const Vector3& pitch)
      : nucleus_{nucleus}, voxel_{nucleus.voxel_shape(pitch)}, stain_{nucleus, spec} {}
  [[nodiscard]] double coverage(const Vector3& centre) const {
    return nucleus_.coverage(centre, voxel_);
  }
  [[nodiscard]] double stain(const Vector3& centre) { return stain_(centre); }

 private:
  const Nucleus& nucleus_;
  NucleusVoxel voxel_;
  Stain stain_;
};

auto light_of(const TissueCell& cell, std::int64_t, const Phantom& phantom, const Vector3& pitch,
              const LightSpec& seen) {
  const NucleiSpec& nuclei = phantom.spec.nuclei;
  const double voxel_um3 = pitch[0] * pitch[1] * pitch[2];
  std::optional<NucleusInside> inside;
  if (cell.nucleus) inside.emplace(*cell.nucleus, nuclei, pitch);
  return
      [&cell, pitch, inside = std::move(inside),
       around = lit(tissue_stain(phantom.spec.tissue, voxel_um3), seen),
       photons = nuclei.photons_per_um3 * seen.nuclei * voxel_um3](const Vector3& centre) mutable {
        const double covered = inside ? inside->coverage(centre) : 0;
        const double light = light_around_nucleus(cell.shape(), around, covered, centre, pitch);
        return covered == 0 ? light : light + covered * (photons * inside->stain(centre));
      };
}

/// For beads, lines, shells and stars.
template <class Member>
auto light_of(const Member& member, std::int64_t, const Phantom&, const Vector3& pitch,
              const LightSpec& seen) {
  return [&member, pitch,
          photons = member.photons_per_um3 * weight_of(seen, member) *
                    (pitch[0] * pitch[1] * pitch[2])](const Vector3& centre) {
    return photons * member.share(centre, pitch);
  };
}

auto light_of(const Cell& cell, std::int64_t, const Phantom& phantom, const Vector3& pitch,
              const LightSpec& seen) {
  const CellsSpec& spec = phantom.spec.cells;
  const Nucleus* const nucleus = cell.nucleus();
  const NucleiSpec its = nuclei_of(spec);
  return [&cell, pitch, figures = lit(cell_figures(spec, pitch), seen),
          voxel = nucleus ? nucleus->voxel_shape(pitch) : NucleusVoxel{},
          chromatin = nucleus && its.texture != TextureKind::none
                          ? std::optional<Texture>{Texture{nucleus->texture_seed(),
                                                           its.texture_wavelength_um,
                                                           static_cast<int>(its.texture_octaves)}}
                          : std::nullopt,
          cytoplasm = Texture{cell.cytoplasm_seed(), kCytoplasmWavelengthUm, kCytoplasmOctaves}](
             const Vector3& centre) mutable {
    return light_of_cell(
        figures, cell.shape(voxel.lobes.data()), centre, pitch,
        [&](const Vector3& p) { return (*chromatin)(p); },
        [&](const Vector3& p) { return cytoplasm(p); });
  };
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

void PhantomSource::read(const Box3& box, VoxelView out) {
  require_inside(phantom_, box, out);
  const auto photons = out.as<float>();
  const Grid& grid = phantom_.grid;
  clear(photons);
  const auto add = [&]<class T>(std::int64_t id, const T& body) {
    if constexpr (!IsStrands<T>) {
      const Box3 near = voxels_reached(core_bounds(body), grid.pitch, box);
      if (weight_of(light_, body) > 0 && is_positive(near.size)) {
        auto light = light_of(body, id, phantom_, vector_of(grid.pitch), light_);
        for_each_voxel(near, grid, box, photons, [&](const Vector3& centre, float& voxel) {
          voxel = static_cast<float>(voxel + phantom_.brightness * light(centre));
        });
      }
    }
    if constexpr (HasStrands<T>)
      for (PlainStrand strand : strands_.of_object(id)) {
        strand.photons *= weight_of(light_, strand.structure);
        if (strand.photons > 0)
          add_light(strands_, strand, phantom_.brightness, grid, box, photons);
      }
  };
  for (const std::int64_t id : index_.near(box)) visit_object(phantom_, id, add);
  add_volume(box, photons);
}

void PhantomSource::add_volume(const Box3& box, HostView3<float> photons) const {
  if (!phantom_.volume || !phantom_.volume->light.values || light_.volume == 0) return;
  LightVoxels light = phantom_.volume->light;
  light.photons_per_value *= light_.volume;
  const Vector3 pitch = vector_of(phantom_.grid.pitch);
  const Box3 near = voxels_reached(bounds_of(light.lattice), phantom_.grid.pitch, box);
  for_each_voxel(near, phantom_.grid, box, photons, [&](const Vector3& centre, float& voxel) {
    voxel = static_cast<float>(voxel + phantom_.brightness * light.photons_in(centre, pitch));
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
