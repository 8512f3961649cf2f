// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cells_kind.hpp — cells as a kind of objects of a phantom.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/cells/cell.hpp"
#include "simulator/phantom/cells/cells_keys.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/nuclei/placement.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {

/// Ends every filopodium before the first of its pieces that comes near another cell's core or one
/// of `nuclei`. Filopodia of two cells may cross. The result depends on the arguments only, so that
/// filopodia retract as their cell approaches others.
void end_filopodia_at_neighbours(std::vector<Cell>& cells, const std::vector<Nucleus>& nuclei);

/// Bytes of temporary memory of end_filopodia_at_neighbours for each cell and nucleus.
inline constexpr std::int64_t kFilopodiaBytes = 64;

/// Places surfaces away from `nuclei`, then makes the cells in them. Progress advances by one for
/// each, and a warning says which organelles do not fit.
/// @param nuclei_gap_um  least distance to nuclei, if larger than spec.gap_um
/// @throws InvalidSpec  as place(). @throws Interrupted  context.stop was set.
std::vector<Cell> make_cells(const CellsSpec& spec, const std::vector<Nucleus>& nuclei,
                             double nuclei_gap_um, const Grid& grid, std::uint64_t seed,
                             const RunContext& context);

/// Returns the bytes that making and keeping a cell takes, without its strands.
std::int64_t cell_bytes(const CellsSpec& spec);

/// Returns the largest weight of membrane, cytoplasm and nucleus; each has its own, see lit.
inline double weight_of(const LightSpec& light, const Cell&) {
  return light_of_cores(light);
}

/// Returns the weight of strands of a structure.
double weight_of(const LightSpec& light, const Cell&, Structure structure);

/// Returns the figures of a cell's core under a light.
inline CellFigures lit(CellFigures figures, const LightSpec& light) {
  figures.membrane_photons *= light.membrane;
  figures.cytoplasm_photons *= light.cytoplasm;
  figures.nucleus_photons *= light.nuclei;
  return figures;
}

auto light_of(const Cell& cell, std::int64_t, const auto& phantom, const Vector3& pitch,
              const LightSpec& seen) {
  const CellsSpec& spec = phantom.spec.cells;
  const Nucleus* const nucleus = cell.nucleus();
  const NucleiSpec its = nuclei_of(spec);
  return [&cell, pitch, figures = lit(cell_figures(spec, pitch), seen),
          voxel = nucleus ? nucleus->voxel_shape(pitch) : NucleusVoxel{},
          chromatin = nucleus && its.texture != TextureKind::none
                          ? std::optional<Texture>{Texture{nucleus->texture_seed(),
                                                           its.texture_wavelength_um,
                                                           static_cast<int>(its.texture_octaves)}}
                          : std::nullopt,
          cytoplasm = Texture{cell.cytoplasm_seed(), kCytoplasmWavelengthUm, kCytoplasmOctaves}](
             const Vector3& centre) mutable {
    return light_of_cell(
        figures, cell.shape(voxel.lobes.data()), centre, pitch,
        [&](const Vector3& p) { return (*chromatin)(p); },
        [&](const Vector3& p) { return cytoplasm(p); });
  };
}

Structure structure_at(const Cell& cell, const Vector3& point, const auto& spec) {
  return cell.core_structure(point, spec.cells.membrane_um);
}

inline void move_by(Cell& cell, const Vector3& way, const Bounds&) {
  cell.move_by(way);
}

/// Cells with their surface, nucleus and the pieces of their strands.
void describe(const PlacedObject& placed, const Cell& cell);

namespace kinds {

struct Cells {
  static constexpr std::string_view kName = "cells";
  static constexpr RandomStage kSizeStage = RandomStage::cells;
  static constexpr std::uint16_t kSizeDraw = 0;
  static constexpr bool kHasStructures = true;

  static auto& part(auto& all) { return all.cells; }
  static auto& bodies(auto& phantom) { return phantom.cells; }
  static double weight(const LightSpec& light) {
    return std::max({light_of_cores(light), light.mitochondria, light.microtubules, light.actin,
                     light.vesicles, light.spots, light.filopodia});
  }
  /// Filaments, vesicles and spots; mitochondria are thick enough.
  static bool has_small_lights(const CellsSpec& spec, const LightSpec& light) {
    const auto is_lit = [](std::int64_t count, double photons, double weight) {
      return count > 0 && photons * weight > 0;
    };
    return is_lit(spec.microtubules, spec.microtubule_photons_per_um, light.microtubules) ||
           is_lit(spec.actin_fibres, spec.actin_photons_per_um, light.actin) ||
           is_lit(spec.vesicles, spec.vesicle_photons_per_um3, light.vesicles) ||
           is_lit(spec.spots, spec.spot_photons, light.spots);
  }
  static void list_keys(auto& rows) { list_cells_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid& grid) {
    const std::int64_t cells = number_of(all.cells, grid), nuclei = number_of(all.nuclei, grid);
    return cells * cell_bytes(all.cells) + (cells + nuclei) * kFilopodiaBytes;
  }
  static StrandCount strands(const auto& all, const Grid& grid) {
    const std::int64_t cells = number_of(all.cells, grid);
    if (cells == 0) return {};
    const auto [strands, pieces] = strands_of_cell(all.cells);
    return {cells * strands, cells * pieces};
  }
  static void draw(auto& phantom, std::uint64_t seed, const RunContext& context) {
    phantom.cells = make_cells(phantom.spec.cells, phantom.nuclei, phantom.spec.nuclei.gap_um,
                               phantom.grid, seed, context);
  }
  static void settle(auto& phantom) { end_filopodia_at_neighbours(phantom.cells, phantom.nuclei); }
  static Obstacles obstacles(const auto& phantom) {
    return {"nuclei and cells", "", std::ssize(phantom.cells),
            [&cells = phantom.cells](const Vector3& middle, double radius_um, double gap_um) {
              return std::all_of(cells.begin(), cells.end(), [&](const Cell& cell) {
                return is_apart_from_ball(cell.surface(), middle, radius_um, gap_um);
              });
            }};
  }
  static TableSizes tables(const auto& world) {
    const CellsSpec& spec = world.spec.cells;
    const std::int64_t cells = world.frames * number_of(spec, world.grid);
    return {{"/cell", cells, 15},
            {"/cell/surface", cells, 1 + kLobeValues},
            {"/cell/nucleus", cells, 5 + kLobeValues},
            {"/cell/nucleolus", cells * spec.nucleoli, 5},
            {"/cell/pose", world.cell_poses, 14},
            {"/cell/segment", cells * strands_of_cell(spec).pieces, 2 + kSegmentValues}};
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
