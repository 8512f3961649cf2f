// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nuclei_kind.hpp — nuclei as a kind of objects of a phantom.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/nuclei/nuclei_keys.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/nuclei/nucleus_voxels.hpp"
#include "simulator/phantom/nuclei/placement.hpp"
#include "simulator/phantom/nuclei/relaxation.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

/// Draws and places the nuclei of a valid `spec`. Progress advances by one for each.
/// @throws InvalidSpec  as place(). @throws Interrupted  context.stop was set.
std::vector<Nucleus> make_nuclei(const NucleiSpec& spec, const Grid& grid, std::uint64_t seed,
                                 const RunContext& context);

/// Upper bound of the nuclei of lower number that can touch a nucleus, and of the capacity of their
/// list, which grows by doubling.
inline constexpr std::int64_t kMaxNeighbours = 32;

/// Bytes for each nucleus that place() places: CentreRegion, Pushed and orders of Placing.
inline constexpr std::int64_t kPlacingBytes =
    std::int64_t{sizeof(CentreRegion) + sizeof(Pushed) + 4 * sizeof(std::size_t)};

/// Returns the bytes of a nucleus' support, which is allocated separately.
std::int64_t support_bytes();

/// Returns the bytes that making and keeping a nucleus takes.
std::int64_t nucleus_bytes(const NucleiSpec& spec);

/// Returns the largest number of lobes of a nucleus, and of bridges between them.
inline std::int64_t most_lobes_and_bridges(const NucleiSpec& spec) {
  return 2 * spec.most_lobes - 1;
}

/// Nuclei that are separate objects, with their lobes and nucleoli.
void describe(const PlacedObject& placed, const Nucleus& nucleus);

/// The tables for parts of nuclei, which are separate or lie in other objects.
struct NucleusTables {
  const char *lobe, *nucleolus, *fold;
  const char* owner;  ///< the column with the id of the object that has the nucleus
};
/// Numbers of values in a row of a nucleolus, and of the warp in a row of its nucleus; nucleoli
/// with a height have both.
inline std::int64_t nucleolus_values(const NucleiSpec& spec) {
  return spec.nucleolus_height ? 12 : 6;
}
inline std::int64_t warp_values(const NucleiSpec& spec) {
  const bool has_warp = spec.nucleolus_height && spec.nucleoli > 0 && spec.nucleolus_roughness > 0;
  return has_warp ? 14 : 0;
}
/// Number of values in a row of a fold, and the largest number of folds of a nucleus.
inline constexpr std::int64_t kFoldValues = 10;
inline std::int64_t most_folds(const NucleiSpec& spec) {
  return spec.folds > 0 ? kMostFolds : 0;
}
/// Place, turn and texture of a nucleus, and the warp of its nucleoli; its lobes and nucleoli.
void describe(TableRow& row, const Nucleus& nucleus);
void describe_parts(const PlacedObject& placed, const Nucleus& nucleus, const NucleusTables& all);

inline double weight_of(const LightSpec& light, const Nucleus&) {
  return light.nuclei;
}

/// What a nucleus shares with one of lower id belongs to that one.
auto light_of(const Nucleus& nucleus, std::int64_t id, const auto& phantom, const Vector3& pitch,
              const LightSpec& seen) {
  const NucleiSpec& spec = phantom.spec.nuclei;
  return [coverage = OwnCoverage{phantom.nuclei, phantom.lower_neighbours,
                                 static_cast<std::size_t>(id - 1), pitch},
          stain = Stain{nucleus, spec},
          photons = spec.photons_per_um3 * seen.nuclei *
                    (pitch[0] * pitch[1] * pitch[2])](const Vector3& centre) mutable {
    const double covered = coverage(centre);
    return covered == 0 ? 0.0 : covered * (photons * stain(centre));
  };
}

/// Returns the largest number of nucleoli of a nucleus, with each part of one counted.
inline std::int64_t most_nucleolus_parts(const NucleiSpec& spec) {
  return spec.nucleoli * spec.nucleolus_parts;
}

inline Structure structure_at(const Nucleus& nucleus, const Vector3& point) {
  return nucleus.shape().nucleolus_distance(point) <= 1 ? Structure::nucleolus : Structure::nucleus;
}
Structure structure_at(const Nucleus& nucleus, const Vector3& point, const auto&) {
  return structure_at(nucleus, point);
}

inline void move_by(Nucleus& nucleus, const Vector3& way, const Bounds&) {
  nucleus.move_to(nucleus.centre() + way);
}

namespace kinds {

struct Nuclei {
  static constexpr std::string_view kName = "nuclei";
  static constexpr RandomStage kSizeStage = RandomStage::phantom;
  static constexpr std::uint16_t kSizeDraw = 0;
  static constexpr bool kFirstInRecords = true;

  static auto& part(auto& all) { return all.nuclei; }
  static auto& bodies(auto& phantom) { return phantom.nuclei; }
  static double weight(const LightSpec& light) { return light.nuclei; }
  static void list_keys(auto& rows) { list_nuclei_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid& grid) {
    return number_of(all.nuclei, grid) * nucleus_bytes(all.nuclei);
  }
  static void draw(auto& phantom, std::uint64_t seed, const RunContext& context) {
    phantom.nuclei = make_nuclei(phantom.spec.nuclei, phantom.grid, seed, context);
  }
  static void settle(auto& phantom) {
    phantom.lower_neighbours = overlaps_of(phantom.nuclei, phantom.spec.nuclei.gap_um);
  }
  static Obstacles obstacles(const auto& phantom) {
    return {"nuclei and cells", "", std::ssize(phantom.nuclei),
            [&nuclei = phantom.nuclei](const Vector3& middle, double radius_um, double gap_um) {
              return std::all_of(nuclei.begin(), nuclei.end(), [&](const Nucleus& nucleus) {
                return is_apart_from_ball(nucleus, middle, radius_um, gap_um);
              });
            }};
  }
  static TableSizes tables(const auto& world) {
    const NucleiSpec& spec = world.spec.nuclei;
    const std::int64_t nuclei = world.frames * number_of(spec, world.grid);
    return {{"/nucleus", nuclei, 15 + warp_values(spec)},
            {"/nucleus/lobe", nuclei * most_lobes_and_bridges(spec), 4 + kLobeValues},
            {"/nucleus/nucleolus", nuclei * most_nucleolus_parts(spec), nucleolus_values(spec)},
            {"/nucleus/fold", nuclei * most_folds(spec), kFoldValues},
            {"/nucleus/pose", world.nucleus_poses, 14}};
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
