// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/flat_tissue.hpp — the cells of a tissue laid out in arrays for a device.
#pragma once
#include <vector>
#include "simulator/phantom/nuclei/flat_nuclei.hpp"
#include "simulator/phantom/tissue/plain_tissue.hpp"
#include "simulator/phantom/tissue/tissue_kind.hpp"

namespace synthoscope::simulator::device {

inline TissueCellBody plain_body_of(const TissueCell&) {
  return {};
}

struct FlatTissue {
  PlainTissue figures;
  std::vector<PlainTissueCell> all;
  std::vector<HalfSpace> sides;

  static void count_nuclei(const auto& phantom, NucleusParts& parts) {
    for (const TissueCell& cell : phantom.tissue)
      if (cell.nucleus) {
        parts.add(*cell.nucleus);
        ++parts.stained;
      }
  }
  void lay_out(const auto& phantom, const LightSpec& light, auto& flat) {
    figures.stain = lit(tissue_stain(phantom.spec.tissue, flat.figures.voxel_um3), light);
    lay_out(phantom.tissue, phantom.spec.nuclei, flat.figures.pitch, flat.nuclei);
  }
  void for_each_array(auto& view, auto&& visit) const {
    visit(all, view.all);
    visit(sides, view.sides);
  }
  static std::int64_t bytes(const auto& spec, const Grid& grid) {
    return number_of(spec.tissue, grid) *
           (std::int64_t{sizeof(PlainTissueCell)} + kMaxSides * std::int64_t{sizeof(HalfSpace)} +
            flat_nucleus_bytes(spec.nuclei));
  }

 private:
  void lay_out(const std::vector<TissueCell>& cells, const NucleiSpec& spec, const Vector3& pitch,
               FlatNuclei& nuclei);
};

}  // namespace synthoscope::simulator::device
