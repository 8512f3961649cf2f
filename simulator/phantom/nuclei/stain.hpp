// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/stain.hpp — how densely a nucleus is stained at each of its points.
#pragma once
#include <optional>
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/nuclei/nucleus_light.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {

inline StainFigures stain_figures(const NucleiSpec& spec) {
  return {spec.texture,      spec.texture_contrast, 1 - spec.nucleolus_density,
          spec.nucleoli > 0, spec.envelope_density, spec.envelope_um};
}

/// The function stain_at of one nucleus. Remembers lattice cells: one object serves one thread.
/// Keeps a reference to the nucleus.
class Stain {
 public:
  Stain(const Nucleus& nucleus, const NucleiSpec& spec)
      : nucleus_{nucleus.shape()}, figures_{stain_figures(spec)} {
    const auto octaves = static_cast<int>(spec.texture_octaves);
    if (spec.texture == TextureKind::chromatin)
      chromatin_.emplace(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
    else if (spec.texture == TextureKind::perlin)
      perlin_.emplace(nucleus.texture_seed(), spec.texture_wavelength_um, octaves);
  }

  [[nodiscard]] double operator()(const Vector3& point) {
    return stain_at(figures_, nucleus_, point, [&](const Vector3& p) {
      return chromatin_ ? (*chromatin_)(p) : (*perlin_)(p);
    });
  }

 private:
  NucleusShape nucleus_;
  StainFigures figures_;
  std::optional<Texture> chromatin_;
  std::optional<Perlin> perlin_;
};

}  // namespace synthoscope::simulator
