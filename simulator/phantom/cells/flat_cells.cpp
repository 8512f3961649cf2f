// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/flat_cells.hpp"

namespace synthoscope::simulator::device {

void FlatCells::lay_out(const std::vector<Cell>& cells, const CellsSpec& spec,
                        const LightSpec& light, const Vector3& pitch, FlatNuclei& nuclei) {
  const NucleiSpec its = nuclei_of(spec);
  figures.figures = lit(cell_figures(spec, pitch), light);
  all.reserve(cells.size());
  chromatin.reserve(cells.size());
  cytoplasm.reserve(cells.size());
  for (const Cell& cell : cells) {
    const Nucleus& surface = cell.surface();
    PlainCell plain{surface.centre(), surface.own_axes(), static_cast<int>(nuclei.lobes.size()),
                    -1};
    nuclei.lobes.push_back(surface.lobes().front());
    nuclei.voxels.push_back({});  // keeps indices equal to lobes; its coverage is not used
    if (const Nucleus* nucleus = cell.nucleus()) {
      plain.nucleus = static_cast<int>(nuclei.all.size());
      nuclei.append(*nucleus, pitch, nullptr);
    }
    all.push_back(plain);
    chromatin.push_back(cell.nucleus() && its.texture != TextureKind::none
                            ? noise_of(*cell.nucleus(), its)
                            : NoiseField{RandomStream{0, RandomStage::texture}, 0, 1, 1, {}});
    cytoplasm.push_back(
        chromatin_field(cell.cytoplasm_seed(), kCytoplasmWavelengthUm, kCytoplasmOctaves));
  }
}

}  // namespace synthoscope::simulator::device
