// SPDX-License-Identifier: MIT
// simulator/phantom/flat/plain_phantom.hpp — a phantom in arrays of plain data, and the content of
// its voxels. Host and device compile this file.
#pragma once
#include <cstdint>
#include "simulator/phantom/beads/bead.hpp"
#include "simulator/phantom/cells/cell_light.hpp"
#include "simulator/phantom/geometry/cube_lists.hpp"
#include "simulator/phantom/nuclei/nucleus_light.hpp"
#include "simulator/phantom/strands/plain_strand.hpp"
#include "simulator/phantom/target/target_members.hpp"
#include "simulator/phantom/tissue/tissue_light.hpp"
#include "simulator/phantom/volume/region.hpp"

namespace synthoscope::simulator::device {

/// Bits, so that kernels are compiled for the kinds that occur.
enum ObjectKind : int {
  kNucleus = 1,
  kBead = 2,
  kPoint = 4,
  kLine = 8,
  kShell = 16,
  kStar = 32,
  kRegion = 64,
  kVolumeLight = 128,  ///< belongs to no object
  kStrand = 256,       ///< a piece of a strand
  kCell = 512,         ///< without its strands
  kTissueCell = 1024,
};
inline constexpr int kEveryKind = 2047;

/// An object, or a part of one, in the order of ids: its number within its kind, and the voxels
/// that it can reach.
struct PlainObject {
  int kind = 0;
  std::int32_t number = 0;
  std::int32_t id = 0;
  VoxelRange range{};
};

/// A nucleus and where its parts begin in the arrays.
struct PlainNucleus {
  Vector3 centre{};
  Matrix3 turn{};
  int first_lobe = 0, lobe_count = 0;
  int first_nucleolus = 0, nucleolus_count = 0;
  int first_before = 0, before_count = 0;  ///< nuclei of lower id that may overlap it
};

/// A cell and where its parts are in the arrays.
struct PlainCell {
  Vector3 centre{};
  Matrix3 turn{};
  int surface = 0;   ///< among lobes
  int nucleus = -1;  ///< among nuclei; none for -1
};

/// A tissue cell and where its sides begin in the array.
struct PlainTissueCell {
  int first_side = 0, side_count = 0;
  int nucleus = -1;  ///< among all nuclei; none below 0
};

/// All data that rendering needs. The arrays are owned elsewhere.
struct PlainPhantom {
  Vector3 pitch{};
  CubeLists index;  ///< of objects
  const PlainObject* objects = nullptr;
  const PlainNucleus* nuclei = nullptr;
  const NoiseField* noise = nullptr;  ///< of each nucleus; none without a texture
  const Lobe* lobes = nullptr;
  const VoxelShape* voxels = nullptr;  ///< of each lobe
  const Nucleolus* nucleoli = nullptr;
  const std::int32_t* before = nullptr;
  const PlainCell* cells = nullptr;
  const NoiseField* chromatin = nullptr;  ///< of the nucleus of each cell
  const NoiseField* cytoplasm = nullptr;  ///< of each cell
  CellFigures cell_figures;
  const Bead* beads = nullptr;
  const PointTarget* points = nullptr;
  const LineTarget* lines = nullptr;
  const ShellTarget* shells = nullptr;
  const StarTarget* stars = nullptr;
  const Region* regions = nullptr;
  LabelVoxels labelled;      ///< of regions
  LightVoxels volume_light;  ///< of an imported volume
  const PlainStrand* strands = nullptr;
  const StrandPiece* pieces = nullptr;  ///< of strands
  const PlainTissueCell* tissue = nullptr;
  const HalfSpace* sides = nullptr;
  TissueStain tissue_stain;
  StainFigures stain;
  double nucleus_photons = 0;  ///< of a voxel filled at density 1
  double voxel_um3 = 0;
  double brightness = 1;

