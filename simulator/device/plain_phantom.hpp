// SPDX-License-Identifier: MIT
// simulator/device/plain_phantom.hpp — a phantom in arrays of plain data, and what a voxel of it
// holds; read by the compiler of the host and by that of devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/bead.hpp"
#include "simulator/phantom/nucleus_light.hpp"
#include "simulator/phantom/region.hpp"
#include "simulator/phantom/target_members.hpp"

namespace synthoscope::simulator::device {

/// Bits, so that kernels are made for the kinds that there are.
enum ObjectKind : int {
  kNucleus = 1,
  kBead = 2,
  kPoint = 4,
  kLine = 8,
  kShell = 16,
  kStar = 32,
  kRegion = 64,
  kVolumeLight = 128,  ///< of no object
};
inline constexpr int kEveryKind = 255;

/// An object in the order of ids: which of its kind it is, and the voxels that it can reach.
struct PlainObject {
  int kind = 0;
  int number = 0;
  std::int64_t begin[3] = {}, end[3] = {};  ///< z, y, x

  [[nodiscard]] bool reaches(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return z >= begin[0] && z < end[0] && y >= begin[1] && y < end[1] && x >= begin[2] &&
           x < end[2];
  }
};

/// A nucleus whose parts begin at these places of the arrays.
struct PlainNucleus {
  Vector3 centre{};
  Matrix3 turn{};
  int first_lobe = 0, lobe_count = 0;
  int first_nucleolus = 0, nucleolus_count = 0;
  int first_before = 0, before_count = 0;  ///< nuclei of lower id that may overlap it
};

/// Objects by cubes of voxels with edges of 2^cube_bits: of cube i those of ids[starts[i]] to
/// ids[starts[i + 1]], ascending from 0.
struct PlainIndex {
  int cube_bits = 5;
  std::int64_t cubes_y = 1, cubes_x = 1;  ///< along these axes
  const std::int64_t* starts = nullptr;
  const std::int32_t* ids = nullptr;

  [[nodiscard]] std::int64_t cube(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return ((z >> cube_bits) * cubes_y + (y >> cube_bits)) * cubes_x + (x >> cube_bits);
  }
};

/// All that rendering asks. Somebody else keeps the arrays.
struct PlainPhantom {
  Vector3 pitch{};
  PlainIndex index;
  const PlainObject* objects = nullptr;
  const PlainNucleus* nuclei = nullptr;
  const NoiseField* noise = nullptr;  ///< of each nucleus; none without a texture
  const Lobe* lobes = nullptr;
  const VoxelShape* voxels = nullptr;  ///< of each lobe
  const Nucleolus* nucleoli = nullptr;
  const std::int32_t* before = nullptr;
  const Bead* beads = nullptr;
  const PointTarget* points = nullptr;
  const LineTarget* lines = nullptr;
  const ShellTarget* shells = nullptr;
  const StarTarget* stars = nullptr;
  const Region* regions = nullptr;
  LabelVoxels labelled;      ///< of regions
  LightVoxels volume_light;  ///< of an imported volume
  StainFigures stain;
  double nucleus_photons = 0;  ///< of a voxel full of it, density 1
  double voxel_um3 = 0;
  double brightness = 1;

  [[nodiscard]] NucleusAtPitch nucleus(std::int64_t number) const {
    const PlainNucleus& n = nuclei[number];
    return {{n.centre, n.turn, lobes + n.first_lobe, nucleoli + n.first_nucleolus, n.lobe_count,
             n.nucleolus_count},
            voxels + n.first_lobe};
  }
};

inline Vector3 middle_of(const PlainPhantom& p, std::int64_t z, std::int64_t y, std::int64_t x) {
  return {(static_cast<double>(z) + 0.5) * p.pitch[0], (static_cast<double>(y) + 0.5) * p.pitch[1],
          (static_cast<double>(x) + 0.5) * p.pitch[2]};
}

inline double texture_at(const PlainPhantom& p, const NoiseField& field, const Vector3& point) {
  return squeezed(p.stain.texture == TextureKind::chromatin
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
            return texture_at(p, p.noise[number], point);
          }));
}

