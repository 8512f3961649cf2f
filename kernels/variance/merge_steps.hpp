// SPDX-License-Identifier: MIT
// kernels/variance/merge_steps.hpp — windows as a chain of merges: which parts are joined, one axis
// after another, so that every window is a by-product of the next.
#pragma once
#include <span>
#include <vector>
#include "kernels/variance/window.hpp"

namespace synthoscope::kernels {

enum class Axis { z, y, x };

/// Makes a signal, which is a Part for every voxel, from earlier ones. Signal 0 is the image, whose
/// parts are single voxels; step i makes signal i + 1.
struct MergeStep {
  Axis axis = Axis::x;
  int sides = 0, centre = 0;  ///< signals that are joined
  std::int64_t spacing = 1;   ///< distance of the sides from the centre; of neighbours with `taps`
  double side = 0.25;         ///< weight of a side; the centre has 1 - 2 side
  std::vector<double> taps;   ///< instead of `side`: weights from the centre outwards

  /// Returns how many voxels along `axis` are read on either side.
  [[nodiscard]] std::int64_t reach() const {
    return taps.empty() ? spacing : static_cast<std::int64_t>(taps.size()) - 1;
  }
};

/// Steps in the order in which they are made.
struct MergeSteps {
  std::vector<MergeStep> steps;
  std::vector<int> results;  ///< the signal of each window
  /// For each signal, how far around a box of results it is needed; for signal 0 this is the reach.
  std::vector<Extent3> margins;

  [[nodiscard]] const Extent3& reach() const { return margins.front(); }
};

/// Returns the steps that make `windows`. A triangle of half-width 2 R joins triangles of R with
/// weights 1 2 1 at a spacing of R; one of odd R is two boxes of R. A box of 3 N is three boxes of
/// N side by side; others are two of N with a voxel between them, or one of N - 2 with a voxel on
/// either side. A Gaussian is one step along each axis. Of several windows, each is made from the
/// one before.
/// @param windows  at least one; if several, triangles with sizes that are whole multiples of the
///                 one before.
/// @throws InvalidSpec  they are not, or as require_valid.
MergeSteps merge_steps(std::span<const LocalWindow> windows);

}  // namespace synthoscope::kernels
