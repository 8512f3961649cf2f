// SPDX-License-Identifier: MIT
// simulator/phantom/flat/plain_phantom.hpp — a phantom in arrays of plain data, the list of its
// kinds, the content of its voxels, and arguments of the kernels that render it. Host and device
// compile this file.
#pragma once
#include <cstdint>
#include "simulator/phantom/adherent/plain_adherent.hpp"
#include "simulator/phantom/beads/plain_beads.hpp"
#include "simulator/phantom/cells/plain_cells.hpp"
#include "simulator/phantom/geometry/cube_lists.hpp"
#include "simulator/phantom/kind/object_light.hpp"
#include "simulator/phantom/kind/plain_bodies.hpp"
#include "simulator/phantom/nuclei/plain_nuclei.hpp"
#include "simulator/phantom/strands/strand_piece.hpp"
#include "simulator/phantom/target/plain_target.hpp"
#include "simulator/phantom/tissue/plain_tissue.hpp"
#include "simulator/phantom/volume/plain_volume.hpp"

namespace synthoscope::simulator::device {

/// All types of bodies. Objects that consist of strands alone have none.
using PlainBodies = PlainBodyList<NucleusBody, CellBody, BeadBody, PointBody, LineBody, ShellBody,
                                  StarBody, RegionBody, TissueCellBody, AdherentBody>;

/// The arrays of each kind.
struct PlainParts {
  PlainNuclei nuclei;
  PlainCells cells;
  PlainBeads beads;
  PlainTarget target;
  PlainVolume volume;
  PlainTissue tissue;
  PlainAdherent adherent;
};

/// An object, or a part of one, in the order of ids: its number within its kind, and the voxels
/// that it can reach.
struct PlainObject {
  int kind = 0;  ///< kStrand, or a bit of PlainBodies
  std::int32_t number = 0;
  std::int32_t id = 0;
  VoxelRange range{};
};

/// All data that rendering needs. The arrays are owned elsewhere.
struct PlainPhantom : PlainParts {
  Vector3 pitch{};
  CubeLists index;  ///< of objects
  const PlainObject* objects = nullptr;
  const PlainStrand* strands = nullptr;
  const StrandPiece* pieces = nullptr;  ///< of strands
  double voxel_um3 = 0;
  double brightness = 1;
  bool has_lights = false;
  const ObjectLight* lights = nullptr;  ///< of each object, by id; only with has_lights

  /// Return ObjectLight::factor of an object, and ObjectLight::at.
  [[nodiscard]] double factor_of(const PlainObject& o) const {
    return has_lights ? lights[o.id - 1].factor : 1;
  }
  [[nodiscard]] double factor_at(const PlainObject& o, const Vector3& centre) const {
    return has_lights ? lights[o.id - 1].at(centre) : 1;
  }
};

inline Vector3 middle_of(const PlainPhantom& p, std::int64_t z, std::int64_t y, std::int64_t x) {
  return {(static_cast<double>(z) + 0.5) * p.pitch[0], (static_cast<double>(y) + 0.5) * p.pitch[1],
          (static_cast<double>(x) + 0.5) * p.pitch[2]};
}

template <int Kinds>
bool contains(const PlainPhantom& p, const PlainObject& o, const Vector3& point) {
  if (o.kind != kStrand) return PlainBodies::contains<Kinds>(p, o.kind, o.number, point);
  if ((Kinds & kStrand) == 0) return false;
  const StrandPiece& piece = p.pieces[o.number];
  return p.strands[piece.strand].is_labelled && simulator::contains(piece, point);
}

/// A voxel and the objects that can reach it: entries `begin` to `end` of the index.
struct VoxelEntries {
  std::int64_t z, y, x, begin, end;

  VoxelEntries(const PlainPhantom& p, std::int64_t at_z, std::int64_t at_y, std::int64_t at_x)
      : z{at_z}, y{at_y}, x{at_x} {
    const std::int64_t cube = p.index.cube(z, y, x);
    begin = p.index.starts[cube];
    end = p.index.starts[cube + 1];
  }
  [[nodiscard]] const PlainObject& object(const PlainPhantom& p, std::int64_t entry) const {
    return p.objects[p.index.ids[entry]];
  }
  [[nodiscard]] bool is_near(const PlainObject& o) const { return o.range.has(z, y, x); }

  /// Returns the entry after the last piece of the strand that `entry` belongs to.
  [[nodiscard]] std::int64_t end_of_strand(const PlainPhantom& p, std::int64_t entry) const {
    const std::int32_t strand = p.pieces[object(p, entry).number].strand;
    do ++entry;
    while (entry < end && object(p, entry).kind == kStrand &&
           p.pieces[object(p, entry).number].strand == strand);
    return entry;
  }
};

/// Returns what the strand with the pieces of entries `begin` to `end` adds to a voxel.
inline double light_of_strand(const PlainPhantom& p, const VoxelEntries& voxel, std::int64_t begin,
                              std::int64_t end, const Vector3& centre) {
  const double share = strand_share(
      static_cast<int>(end - begin),
      [&](int i) {
        const PlainObject& o = voxel.object(p, begin + i);
        return voxel.is_near(o) ? &p.pieces[o.number] : nullptr;
      },
      centre, p.pitch);
  return p.strands[p.pieces[voxel.object(p, begin).number].strand].photons * share;
}

/// Returns the voxel of a PhantomSource.
template <int Kinds>
float light_at(const PlainPhantom& p, std::int64_t z, std::int64_t y, std::int64_t x) {
  const Vector3 centre = middle_of(p, z, y, x);
  const VoxelEntries voxel{p, z, y, x};
  float sum = 0;
  for (std::int64_t i = voxel.begin; i < voxel.end; ++i) {
    const PlainObject& o = voxel.object(p, i);
    if ((Kinds & kStrand) != 0 && o.kind == kStrand) {
      const std::int64_t end = voxel.end_of_strand(p, i);
      sum = static_cast<float>(sum + p.brightness * p.factor_of(o) *
                                         light_of_strand(p, voxel, i, end, centre));
      i = end - 1;
    } else if (voxel.is_near(o)) {
      sum = static_cast<float>(sum + p.brightness * p.factor_at(o, centre) *
                                         PlainBodies::light_of<Kinds>(p, o.kind, o.number, centre));
    }
  }
  if ((Kinds & kLightOfNoObject) != 0 && p.volume.light.values)
    sum = static_cast<float>(sum + p.brightness * p.volume.light.photons_in(centre, p.pitch));
  return sum;
}

/// Returns the object that a LabelSource shows in a voxel, from 0; -1 for none.
template <int Kinds>
std::int32_t object_at(const PlainPhantom& p, std::int64_t z, std::int64_t y, std::int64_t x) {
  const Vector3 centre = middle_of(p, z, y, x);
  const VoxelEntries voxel{p, z, y, x};
  for (std::int64_t i = voxel.begin; i < voxel.end; ++i) {
    const PlainObject& o = voxel.object(p, i);
    if (voxel.is_near(o) && contains<Kinds>(p, o, centre)) return o.id - 1;
  }
  return -1;
}

/// A box of voxels, written contiguously.
struct RenderArguments {
  PlainPhantom phantom;
  const HarmonicFactors* factors = nullptr;
  std::int64_t z = 0, y = 0, x = 0;                ///< of the first voxel
  std::int64_t planes = 0, rows = 0, columns = 0;  ///< of the box
  const std::uint16_t* labels = nullptr;           ///< of each object
  void* out = nullptr;
};

inline constexpr int kRenderColumns = 32, kRenderRows = 8;  ///< of a plane, per block

}  // namespace synthoscope::simulator::device
