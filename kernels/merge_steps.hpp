// SPDX-License-Identifier: MIT
// kernels/merge_steps.hpp — windows as a chain of merges: which parts are joined, one axis after
// another, so that every window is a by-product of the next.
#pragma once
#include <span>
#include <vector>
#include "kernels/variance_window.hpp"

namespace synthoscope::kernels {

enum class Axis { z, y, x };

/// Makes a signal, which is a Part for every voxel, of earlier ones. Signal 0 is the image, whose
/// parts are voxels; step i makes signal i + 1.
struct MergeStep {
  Axis axis = Axis::x;
  int sides = 0, centre = 0;  ///< signals that are joined
  std::int64_t spacing = 1;   ///< the sides lie so far from the centre; of neighbours with `taps`
  double side = 0.25;         ///< weight of a side; that of the centre is 1 - 2 side
  std::vector<double> taps;   ///< instead of `side`: weights from the centre outwards

  /// Voxels along `axis` that are looked at to either side.
  [[nodiscard]] std::int64_t reach() const {
    return taps.empty() ? spacing : static_cast<std::int64_t>(taps.size()) - 1;
  }
};

/// Steps in the order in which they are made.
struct MergeSteps {
  std::vector<MergeStep> steps;
  std::vector<int> results;  ///< the signal that each window is
  /// For each signal how far around a box of results it is wanted; that of signal 0 is the reach.
  std::vector<Extent3> margins;

  [[nodiscard]] const Extent3& reach() const { return margins.front(); }
};

/// Triangles of half-width 2 R are those of R joined 1 2 1 at a spacing of R, those of odd R two
/// boxes of R; boxes of 3 N are three of N side by side, others two of N and a voxel between them
/// or one of N - 2 and a voxel to either side. A Gaussian is one step along each axis.
/// Of several windows each is made of the one before.
/// @param windows  at least one; of several, each a triangle of whole multiples of the one before.
/// @throws InvalidSpec  they are not, or require_valid throws.
MergeSteps merge_steps(std::span<const LocalWindow> windows);

}  // namespace synthoscope::kernels
