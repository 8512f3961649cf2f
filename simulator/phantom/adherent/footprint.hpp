// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/footprint.hpp — the area of glass that a cell covers: on a lattice,
// how far each node lies from its border.
#pragma once
#include <functional>
#include <vector>
#include "simulator/phantom/adherent/outline.hpp"
#include "simulator/phantom/geometry/height_map.hpp"

namespace synthoscope::simulator {

/// Step of the lattices of cells.
inline constexpr double kLatticeUm = 0.2;

/// Values at the nodes of a square lattice.
struct PlaneField {
  int rows = 0, columns = 0;
  double y_um = 0, x_um = 0;  ///< of the first node
  std::vector<float> values;

  /// Makes a lattice that covers a rectangle, with values of 0.
  static PlaneField over(const Point2& low, const Point2& high);

  [[nodiscard]] Point2 place(int row, int column) const {
    return {y_um + row * kLatticeUm, x_um + column * kLatticeUm};
  }
  [[nodiscard]] std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
  float& node(int row, int column) { return values[index(row, column)]; }
  [[nodiscard]] double node(int row, int column) const {
    return static_cast<double>(values[index(row, column)]);
  }

  /// Returns a view for points between nodes; this field must outlive it.
  [[nodiscard]] HeightMap view() const {
    return {values.data(), rows, columns, y_um, x_um, kLatticeUm, 0, 0};
  }
};

/// Returns the distances from the border of a polygon together with a tapered band from the origin
/// to each adhesion, below 0 outside. Without the bands, edges that bend inwards on both sides of a
/// far adhesion could cut it off.
PlaneField footprint_of(const CellOutline& outline);

/// Adds small irregularities to a border, by noise of `seed`.
void roughen(PlaneField& distances, std::uint64_t seed);

/// Keeps what is at least 2 `radius_um` wide and connected with `middle`, so that its voxels make
/// one piece if radius_um is at least 0.75 of their edges. Distances are computed anew.
void keep_one_piece(PlaneField& distances, double radius_um, const Point2& middle);

/// Replaces distances beyond `near_um` from the border, which may be bounds, by those on the
/// lattice.
void measure_far(PlaneField& distances, double near_um);

}  // namespace synthoscope::simulator
