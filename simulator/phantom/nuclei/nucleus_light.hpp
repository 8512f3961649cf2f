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

/// Chromatin of few sharp borders in a smooth rest. Of its field s, which has mean 0 and variance
/// 1,
///
///     density = (1 + contrast * s / sqrt(1 + s^2)) * (1 - loss * below) * (1 + gain * above):
///
/// below rises from 0 to 1 where s falls through `low`, above where it rises through `high`, both
/// over `border`. The point at which s is looked up is displaced by the warp.
struct DomainFigures {
  double warp_um = 0;
  double border = 1;          ///< width in units of s
  double low = 0, high = 0;   ///< thresholds of lacunae and of clumps
  double loss = 0, gain = 0;  ///< of density in lacunae, in clumps
};

/// The stain of a population.
struct StainFigures {
  TextureKind texture = TextureKind::none;
  double contrast = 0;
  double hole = 0;  ///< share of the density around them that nucleoli lack
  bool has_nucleoli = false;
  double envelope = 0;  ///< relative excess of density right below the surface
  double envelope_um = 1;
  DomainFigures domains;
  double rim = 0;  ///< relative excess of density around nucleoli
  double rim_um = 1;
  bool is_warped = false;  ///< domains or nucleoli are
};

/// Returns 0 below 0, 1 above 1, and rises smoothly in between.
inline double smooth_step(double w) {
  const double t = std::min(1.0, std::max(0.0, w));
  return t * t * (3 - 2 * t);
}

/// Returns 1 inside a nucleolus, 0 outside; the rim is smooth from 0.85 to 1.15 of the radius.
/// @param distance  from the middle of the nearest nucleolus over its radius
inline double in_nucleolus(double distance) {
  constexpr double kRim = 0.15;
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

/// Returns the density of DomainFigures where the field is `s`.
inline double domain_density(const DomainFigures& domains, double contrast, double s) {
  const double below = smooth_step((domains.low - s) / domains.border + 0.5);
  const double above = smooth_step((s - domains.high) / domains.border + 0.5);
  return (1 + contrast * squeezed(s)) * (1 - domains.loss * below) * (1 + domains.gain * above);
}

/// Returns the density of chromatin around a nucleolus, relative to elsewhere: 1 + rim at its
/// surface, falling to 1 at rim_um. The fourth number of the warp makes gaps in the rim.
inline double around_nucleolus(const StainFigures& stain, double outside_um, const Warp& bent) {
  const double near = 1 - std::max(0.0, outside_um) / stain.rim_um;
  if (near <= 0) return 1;
  return 1 + stain.rim * (near * near) * smooth_step(0.5 * bent[3] + 0.5);
}

/// Returns what stain_at does where domains or nucleoli are warped. `texture.field(p)` gives the
/// field of chromatin, `texture.warp(p)` the warp.
template <class TextureAt>
double warped_stain_at(const StainFigures& stain, const NucleusShape& nucleus, const Vector3& point,
                       TextureAt&& texture) {
  const Vector3 own = nucleus.to_own_frame(point);
  const Warp bent = texture.warp(own);
  double density = 1;
  if (stain.texture == TextureKind::domains)
    density = domain_density(stain.domains, stain.contrast,
                             texture.field(own + displacement(bent, stain.domains.warp_um)));
  else if (stain.texture != TextureKind::none)
    density += stain.contrast * texture(own);
  if (stain.envelope > 0) density *= along_envelope(stain, nucleus, point);
  if (!stain.has_nucleoli) return density;
  const NucleolusDistance nearest = nucleus.nearest_nucleolus(point, bent);
  if (stain.rim > 0) density *= around_nucleolus(stain, nearest.outside_um, bent);
  return density * (1 - stain.hole * in_nucleolus(nearest.relative));
}

/// Returns the stain of a nucleus in interphase: see stain_at.
template <class TextureAt>
double interphase_stain_at(const StainFigures& stain, const NucleusShape& nucleus,
                           const Vector3& point, TextureAt&& texture) {
  if constexpr (requires { texture.warp(point); })
    if (stain.is_warped) return warped_stain_at(stain, nucleus, point, texture);
  double density = 1;
  if (stain.texture != TextureKind::none)
    density += stain.contrast * texture(nucleus.to_own_frame(point));
  if (stain.envelope > 0) density *= along_envelope(stain, nucleus, point);
  if (!stain.has_nucleoli) return density;
  return density * (1 - stain.hole * in_nucleolus(nucleus.nucleolus_distance(point)));
}

/// Returns the density of condensed threads relative to its mean, which is 1, from a texture t in
/// (-1, 1): threads lie where t is about 0, which is on thin sheets that sections cut to lines.
inline double thread_density(double t) {
  constexpr double kHalfWidth = 0.45, kBetween = 0.5, kExcess = 2;
  const double w = 1 - t * t / (kHalfWidth * kHalfWidth);
  return kBetween + kExcess * std::max(0.0, w);
}

/// Thickness of the arm of a chromosome in metaphase, typical.
inline constexpr double kArmUm = 0.7;

/// Returns the share of the stain that is left near the surface of a condensed body, where arms of
/// chromosomes reach out and there are gaps between them.
inline double in_arms(double depth_um, double t) {
  return smooth_step(0.5 + (1.5 * depth_um / kArmUm - 0.6 + t) / 0.5);
}

/// Returns the stain of a nucleus in mitosis: see stain_at. As it condenses, threads and then arms
/// of chromosomes take the place of texture, envelope and nucleoli.
template <class TextureAt>
double condensed_stain_at(const StainFigures& stain, const NucleusShape& nucleus,
                          const Vector3& point, TextureAt&& texture) {
  const CondensedChromatin& chromatin = nucleus.chromatin;
  double condensed = 1;
  if (stain.texture != TextureKind::none) {
    const double t = texture(nucleus.to_own_frame(point));
    condensed += chromatin.threads * (thread_density(t) - 1);
    condensed *= 1 + chromatin.arms * (in_arms(nucleus.depth_um(point, kArmUm), t) - 1);
  }
  const double rest = 1 - chromatin.condensed;
  double density = chromatin.condensed * condensed;
  if (rest > 0) density += rest * interphase_stain_at(stain, nucleus, point, texture);
  return chromatin.density * density;
}

/// Returns the density relative to nuclei.photons_per_um3: 1 + contrast * t, or that of
/// DomainFigures; more along the envelope and around nucleoli, less in nucleoli. `texture(p)` gives
/// t at a point of the nucleus' own frame.
template <class TextureAt>
double stain_at(const StainFigures& stain, const NucleusShape& nucleus, const Vector3& point,
                TextureAt&& texture) {
  return nucleus.chromatin.condensed > 0 ? condensed_stain_at(stain, nucleus, point, texture)
                                         : interphase_stain_at(stain, nucleus, point, texture);
}

}  // namespace synthoscope::simulator
