// SPDX-License-Identifier: MIT
// simulator/phantom/cell.hpp — one cell: its surface, its nucleus and what else is in it.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>
#include "simulator/phantom/cell_light.hpp"
#include "simulator/phantom/cells_spec.hpp"
#include "simulator/phantom/nucleus.hpp"
#include "simulator/phantom/stained_strand.hpp"

namespace synthoscope::simulator {

/// Immutable; reads are thread-safe.
class Cell {
 public:
  static constexpr std::string_view kClass = "cell";

  /// Furnishes cell `number` (from 0) of `seed`, whose surface, of one lobe, lies where it is to
  /// lie. A function of its arguments; all but the place is one of (spec, seed, number) and
  /// `spot_depth_um`: spots keep that distance from the membrane where they can, so that the voxel
  /// around the middle of each is one of the cell.
  Cell(const CellsSpec& spec, Nucleus surface, std::uint64_t seed, std::int64_t number,
       double spot_depth_um = 0);

  /// A surface, centred at the origin: see Nucleus::draw, with stage `cells`.
  static Nucleus draw_surface(const CellsSpec& spec, std::uint64_t seed, std::int64_t number);

  /// This cell, as it was drawn, in a pose: all that is in it keeps its place relative to the
  /// surface, and textures turn and grow with it. Tubes become longer as it grows, but no thicker;
  /// balls stay as large as they are.
  [[nodiscard]] Cell posed(const Pose& pose) const;

  void move_by(const Vector3& way);

  /// Leaves out pieces of filopodia that `stop(segment)`, and what lies behind them.
  void cut_filopodia(const std::function<bool(const Segment&)>& stop);

  [[nodiscard]] const Nucleus& surface() const { return surface_; }
  [[nodiscard]] const Nucleus* nucleus() const { return nucleus_.empty() ? nullptr : &nucleus_[0]; }
  [[nodiscard]] std::uint64_t cytoplasm_seed() const { return cytoplasm_seed_; }

  /// Filopodia are of the cell's volume and label; the rest lies inside.
  [[nodiscard]] std::span<const StainedStrand> strands() const { return strands_; }

  [[nodiscard]] Bounds core_bounds() const { return surface_.bounds(); }
  [[nodiscard]] bool core_contains(const Vector3& point) const { return surface_.contains(point); }

  /// @param voxel  those of the nucleus' lobes; may be null for points
  [[nodiscard]] CellShape shape(const VoxelShape* voxel) const;

  [[nodiscard]] Bounds bounds() const { return bounds_; }
  [[nodiscard]] bool contains(const Vector3& point) const;
  [[nodiscard]] Vector3 centroid() const { return centroid_; }
  [[nodiscard]] double volume_um3() const { return volume_um3_; }

  /// Of its core: membrane, cytoplasm, nucleus or nucleolus; none outside.
  [[nodiscard]] Structure core_structure(const Vector3& point, double membrane_um) const;

 private:
  void measure();

  Nucleus surface_;
  std::vector<Nucleus> nucleus_;  ///< one, or none
  std::uint64_t cytoplasm_seed_ = 0;
  std::vector<StainedStrand> strands_;
  Bounds bounds_{};
  double volume_um3_ = 0;
  Vector3 centroid_{};
};

/// The spot_depth_um of a grid: half the diagonal of a voxel.
double spot_depth_um(const Grid& grid);

/// Of the texture of cytoplasm.
inline constexpr double kCytoplasmWavelengthUm = 2;
inline constexpr int kCytoplasmOctaves = 3;

CellFigures cell_figures(const CellsSpec& spec, const Vector3& pitch);

}  // namespace synthoscope::simulator
