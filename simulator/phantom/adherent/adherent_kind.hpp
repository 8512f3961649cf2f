// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_kind.hpp — cells on a cover glass as a kind of objects of a
// phantom.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include "core/run/run_context.hpp"
#include "simulator/phantom/adherent/adherent_cells.hpp"
#include "simulator/phantom/adherent/adherent_keys.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/nuclei/nuclei_kind.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {

/// Returns the larger weight of cytoplasm and nucleus; each has its own.
inline double weight_of(const LightSpec& light, const AdherentCell&) {
  return std::max(light.cytoplasm, light.nuclei);
}

/// Returns the weight of strands of a structure.
inline double weight_of(const LightSpec& light, const AdherentCell&, Structure structure) {
  switch (structure) {
    case Structure::actin:
      return light.actin;
    case Structure::mitochondrion:
      return light.mitochondria;
    case Structure::vesicle:
      return light.vesicles;
    case Structure::filopodium:
      return light.filopodia;
    default:
      return 0;
  }
}

/// Returns the stain of the cytoplasm under a light, for voxels of `voxel_um3`.
inline CytoplasmFigures cytoplasm_figures(const AdherentSpec& spec, const LightSpec& light,
                                          double voxel_um3) {
  return {spec.cytoplasm_photons_per_um3 * light.cytoplasm * voxel_um3, spec.cytoplasm_contrast,
          spec.perinuclear};
}

auto light_of(const AdherentCell& cell, std::int64_t, const auto& phantom, const Vector3& pitch,
              const LightSpec& seen) {
  const NucleiSpec& nuclei = phantom.spec.nuclei;
  const double voxel_um3 = pitch[0] * pitch[1] * pitch[2];
  std::optional<NucleusInside> inside;
  if (cell.nucleus()) inside.emplace(*cell.nucleus(), nuclei, pitch);
  return
      [shape = cell.shape(), pitch, inside = std::move(inside),
       figures = cytoplasm_figures(phantom.spec.adherent, seen, voxel_um3),
       texture = Texture{cell.cytoplasm_seed(), kGroundSubstanceUm, kGroundSubstanceOctaves},
       photons = nuclei.photons_per_um3 * seen.nuclei * voxel_um3](const Vector3& centre) mutable {
        const double covered = inside ? inside->coverage(centre) : 0;
        const double light = light_of_cytoplasm(figures, shape, covered, centre, pitch,
                                                [&](const Vector3& p) { return texture(p); });
        return covered == 0 ? light : light + covered * (photons * inside->stain(centre));
      };
}

inline Structure structure_at(const AdherentCell& cell, const Vector3& point, const auto&) {
  return cell.core_structure(point);
}

inline void move_by(AdherentCell& cell, const Vector3& way, const Bounds&) {
  cell.move_by(way);
}

/// Cells with their nuclei, vacuoles and the pieces of their strands.
void describe(const PlacedObject& placed, const AdherentCell& cell);

namespace kinds {

struct Adherent {
  static constexpr std::string_view kName = "adherent";
  static constexpr bool kHasStructures = true;

  static auto& part(auto& all) { return all.adherent; }
  static auto& bodies(auto& phantom) { return phantom.adherent; }
  static double weight(const LightSpec& light) {
    return std::max({light.cytoplasm, light.nuclei, light.mitochondria, light.actin, light.vesicles,
                     light.filopodia});
  }
  /// Everything but the nucleus: a lamella is thinner than most planes.
  static bool has_small_lights(const AdherentSpec&, const LightSpec& light) {
    return std::max({light.cytoplasm, light.mitochondria, light.actin, light.vesicles,
                     light.filopodia}) > 0;
  }
  static void list_keys(auto& rows) { list_adherent_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid& grid) {
    return adherent_bytes(all.adherent, grid) +
           number_of(all.adherent, grid) * 2 * nucleus_bytes(all.nuclei);
  }
  static StrandCount strands(const auto& all, const Grid& grid) {
    return strands_of_all(all.adherent, grid);
  }
  static void place(auto& phantom, std::uint64_t seed, const RunContext& context) {
    phantom.adherent = make_adherent_cells(phantom.spec.adherent, phantom.spec.nuclei, phantom.grid,
                                           seed, context);
  }
  static Obstacles obstacles(const auto& phantom) {
    return {"adherent cells", "", std::ssize(phantom.adherent),
            [&cells = phantom.adherent](const Vector3& middle, double radius_um, double gap_um) {
              return std::all_of(cells.begin(), cells.end(), [&](const AdherentCell& cell) {
                return is_clear_of_ball(cell, middle, radius_um + gap_um);
              });
            }};
  }
  static TableSizes tables(const auto& world) {
    const AdherentSpec& spec = world.spec.adherent;
    const NucleiSpec& nuclei = world.spec.nuclei;
    const std::int64_t all = world.frames * number_of(spec, world.grid);
    return {{"/adherent", all, 9},
            {"/adherent/vacuole", all * kMostScale * spec.vacuoles, 6},
            {"/adherent/nucleus", all, 14 + warp_values(nuclei)},
            {"/adherent/lobe", all * most_lobes_and_bridges(nuclei), 4 + kLobeValues},
            {"/adherent/nucleolus", all * most_nucleolus_parts(nuclei), nucleolus_values(nuclei)},
            {"/adherent/fold", all * most_folds(nuclei), kFoldValues},
            {"/adherent/segment", world.frames * strands_of_all(spec, world.grid).pieces,
             3 + kSegmentValues}};
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
