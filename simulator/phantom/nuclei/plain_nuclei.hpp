// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/plain_nuclei.hpp — nuclei in arrays of plain data; compiled for host and
// devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/nuclei/nucleus_light.hpp"

namespace synthoscope::simulator::device {

/// A nucleus and where its parts begin in the arrays.
struct PlainNucleus {
  Vector3 centre{};
  Matrix3 turn{};
  int first_lobe = 0, lobe_count = 0;
  int first_nucleolus = 0, nucleolus_count = 0;
  int first_before = 0, before_count = 0;  ///< nuclei of lower id that may overlap it
  int warp = -1;                           ///< among the warps; none for -1
  CondensedChromatin chromatin;
};

/// Nuclei that are objects, then those in other objects. The arrays are owned elsewhere.
struct PlainNuclei {
  const PlainNucleus* all = nullptr;
  const NoiseField* noise =
      nullptr;  ///< of every nucleus with the stain of [nuclei]; empty without a texture
  const Lobe* lobes = nullptr;
  const VoxelShape* voxels = nullptr;  ///< of each lobe
  const Nucleolus* nucleoli = nullptr;
  const std::int32_t* before = nullptr;
  const WarpField* warps = nullptr;
  StainFigures stain;
  double photons = 0;  ///< of a voxel filled at density 1
  double nucleolus_warp = 0;

  [[nodiscard]] NucleusAtPitch at(std::int64_t number) const {
    const PlainNucleus& n = all[number];
    return {{n.centre, n.turn, lobes + n.first_lobe, nucleoli + n.first_nucleolus, n.lobe_count,
             n.nucleolus_count, n.warp < 0 ? nullptr : warps + n.warp, nucleolus_warp, n.chromatin},
            voxels + n.first_lobe};
  }
};

inline double chromatin_field_at(const NoiseField& field, const Vector3& point) {
  return chromatin_at(field, point, [&](int octave, const LatticeCell& cell) {
    return corner_values(field, octave, cell);
  });
}

inline double texture_at(TextureKind kind, const NoiseField& field, const Vector3& point) {
  return squeezed(kind != TextureKind::perlin
                      ? chromatin_field_at(field, point)
                      : perlin_at(field, point, [&](int octave, const LatticeCell& cell) {
                          return corner_gradients(field, octave, cell);
                        }));
}

/// What stain_at asks for. A nucleus without a texture has no noise, one without a warp no warp.
struct PlainTexture {
  TextureKind kind;
  const NoiseField* noise;
  const WarpField* its_warp;

  double operator()(const Vector3& point) const { return texture_at(kind, *noise, point); }
  [[nodiscard]] double field(const Vector3& point) const {
    return chromatin_field_at(*noise, point);
  }
  [[nodiscard]] Warp warp(const Vector3& point) const {
    return warp_at(*its_warp, point,
                   [&](const LatticeCell& cell) { return corner_warps(*its_warp, cell); });
  }
};

/// Returns the light of a nucleus that [nuclei] stains. @param noise  its number among those
inline double light_of_nucleus(const PlainNuclei& nuclei, int number, int noise,
                               const Vector3& centre, const Vector3& pitch) {
  const NucleusAtPitch nucleus = nuclei.at(number);
  const PlainNucleus& n = nuclei.all[number];
  const double covered = own_coverage(
      nucleus, n.before_count, [&](int i) { return nuclei.at(nuclei.before[n.first_before + i]); },
      centre, pitch);
  if (covered == 0) return 0;
  return covered *
         (nuclei.photons *
          stain_at(nuclei.stain, nucleus.shape, centre,
                   PlainTexture{nuclei.stain.texture, nuclei.noise + noise, nucleus.shape.warp}));
}

struct NucleusBody {
  static constexpr bool kHasLobes = true;
  static double light(const auto& p, std::int32_t number, const Vector3& centre) {
    return light_of_nucleus(p.nuclei, number, number, centre, p.pitch);
  }
  static bool contains(const auto& p, std::int32_t number, const Vector3& point) {
    return p.nuclei.at(number).shape.contains(point);
  }
};

}  // namespace synthoscope::simulator::device
