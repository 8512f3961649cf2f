// SPDX-License-Identifier: MIT
// simulator/phantom/stain.hpp — how densely a nucleus is stained at each of its points.
#pragma once
#include <optional>
#include "simulator/phantom/nucleus.hpp"
#include "simulator/phantom/perlin.hpp"
#include "simulator/phantom/texture.hpp"

namespace synthoscope::simulator {

/// Density relative to nuclei.photons_per_um3: 1 + texture_contrast * t, less in nucleoli, whose
/// rim is smooth from 0.85 to 1.15 of their radius. Remembers lattice cells: one object serves one
/// thread. Keeps a reference to the nucleus.
class Stain {
 public:
  Stain(const Nucleus& nucleus, const NucleiSpec& spec)
      : nucleus_{nucleus},
        contrast_{spec.texture_contrast},
        hole_{1 - spec.nucleolus_density},
        has_nucleoli_{spec.nucleoli > 0} {
    const auto octaves = static_cast<int>(spec.texture_octaves);
    if (spec.texture == TextureKind::chromatin)
      chromatin_.emplace(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
    else if (spec.texture == TextureKind::perlin)
      perlin_.emplace(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
  }

  [[nodiscard]] double operator()(const Vector3& point) {
    double density = 1;
    if (chromatin_)
      density += contrast_ * (*chromatin_)(nucleus_.to_own_frame(point));
    else if (perlin_)
      density += contrast_ * (*perlin_)(nucleus_.to_own_frame(point));
    return has_nucleoli_ ? density * (1 - hole_ * in_nucleolus(point)) : density;
  }

 private:
  /// 1 inside, 0 outside.
  [[nodiscard]] double in_nucleolus(const Vector3& point) const {
    constexpr double kRim = 0.15;
    const double distance = nucleus_.nucleolus_distance(point);
    if (distance >= 1 + kRim) return 0;
    if (distance <= 1 - kRim) return 1;
    const double w = (1 + kRim - distance) / (2 * kRim);
    return w * w * (3 - 2 * w);
  }

  const Nucleus& nucleus_;
  double contrast_, hole_;
  bool has_nucleoli_;
  std::optional<Texture> chromatin_;
  std::optional<Perlin> perlin_;
};

}  // namespace synthoscope::simulator
