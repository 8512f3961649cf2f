// SPDX-License-Identifier: MIT
#include "simulator/phantom/tissue/flat_tissue.hpp"

namespace synthoscope::simulator::device {

void FlatTissue::lay_out(const std::vector<TissueCell>& cells, const NucleiSpec& spec,
                         const Vector3& pitch, FlatNuclei& nuclei) {
  std::size_t side_count = 0;
  for (const TissueCell& cell : cells) side_count += cell.sides().size();
  all.reserve(cells.size());
  sides.reserve(side_count);
  figures.noise_shift = static_cast<int>(nuclei.noise.size()) - static_cast<int>(nuclei.all.size());
  for (const TissueCell& cell : cells) {
    PlainTissueCell plain{static_cast<int>(sides.size()), static_cast<int>(cell.sides().size())};
    sides.insert(sides.end(), cell.sides().begin(), cell.sides().end());
    if (cell.nucleus) {
      plain.nucleus = static_cast<int>(nuclei.all.size());
      nuclei.append(*cell.nucleus, pitch, &spec);
    }
    all.push_back(plain);
  }
}

}  // namespace synthoscope::simulator::device
