// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/tissue_kind.hpp — the cells of a tissue as a kind of objects of a
// phantom.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>
#include "simulator/base/range.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kind/intensity_keys.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/nuclei/nuclei_kind.hpp"
#include "simulator/phantom/tissue/tissue.hpp"
#include "simulator/phantom/tissue/tissue_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_tissue_keys(Rows& rows) {
  list_number_keys(rows, "0, unless density_per_mm3 is given");
  rows.add("axis_ratios", "", Range{0.1, 10},
           "lengths of cells along z, y and x, up to a common factor", &TissueSpec::axis_ratios);
  rows.add("size_spread", "", Range{0, 0.25},
           "standard deviation, divided by the mean, of the radius that a cell claims against its "
           "neighbours",
           &TissueSpec::size_spread);
  rows.add("regularity", "", Range{0, 50},
           "how many times all points move to the middles of their cells, which makes cells more "
           "similar; 0: cells of scattered points",
           &TissueSpec::regularity);
  rows.add("gap_um", "um", Range{0, kHuge}, "distance between two cells", &TissueSpec::gap_um);
  rows.add("membrane_um", "um", Range{0, kHuge},
           "thickness of the membrane, a layer under the sides towards other cells",
           &TissueSpec::membrane_um);
  rows.add(
      "nuclei", "", kAny,
      "a nucleus in the middle of every cell, made with the keys of [nuclei]; a nucleus that would "
      "reach the membrane is made smaller. It has the id of its cell",
      &TissueSpec::nuclei);
  rows.add("membrane_photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of membrane; 0: not stained",
           &TissueSpec::membrane_photons_per_um3);
  rows.add("cytoplasm_photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of the cytoplasm, outside membrane and nucleus",
           &TissueSpec::cytoplasm_photons_per_um3);
  list_intensity_keys(rows, "cells of the tissue");
}

/// Returns the largest weight of membrane, cytoplasm and nucleus; each has its own.
inline double weight_of(const LightSpec& light, const TissueCell&) {
  return light_of_cores(light);
}

/// Returns the stain under a light, for all but the nuclei.
inline TissueStain lit(TissueStain stain, const LightSpec& light) {
  stain.membrane_photons *= light.membrane;
  stain.cytoplasm_photons *= light.cytoplasm;
  return stain;
}

auto light_of(const TissueCell& cell, std::int64_t, const auto& phantom, const Vector3& pitch,
              const LightSpec& seen) {
  const NucleiSpec& nuclei = phantom.spec.nuclei;
  const double voxel_um3 = pitch[0] * pitch[1] * pitch[2];
  std::optional<NucleusInside> inside;
  if (cell.nucleus) inside.emplace(*cell.nucleus, nuclei, pitch);
  return
      [&cell, pitch, inside = std::move(inside),
       around = lit(tissue_stain(phantom.spec.tissue, voxel_um3), seen),
       photons = nuclei.photons_per_um3 * seen.nuclei * voxel_um3](const Vector3& centre) mutable {
        const double covered = inside ? inside->coverage(centre) : 0;
        const double light = light_around_nucleus(cell.shape(), around, covered, centre, pitch);
        return covered == 0 ? light : light + covered * (photons * inside->stain(centre));
      };
}

/// As for light: membrane and cytoplasm are outside the nucleus.
Structure structure_at(const TissueCell& cell, const Vector3& point, const auto& spec) {
  if (cell.nucleus && cell.nucleus->contains(point)) return structure_at(*cell.nucleus, point);
  return cell.shape(spec.tissue.membrane_um).contains(point) ? Structure::cytoplasm
                                                             : Structure::membrane;
}

/// Cells with their sides, and with their nuclei, lobes and nucleoli.
void describe(const PlacedObject& placed, const TissueCell& cell);

namespace kinds {

struct Tissue {
  static constexpr std::string_view kName = "tissue";
  static constexpr RandomStage kSizeStage = RandomStage::tissue;
  static constexpr std::uint16_t kSizeDraw = 1;
  static constexpr bool kHasStructures = true;

  static auto& part(auto& all) { return all.tissue; }
  static auto& bodies(auto& phantom) { return phantom.tissue; }
  static double weight(const LightSpec& light) { return light_of_cores(light); }
  static void list_keys(auto& rows) { list_tissue_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid& grid) {
    return number_of(all.tissue, grid) * (tissue_cell_bytes() + nucleus_bytes(all.nuclei));
  }
  static void place(auto& phantom, std::uint64_t seed, const RunContext& context) {
    phantom.tissue =
        make_tissue(phantom.spec.tissue, phantom.spec.nuclei, phantom.grid, seed, context);
  }
  static Obstacles obstacles(const auto& phantom) {
    return {"cells of a tissue", "a larger tissue.gap_um", std::ssize(phantom.tissue),
            [&cells = phantom.tissue](const Vector3& middle, double radius_um, double gap_um) {
              const double away = radius_um + gap_um;
              return std::all_of(cells.begin(), cells.end(), [&](const TissueCell& cell) {
                return std::any_of(
                    cell.sides().begin(), cell.sides().end(),
                    [&](const HalfSpace& side) { return side.depth(middle) <= -away; });
              });
            }};
  }
  static TableSizes tables(const auto& world) {
    const NucleiSpec& nuclei = world.spec.nuclei;
    const std::int64_t cells = number_of(world.spec.tissue, world.grid);
    const std::int64_t all = world.frames * cells;
    return {{"/tissue", all, 6},
            {"/tissue/side", world.frames * most_sides_of(cells), 5},
            {"/tissue/nucleus", all, 14 + warp_values(nuclei)},
            {"/tissue/lobe", all * most_lobes_and_bridges(nuclei), 4 + kLobeValues},
            {"/tissue/nucleolus", all * most_nucleolus_parts(nuclei), nucleolus_values(nuclei)},
            {"/tissue/fold", all * most_folds(nuclei), kFoldValues}};
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
