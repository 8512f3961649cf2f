// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/plain_adherent.hpp — cells on a cover glass in arrays of plain data,
// without their strands; compiled for host and devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/adherent/adherent_light.hpp"
#include "simulator/phantom/nuclei/plain_nuclei.hpp"

namespace synthoscope::simulator::device {

/// A cell, and where its parts begin in the arrays; pointers of its shape are null.
struct PlainAdherentCell {
  AdherentShape shape;
  std::int64_t first_height = 0;
  int first_vacuole = 0;
  int nucleus = -1;  ///< among all nuclei; none below 0
};

/// The arrays are owned elsewhere.
struct PlainAdherent {
  const PlainAdherentCell* all = nullptr;
  const float* heights = nullptr;
  const Vacuole* vacuoles = nullptr;
  const NoiseField* cytoplasm = nullptr;  ///< of each cell
  CytoplasmFigures figures;
  int noise_shift = 0;  ///< number of a nucleus' texture minus number of the nucleus

  [[nodiscard]] AdherentShape shape(std::int64_t number) const {
    AdherentShape shape = all[number].shape;
    shape.map.values = heights + all[number].first_height;
    shape.vacuoles = vacuoles + all[number].first_vacuole;
    return shape;
  }
};

struct AdherentBody {
  static constexpr bool kHasLobes = true;
  static double light(const auto& p, std::int32_t number, const Vector3& centre) {
    const int nucleus = p.adherent.all[number].nucleus;
    const double covered = nucleus < 0 ? 0 : p.nuclei.at(nucleus).coverage(centre, p.pitch);
    const double light = light_of_cytoplasm(
        p.adherent.figures, p.adherent.shape(number), covered, centre, p.pitch,
        [&](const Vector3& point) {
          return texture_at(TextureKind::chromatin, p.adherent.cytoplasm[number], point);
        });
    return covered == 0
               ? light
               : light + light_of_nucleus(p.nuclei, nucleus, nucleus + p.adherent.noise_shift,
                                          centre, p.pitch);
  }
  static bool contains(const auto& p, std::int32_t number, const Vector3& point) {
    return p.adherent.shape(number).contains(point);
  }
};

}  // namespace synthoscope::simulator::device
