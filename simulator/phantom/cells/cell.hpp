// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cell.hpp — one cell: its surface, its nucleus and what else is in it.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>
#include "simulator/phantom/cells/cell_light.hpp"
#include "simulator/phantom/cells/cells_spec.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {

/// A cell: surface, nucleus and organelles. Concurrent reads are thread-safe.
class Cell {
 public:
  static constexpr std::string_view kClass = "cell";

  /// Makes cell `number` (from 0) of `seed` inside a `surface` of one lobe that is placed already.
  /// The result depends on the arguments only; apart from the place it depends only on (spec, seed,
  /// number) and `spot_depth_um`. Spots keep that distance from the membrane if they can, so that
  /// the voxel around the middle of each belongs to the cell.
  Cell(const CellsSpec& spec, Nucleus surface, std::uint64_t seed, std::int64_t number,
       double spot_depth_um = 0);

  /// Draws a surface centred at the origin: see Nucleus::draw, with stage `cells`.
  static Nucleus draw_surface(const CellsSpec& spec, std::uint64_t seed, std::int64_t number);

  /// Returns this cell, which must be as it was drawn, in a pose. Its contents keep their place
  /// relative to the surface, and textures turn and grow with it. Tubes grow in length but not in
  /// thickness; balls keep their size.
  [[nodiscard]] Cell posed(const Pose& pose) const;

  void move_by(const Vector3& way);

  /// Removes the pieces of filopodia for which `stop(segment)` is true, and all that continue from
  /// them.
  void cut_filopodia(const std::function<bool(const Segment&)>& stop);

  [[nodiscard]] const Nucleus& surface() const { return surface_; }
  [[nodiscard]] const Nucleus* nucleus() const { return nucleus_.empty() ? nullptr : &nucleus_[0]; }
  [[nodiscard]] std::uint64_t cytoplasm_seed() const { return cytoplasm_seed_; }

  /// Filopodia belong to the cell's volume and label; all other strands lie inside.
  [[nodiscard]] std::span<const StainedStrand> strands() const { return strands_; }

  [[nodiscard]] Bounds core_bounds() const { return surface_.bounds(); }
  [[nodiscard]] bool core_contains(const Vector3& point) const { return surface_.contains(point); }

  /// Returns a view of this cell, which must outlive it.
  /// @param voxel  one for each lobe of the nucleus; may be null if only points are queried
  [[nodiscard]] CellShape shape(const VoxelShape* voxel) const;

  [[nodiscard]] Bounds bounds() const { return bounds_; }
  [[nodiscard]] bool contains(const Vector3& point) const;
  [[nodiscard]] Vector3 centroid() const { return centroid_; }
  [[nodiscard]] double volume_um3() const { return volume_um3_; }

  /// Returns the structure of the core at a point: membrane, cytoplasm, nucleus or nucleolus; none
  /// outside.
  [[nodiscard]] Structure core_structure(const Vector3& point, double membrane_um) const;

 private:
  void measure();

  Nucleus surface_;
  std::vector<Nucleus> nucleus_;  ///< one or none
  std::uint64_t cytoplasm_seed_ = 0;
  std::vector<StainedStrand> strands_;
  Bounds bounds_{};
  double volume_um3_ = 0;
  Vector3 centroid_{};
};

/// Returns the spot_depth_um of a grid: half the diagonal of a voxel.
double spot_depth_um(const Grid& grid);

/// Texture of the cytoplasm.
inline constexpr double kCytoplasmWavelengthUm = 2;
inline constexpr int kCytoplasmOctaves = 3;

CellFigures cell_figures(const CellsSpec& spec, const Vector3& pitch);

}  // namespace synthoscope::simulator