template <class Member>
double light_of_member(const PlainPhantom& p, const Member& member, const Vector3& centre) {
  return member.photons_per_um3 * p.voxel_um3 * member.share(centre, p.pitch);
}

/// What object `o`, of one of `Kinds`, adds to a voxel.
template <int Kinds>
double light_of(const PlainPhantom& p, const PlainObject& o, const Vector3& centre) {
  if ((Kinds & kNucleus) != 0 && o.kind == kNucleus) return light_of_nucleus(p, o.number, centre);
  if ((Kinds & kBead) != 0 && o.kind == kBead) return light_of_member(p, p.beads[o.number], centre);
  if ((Kinds & kPoint) != 0 && o.kind == kPoint)
    return p.points[o.number].contains(centre) ? p.points[o.number].photons : 0.0;
  if ((Kinds & kLine) != 0 && o.kind == kLine) return light_of_member(p, p.lines[o.number], centre);
  if ((Kinds & kShell) != 0 && o.kind == kShell)
    return light_of_member(p, p.shells[o.number], centre);
  if ((Kinds & kStar) != 0 && o.kind == kStar) return light_of_member(p, p.stars[o.number], centre);
  if ((Kinds & kRegion) != 0)
    return light_of_region(p.regions[o.number], p.labelled, centre, p.pitch);
  return 0;
}

template <int Kinds>
bool contains(const PlainPhantom& p, const PlainObject& o, const Vector3& point) {
  if ((Kinds & kNucleus) != 0 && o.kind == kNucleus)
    return p.nucleus(o.number).shape.contains(point);
  if ((Kinds & kBead) != 0 && o.kind == kBead) return p.beads[o.number].contains(point);
  if ((Kinds & kPoint) != 0 && o.kind == kPoint) return p.points[o.number].contains(point);
  if ((Kinds & kLine) != 0 && o.kind == kLine) return p.lines[o.number].contains(point);
  if ((Kinds & kShell) != 0 && o.kind == kShell) return p.shells[o.number].contains(point);
  if ((Kinds & kStar) != 0 && o.kind == kStar) return p.stars[o.number].contains(point);
  return (Kinds & kRegion) != 0 && p.labelled.has(p.regions[o.number].label, point);
}

/// The voxel of a PhantomSource.
template <int Kinds>
float light_at(const PlainPhantom& p, std::int64_t z, std::int64_t y, std::int64_t x) {
  const Vector3 centre = middle_of(p, z, y, x);
  const std::int64_t cube = p.index.cube(z, y, x);
  float sum = 0;
  for (std::int64_t i = p.index.starts[cube]; i < p.index.starts[cube + 1]; ++i) {
    const PlainObject& o = p.objects[p.index.ids[i]];
    if (o.reaches(z, y, x))
      sum = static_cast<float>(sum + p.brightness * light_of<Kinds>(p, o, centre));
  }
  if ((Kinds & kVolumeLight) != 0)
    sum = static_cast<float>(sum + p.brightness * p.volume_light.photons_in(centre, p.pitch));
  return sum;
}

/// The object that a LabelSource shows in a voxel, from 0; -1 for none.
template <int Kinds>
std::int32_t object_at(const PlainPhantom& p, std::int64_t z, std::int64_t y, std::int64_t x) {
  const Vector3 centre = middle_of(p, z, y, x);
  const std::int64_t cube = p.index.cube(z, y, x);
  for (std::int64_t i = p.index.starts[cube]; i < p.index.starts[cube + 1]; ++i) {
    const PlainObject& o = p.objects[p.index.ids[i]];
    if (o.reaches(z, y, x) && contains<Kinds>(p, o, centre)) return p.index.ids[i];
  }
  return -1;
}

}  // namespace synthoscope::simulator::device
