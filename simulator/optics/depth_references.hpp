// SPDX-License-Identifier: MIT
// simulator/optics/depth_references.hpp — the depths at which a PSF is computed, so that those of
// all depths between are known, and where the objective stands to look there.
#pragma once
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/optics/optics_spec.hpp"

namespace synthoscope::simulator {

/// The objective's z as it looks at a depth: a straight line, as a stage moves by even steps, by
/// least squares through the brightest planes of emitters at the depths of a range.
struct FocusLine {
  double depth_um = 0, z_um = 0;  ///< a depth and its z
  double slope = -1;              ///< um of the objective for a um of depth; below zero
  double most_off_um = 0;         ///< that a brightest plane lies beside the line
  [[nodiscard]] double at(double um) const { return z_um + slope * (um - depth_um); }
};

inline constexpr std::size_t kMostReferences = 64;

/// Emitters of all depths of a range have PSFs that are interpolated linearly between those of the
/// references, each about its own point of the line.
struct DepthReferences {
  std::vector<double> depth_um;  ///< ascending, from end to end; a single one serves for all
  FocusLine focus;
  double error = 0;  ///< the largest found half-way between two, of the peak there
};

/// The references of a layered model for depths [from_um, to_um], at most `spec.reference_error`
/// wrong in planes within `reach_um` of the focus. Of the lens without its Zernike terms, which
/// hardly change with depth.
///
/// An interval is halved until the PSF half-way is right; then as few as will do share the error
/// evenly, which goes with the square of an interval's length.
/// @throws InvalidSpec  kMostReferences are not enough, or light paths differ by more than is
///                      computed.
DepthReferences choose_depth_references(const OpticsSpec& spec, double from_um, double to_um,
                                        double reach_um, TaskPool& pool);

}  // namespace synthoscope::simulator
