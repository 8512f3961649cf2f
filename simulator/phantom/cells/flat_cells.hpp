// SPDX-License-Identifier: MIT
// simulator/phantom/cells/flat_cells.hpp — cells laid out in arrays for a device.
#pragma once
#include <vector>
#include "simulator/phantom/cells/cells_kind.hpp"
#include "simulator/phantom/cells/plain_cells.hpp"
#include "simulator/phantom/nuclei/flat_nuclei.hpp"

namespace synthoscope::simulator::device {

inline CellBody plain_body_of(const Cell&) {
  return {};
}

struct FlatCells {
  PlainCells figures;
  std::vector<PlainCell> all;
  std::vector<NoiseField> chromatin, cytoplasm;

  static void count_nuclei(const auto& phantom, NucleusParts& parts) {
    for (const Cell& cell : phantom.cells) {
      ++parts.lobes;  // its surface
      if (cell.nucleus()) parts.add(*cell.nucleus());
    }
  }
  void lay_out(const auto& phantom, const LightSpec& light, auto& flat) {
    lay_out(phantom.cells, phantom.spec.cells, light, flat.figures.pitch, flat.nuclei);
  }
  void for_each_array(auto& view, auto&& visit) const {
    visit(all, view.all);
    visit(chromatin, view.chromatin);
    visit(cytoplasm, view.cytoplasm);
  }
  static std::int64_t bytes(const auto& spec, const Grid& grid) {
    return number_of(spec.cells, grid) *
           (std::int64_t{sizeof(PlainCell) + sizeof(PlainNucleus) + 2 * sizeof(NoiseField)} +
            2 * std::int64_t{sizeof(Lobe) + sizeof(VoxelShape)} +
            spec.cells.nucleoli * std::int64_t{sizeof(Nucleolus)});
  }

 private:
  void lay_out(const std::vector<Cell>& cells, const CellsSpec& spec, const LightSpec& light,
               const Vector3& pitch, FlatNuclei& nuclei);
};

}  // namespace synthoscope::simulator::device
