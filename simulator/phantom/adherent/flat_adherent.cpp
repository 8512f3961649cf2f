// SPDX-License-Identifier: MIT
#include "simulator/phantom/adherent/flat_adherent.hpp"

namespace synthoscope::simulator::device {

void FlatAdherent::lay_out(const std::vector<AdherentCell>& cells, const NucleiSpec& spec,
                           const Vector3& pitch, FlatNuclei& nuclei) {
  std::size_t nodes = 0, holes = 0;
  const auto nodes_of = [](const HeightMap& map) {
    return static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns);
  };
  for (const AdherentCell& cell : cells) {
    nodes += nodes_of(cell.shape().map);
    holes += cell.vacuoles().size();
  }
  all.reserve(cells.size());
  heights.reserve(nodes);
  vacuoles.reserve(holes);
  cytoplasm.reserve(cells.size());
  figures.noise_shift = static_cast<int>(nuclei.noise.size()) - static_cast<int>(nuclei.all.size());
  for (const AdherentCell& cell : cells) {
    PlainAdherentCell plain{cell.shape(), static_cast<std::int64_t>(heights.size()),
                            static_cast<int>(vacuoles.size()), -1};
    const float* const values = plain.shape.map.values;
    heights.insert(heights.end(), values, values + nodes_of(plain.shape.map));
    vacuoles.insert(vacuoles.end(), cell.vacuoles().begin(), cell.vacuoles().end());
    plain.shape.map.values = nullptr;
    plain.shape.vacuoles = nullptr;
    if (cell.nucleus()) {
      plain.nucleus = static_cast<int>(nuclei.all.size());
      nuclei.append(*cell.nucleus(), pitch, &spec);
    }
    all.push_back(plain);
    cytoplasm.push_back(
        chromatin_field(cell.cytoplasm_seed(), kGroundSubstanceUm, kGroundSubstanceOctaves));
  }
}

}  // namespace synthoscope::simulator::device
