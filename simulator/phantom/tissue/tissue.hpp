// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/tissue.hpp — cells side by side, each a polyhedron with a membrane and a
// nucleus.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/geometry/half_space.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/tissue/tissue_light.hpp"
#include "simulator/phantom/tissue/tissue_spec.hpp"

namespace synthoscope::simulator {

/// A cell of a tissue: the space within its sides and the grid.
class TissueCell {
 public:
  static constexpr std::string_view kClass = "cell";

  /// @param sides  towards other cells, gaps already subtracted
  /// @param field  the grid, which cuts the cell
  TissueCell(std::vector<HalfSpace> sides, const Bounds& field);

  [[nodiscard]] const std::vector<HalfSpace>& sides() const { return sides_; }

  /// Returns the part at least `inset_um` below its sides, as a view of this cell, which must
  /// outlive it.
  [[nodiscard]] ConvexShape shape(double inset_um = 0) const {
    return {sides_.data(), static_cast<int>(sides_.size()), inset_um};
  }
  [[nodiscard]] bool contains(const Vector3& point) const { return shape().contains(point); }

  /// Return bounds, centroid and volume of the part in the grid, exact except for rounding; all 0
  /// for an empty cell.
  [[nodiscard]] Bounds bounds() const { return bounds_; }
  [[nodiscard]] Vector3 centroid() const { return centroid_; }
  [[nodiscard]] double volume_um3() const { return volume_um3_; }

  std::optional<Nucleus> nucleus;  ///< lies wholly within the membrane

 private:
  std::vector<HalfSpace> sides_;
  Bounds bounds_{};
  Vector3 centroid_{};
  double volume_um3_ = 0;
};

/// Moves a cell; the grid `field` cuts it anew. One without a side towards a face of the grid
/// continues beyond that face.
void move_by(TissueCell& cell, const Vector3& way, const Bounds& field);

/// Upper bound of a cell's sides in the mean over a tissue; cells of scattered points have 15.5 in
/// the mean. Tissue with more is refused, so that memory counted by it is a bound.
inline constexpr std::int64_t kMaxSides = 24;

/// Returns the largest number of sides of all cells of a tissue together; a cell has one at most
/// towards each other cell.
std::int64_t most_sides_of(std::int64_t cells);

/// Returns the stain for voxels of `voxel_um3`.
inline TissueStain tissue_stain(const TissueSpec& spec, double voxel_um3) {
  return {spec.membrane_um, spec.membrane_photons_per_um3 * voxel_um3,
          spec.cytoplasm_photons_per_um3 * voxel_um3};
}

/// Returns the bytes that making and keeping a cell takes, without its nucleus.
std::int64_t tissue_cell_bytes();

/// Makes the cells of a valid `spec` on `grid`: a function of (spec, nuclei, grid, seed).
///
/// Points are uniform at first and claim balls of equal mean volume; then all of them move to the
/// middles of their cells, `regularity` times. Lengths along z, y, x are measured in units of
/// axis_ratios. Draws, fixed by contract: stage `tissue`, index = number of the cell; draw 0 gives
/// z, y, x by words 0, 1, 2; draw 1 gives its radius. Its nucleus is nucleus 2^40 + number of the
/// stage `phantom`, as `nuclei` describes it; one that would reach the membrane is drawn smaller.
/// @throws InvalidSpec  the cells have more sides than most_sides_of.
/// @throws Interrupted  context.stop was set.
std::vector<TissueCell> make_tissue(const TissueSpec& spec, const NucleiSpec& nuclei,
                                    const Grid& grid, std::uint64_t seed,
                                    const RunContext& context);

}  // namespace synthoscope::simulator