  [[nodiscard]] NucleusAtPitch nucleus(std::int64_t number) const {
    const PlainNucleus& n = nuclei[number];
    return {{n.centre, n.turn, lobes + n.first_lobe, nucleoli + n.first_nucleolus, n.lobe_count,
             n.nucleolus_count},
            voxels + n.first_lobe};
  }
  [[nodiscard]] ConvexShape cell(std::int64_t number) const {
    return {sides + tissue[number].first_side, tissue[number].side_count, 0};
  }
};

inline Vector3 middle_of(const PlainPhantom& p, std::int64_t z, std::int64_t y, std::int64_t x) {
  return {(static_cast<double>(z) + 0.5) * p.pitch[0], (static_cast<double>(y) + 0.5) * p.pitch[1],
          (static_cast<double>(x) + 0.5) * p.pitch[2]};
}

inline double texture_at(TextureKind kind, const NoiseField& field, const Vector3& point) {
  return squeezed(kind == TextureKind::chromatin
                      ? chromatin_at(field, point,
                                     [&](int octave, const LatticeCell& cell) {
                                       return corner_values(field, octave, cell);
                                     })
                      : perlin_at(field, point, [&](int octave, const LatticeCell& cell) {
                          return corner_gradients(field, octave, cell);
                        }));
}

inline double light_of_nucleus(const PlainPhantom& p, int number, const Vector3& centre) {
  const NucleusAtPitch nucleus = p.nucleus(number);
  const PlainNucleus& n = p.nuclei[number];
  const double covered = own_coverage(
      nucleus, n.before_count, [&](int i) { return p.nucleus(p.before[n.first_before + i]); },
      centre, p.pitch);
  if (covered == 0) return 0;
  return covered *
         (p.nucleus_photons * stain_at(p.stain, nucleus.shape, centre, [&](const Vector3& point) {
            return texture_at(p.stain.texture, p.noise[number], point);
          }));
}

inline double light_of_cell(const PlainPhantom& p, int number, const Vector3& centre) {
  const PlainCell& cell = p.cells[number];
  CellShape shape{cell.centre, cell.turn, p.lobes + cell.surface, {}};
  if (cell.nucleus >= 0) shape.nucleus = p.nucleus(cell.nucleus);
  const auto texture = [](const NoiseField& field) {
    return
        [&field](const Vector3& point) { return texture_at(TextureKind::chromatin, field, point); };
  };
  return simulator::light_of_cell(p.cell_figures, shape, centre, p.pitch,
                                  texture(p.chromatin[number]), texture(p.cytoplasm[number]));
}

inline double light_of_tissue_cell(const PlainPhantom& p, int number, const Vector3& centre) {
  const int nucleus = p.tissue[number].nucleus;
  const double covered = nucleus < 0 ? 0 : p.nucleus(nucleus).coverage(centre, p.pitch);
  const double light =
      light_around_nucleus(p.cell(number), p.tissue_stain, covered, centre, p.pitch);
  return covered == 0 ? light : light + light_of_nucleus(p, nucleus, centre);
}

template <class Member>
double light_of_member(const PlainPhantom& p, const Member& member, const Vector3& centre) {
  return member.photons_per_um3 * p.voxel_um3 * member.share(centre, p.pitch);
}

/// Returns what object `o`, of one of `Kinds`, adds to a voxel.
template <int Kinds>
double light_of(const PlainPhantom& p, const PlainObject& o, const Vector3& centre) {
  if ((Kinds & kNucleus) != 0 && o.kind == kNucleus) return light_of_nucleus(p, o.number, centre);
  if ((Kinds & kCell) != 0 && o.kind == kCell) return light_of_cell(p, o.number, centre);
  if ((Kinds & kBead) != 0 && o.kind == kBead) return light_of_member(p, p.beads[o.number], centre);
  if ((Kinds & kPoint) != 0 && o.kind == kPoint)
    return p.points[o.number].contains(centre) ? p.points[o.number].photons : 0.0;
  if ((Kinds & kLine) != 0 && o.kind == kLine) return light_of_member(p, p.lines[o.number], centre);
  if ((Kinds & kShell) != 0 && o.kind == kShell)
    return light_of_member(p, p.shells[o.number], centre);
  if ((Kinds & kStar) != 0 && o.kind == kStar) return light_of_member(p, p.stars[o.number], centre);
  if ((Kinds & kRegion) != 0 && o.kind == kRegion)
    return light_of_region(p.regions[o.number], p.labelled, centre, p.pitch);
  if ((Kinds & kTissueCell) != 0 && o.kind == kTissueCell)
    return light_of_tissue_cell(p, o.number, centre);
  return 0;
}

template <int Kinds>
bool contains(const PlainPhantom& p, const PlainObject& o, const Vector3& point) {
  if ((Kinds & kNucleus) != 0 && o.kind == kNucleus)
    return p.nucleus(o.number).shape.contains(point);
  if ((Kinds & kCell) != 0 && o.kind == kCell)
    return p.lobes[p.cells[o.number].surface].contains(point - p.cells[o.number].centre);
  if ((Kinds & kBead) != 0 && o.kind == kBead) return p.beads[o.number].contains(point);
  if ((Kinds & kPoint) != 0 && o.kind == kPoint) return p.points[o.number].contains(point);
  if ((Kinds & kLine) != 0 && o.kind == kLine) return p.lines[o.number].contains(point);
  if ((Kinds & kShell) != 0 && o.kind == kShell) return p.shells[o.number].contains(point);
  if ((Kinds & kStar) != 0 && o.kind == kStar) return p.stars[o.number].contains(point);
  if ((Kinds & kRegion) != 0 && o.kind == kRegion)
    return p.labelled.has(p.regions[o.number].label, point);
  if ((Kinds & kTissueCell) != 0 && o.kind == kTissueCell) return p.cell(o.number).contains(point);
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
      sum = static_cast<float>(sum + p.brightness * light_of_strand(p, voxel, i, end, centre));
      i = end - 1;
    } else if (voxel.is_near(o)) {
      sum = static_cast<float>(sum + p.brightness * light_of<Kinds>(p, o, centre));
    }
  }
  if ((Kinds & kVolumeLight) != 0 && p.volume_light.values)
    sum = static_cast<float>(sum + p.brightness * p.volume_light.photons_in(centre, p.pitch));
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

}  // namespace synthoscope::simulator::device
