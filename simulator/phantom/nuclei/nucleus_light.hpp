// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nucleus_light.hpp — how much of a voxel belongs to a nucleus, and how
// densely it is stained there; compiled for host and devices.
#pragma once
#include <algorithm>
#include "simulator/phantom/nuclei/nucleus_shape.hpp"
#include "simulator/phantom/texture/noise_field.hpp"

namespace synthoscope::simulator {

/// A nucleus and, for each of its lobes, a voxel of the grid.
struct NucleusAtPitch {
  NucleusShape shape;
  const VoxelShape* voxel = nullptr;

  [[nodiscard]] double coverage(const Vector3& centre, const Vector3& pitch) const {
    return shape.coverage(centre, pitch, voxel);
  }
};

/// Returns the part of a voxel that lies in `nucleus` and in none of the earlier ones `before(i)`,
/// i < `count`.
template <class Before>
double own_coverage(const NucleusAtPitch& nucleus, int count, Before&& before,
                    const Vector3& centre, const Vector3& pitch) {
  const double covered = nucleus.coverage(centre, pitch);
  if (covered == 0) return 0;
  const auto owns = [&](const Vector3& p) {
    if (!nucleus.shape.contains(p)) return false;
    for (int i = 0; i < count; ++i)
      if (before(i).shape.contains(p)) return false;
    return true;
  };
  for (int i = 0; i < count; ++i)
    if (before(i).coverage(centre, pitch) > 0) return sampled_share(centre, pitch, owns);
  return covered;
}

/// The stain of a population.
struct StainFigures {
  TextureKind texture = TextureKind::none;
  double contrast = 0;
  double hole = 0;  ///< share of the density around them that nucleoli lack
  bool has_nucleoli = false;
  double envelope = 0;  ///< relative excess of density right below the surface
  double envelope_um = 1;
};

/// Returns 1 inside a nucleolus, 0 outside; the rim is smooth from 0.85 to 1.15 of the radius.
inline double in_nucleolus(const NucleusShape& nucleus, const Vector3& point) {
  constexpr double kRim = 0.15;
  const double distance = nucleus.nucleolus_distance(point);
  if (distance >= 1 + kRim) return 0;
  if (distance <= 1 - kRim) return 1;
  const double w = (1 + kRim - distance) / (2 * kRim);
  return w * w * (3 - 2 * w);
}

/// Returns the density along the envelope relative to deep inside; falls smoothly to 1.
inline double along_envelope(const StainFigures& stain, const NucleusShape& nucleus,
                             const Vector3& point) {
  const double depth = std::max(0.0, nucleus.depth_um(point, stain.envelope_um));
  const double w = 1 - depth * depth / (stain.envelope_um * stain.envelope_um);
  return 1 + stain.envelope * (w * w);
}

/// Returns the density of condensed threads relative to its mean, which is 1, from a texture t in
/// (-1, 1): threads lie where t is about 0, which is on thin sheets that sections cut to lines.
inline double thread_density(double t) {
  constexpr double kHalfWidth = 0.45, kBetween = 0.5, kExcess = 2;
  const double w = 1 - t * t / (kHalfWidth * kHalfWidth);
  return kBetween + kExcess * std::max(0.0, w);
}

/// Returns the density relative to nuclei.photons_per_um3: 1 + contrast * t, more along the
/// envelope, less in nucleoli. `texture(p)` gives t at a point of the nucleus' own frame. In
/// mitosis the stain is denser; envelope and nucleoli fade, and threads take the texture's place.
template <class TextureAt>
double stain_at(const StainFigures& stain, const NucleusShape& nucleus, const Vector3& point,
                TextureAt&& texture) {
  const CondensedChromatin& chromatin = nucleus.chromatin;
  double density = 1;
  if (stain.texture != TextureKind::none) {
    const double t = texture(nucleus.to_own_frame(point));
    density += stain.contrast * t;
    if (chromatin.threads > 0) density += chromatin.threads * (thread_density(t) - density);
  }
  const double rest = 1 - chromatin.condensed;
  if (stain.envelope > 0 && rest > 0)
    density *= 1 + rest * (along_envelope(stain, nucleus, point) - 1);
  if (stain.has_nucleoli && rest > 0)
    density *= 1 - rest * (stain.hole * in_nucleolus(nucleus, point));
  return chromatin.density * density;
}

}  // namespace synthoscope::simulator
