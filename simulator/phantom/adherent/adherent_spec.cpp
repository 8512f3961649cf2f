// SPDX-License-Identifier: MIT
#include "simulator/phantom/adherent/adherent_spec.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/adherent/adherent_cells.hpp"
#include "simulator/phantom/adherent/adherent_keys.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"

namespace synthoscope::simulator {

std::int64_t number_of(const AdherentSpec& spec, const Grid& grid) {
  if (spec.count) return *spec.count;
  if (!spec.density_per_mm2) return 0;
  // More objects than labels hold are refused elsewhere, so the number may be capped here
  constexpr double kEnough = 1e9, kUm2PerMm2 = 1e6;
  const auto [z, y, x] = size_um(grid);
  return std::llround(std::min(kEnough, *spec.density_per_mm2 * (y * x / kUm2PerMm2)));
}

double most_reach_um(const AdherentSpec& spec, const Grid& grid) {
  if (spec.arrangement == AdherentArrangement::monolayer)
    return 2.5 * std::sqrt(mean_area_um2(spec, grid)) + 1;
  return most_adhesion_um(spec) + 8;
}

StrandCount strands_of_cell(const AdherentSpec& s) {
  StrandCount count;
  const auto add = [&](std::int64_t strands, std::int64_t pieces) {
    if (pieces == 0) return;
    count.strands += strands;
    count.pieces += pieces;
  };
  add(kFibreStrands, most_adherent_pieces::of_fibres(s) + most_adherent_pieces::of_edges(s) +
                         most_adherent_pieces::of_mesh(s));
  add(kWallStrands + 1, most_adherent_pieces::of_mitochondria(s));
  add(1, kMostScale * s.granules);
  if (s.arrangement == AdherentArrangement::spread) add(1, most_adherent_pieces::of_retraction(s));
  return count;
}

StrandCount strands_of_all(const AdherentSpec& spec, const Grid& grid) {
  const std::int64_t cells = number_of(spec, grid);
  const auto [strands, pieces] = strands_of_cell(spec);
  if (cells == 0) return {};
  // A cell has the pieces of up to kMostScale cells of mean area
  const std::int64_t means = spec.arrangement == AdherentArrangement::monolayer
                                 ? std::min(cells + kMostScale, kMostScale * cells)
                                 : kMostScale * cells;
  return {cells * strands, pieces / kMostScale * means};
}

void require_valid(const AdherentSpec& s, const Grid& grid) {
  if (s.count && s.density_per_mm2)
    throw InvalidSpec(
        fmt::format("check the scene: adherent.count is {} and adherent.density_per_mm2 is {}; "
                    "give one of the two",
                    *s.count, *s.density_per_mm2));
  RangeCheck check{"adherent", s};
  list_adherent_keys(check);
  if (s.fewest_adhesions > s.most_adhesions)
    throw InvalidSpec(
        fmt::format("check the scene: adherent.fewest_adhesions is {} and adherent.most_adhesions "
                    "is {}; give a fewest that is not larger than the most",
                    s.fewest_adhesions, s.most_adhesions));
  if (number_of(s, grid) == 0) return;
  const auto [z, y, x] = size_um(grid);
  if (s.glass_um < 0 || s.glass_um >= z)
    throw InvalidSpec(
        fmt::format("check the scene: adherent.glass_um puts the glass {} um above the lowest face "
                    "of the grid with its margin, which is {} um high; give a height within it, or "
                    "a larger grid.margin_um",
                    s.glass_um, z));
}

}  // namespace synthoscope::simulator
