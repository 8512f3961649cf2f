// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/flat_adherent.hpp — cells on a cover glass laid out in arrays for a
// device.
#pragma once
#include <vector>
#include "simulator/phantom/adherent/adherent_kind.hpp"
#include "simulator/phantom/adherent/plain_adherent.hpp"
#include "simulator/phantom/nuclei/flat_nuclei.hpp"

namespace synthoscope::simulator::device {

inline AdherentBody plain_body_of(const AdherentCell&) {
  return {};
}

struct FlatAdherent {
  PlainAdherent figures;
  std::vector<PlainAdherentCell> all;
  std::vector<float> heights;
  std::vector<Vacuole> vacuoles;
  std::vector<NoiseField> cytoplasm;

  static void count_nuclei(const auto& phantom, NucleusParts& parts) {
    for (const AdherentCell& cell : phantom.adherent)
      if (cell.nucleus()) {
        parts.add(*cell.nucleus());
        ++parts.stained;
      }
  }
  void lay_out(const auto& phantom, const LightSpec& light, auto& flat) {
    figures.figures = cytoplasm_figures(phantom.spec.adherent, light, flat.figures.voxel_um3);
    lay_out(phantom.adherent, phantom.spec.nuclei, flat.figures.pitch, flat.nuclei);
  }
  void for_each_array(auto& view, auto&& visit) const {
    visit(all, view.all);
    visit(heights, view.heights);
    visit(vacuoles, view.vacuoles);
    visit(cytoplasm, view.cytoplasm);
  }
  static std::int64_t bytes(const auto& spec, const Grid& grid) {
    const std::int64_t cells = number_of(spec.adherent, grid);
    if (cells == 0) return 0;
    const double side = 2 * most_reach_um(spec.adherent, grid) / kLatticeUm + 20;
    return cells * (static_cast<std::int64_t>(side * side) * std::int64_t{sizeof(float)} +
                    std::int64_t{sizeof(PlainAdherentCell) + sizeof(NoiseField)} +
                    kMostScale * spec.adherent.vacuoles * std::int64_t{sizeof(Vacuole)} +
                    flat_nucleus_bytes(spec.nuclei));
  }

 private:
  void lay_out(const std::vector<AdherentCell>& cells, const NucleiSpec& spec, const Vector3& pitch,
               FlatNuclei& nuclei);
};

}  // namespace synthoscope::simulator::device
