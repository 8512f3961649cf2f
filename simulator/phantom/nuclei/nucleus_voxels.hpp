// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nucleus_voxels.hpp — how densely nuclei are stained, and their light in
// voxels of one pitch, on the host.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/nuclei/nucleus_light.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {

StainFigures stain_figures(const NucleiSpec& spec);

/// The function stain_at of one nucleus, and the texture that it takes. Remembers lattice cells:
/// one object serves one thread. Keeps a reference to the nucleus.
class Stain {
 public:
  Stain(const Nucleus& nucleus, const NucleiSpec& spec)
      : nucleus_{nucleus.shape()}, figures_{stain_figures(spec)} {
    const auto octaves = static_cast<int>(spec.texture_octaves);
    if (spec.texture == TextureKind::chromatin || spec.texture == TextureKind::domains)
      chromatin_.emplace(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
    else if (spec.texture == TextureKind::perlin)
      perlin_.emplace(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
    if (figures_.is_warped)
      warp_.emplace(warp_field(nucleus.texture_seed(), spec.warp_wavelength_um));
  }

  [[nodiscard]] double operator()(const Vector3& point) {
    return stain_at(figures_, nucleus_, point, TextureOf{*this});
  }

 private:
  /// What stain_at asks for.
  struct TextureOf {
    Stain& its;
    double operator()(const Vector3& p) const {
      return its.chromatin_ ? (*its.chromatin_)(p) : (*its.perlin_)(p);
    }
    double field(const Vector3& p) const { return its.chromatin_->field(p); }
    Warp warp(const Vector3& p) const { return (*its.warp_)(p); }
  };

  NucleusShape nucleus_;
  StainFigures figures_;
  std::optional<Texture> chromatin_;
  std::optional<Perlin> perlin_;
  std::optional<WarpNoise> warp_;
};

/// own_coverage of one of several nuclei.
class OwnCoverage {
 public:
  /// @param lower_neighbours  for each nucleus, those before it that it may overlap; may be empty
  OwnCoverage(const std::vector<Nucleus>& nuclei,
              const std::vector<std::vector<std::size_t>>& lower_neighbours, std::size_t number,
              const Vector3& pitch)
      : pitch_{pitch} {
    if (!lower_neighbours.empty())
      for (const std::size_t other : lower_neighbours[number])
        voxels_.push_back(nuclei[other].voxel_shape(pitch));
    voxels_.push_back(nuclei[number].voxel_shape(pitch));
    for (std::size_t i = 0; i + 1 < voxels_.size(); ++i)
      nuclei_.push_back({nuclei[lower_neighbours[number][i]].shape(), voxels_[i].lobes.data()});
    nuclei_.push_back({nuclei[number].shape(), voxels_.back().lobes.data()});
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

/// A nucleus within another object, and how much of a voxel it covers.
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

}  // namespace synthoscope::simulator
