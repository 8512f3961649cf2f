// SPDX-License-Identifier: MIT
// simulator/optics/models/depth_references.hpp — depths at which a PSF is computed, so that PSFs at
// depths between them can be interpolated, and the objective's z for each depth.
#pragma once
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

/// The objective's z when it looks at a depth: a straight line, because a stage moves by even
/// steps, fitted by least squares to the brightest planes of emitters at the depths of a range.
struct FocusLine {
  double depth_um = 0, z_um = 0;  ///< a depth and its z
  double slope = -1;              ///< um of the objective per um of depth; negative
  double most_off_um = 0;         ///< largest distance of a brightest plane from the line
  [[nodiscard]] double at(double um) const { return z_um + slope * (um - depth_um); }
};

inline constexpr std::size_t kMaxReferences = 64;

/// Depths at which PSFs are computed. The PSF of an emitter at another depth is interpolated
/// linearly between the PSFs of its two neighbours, each about its own point of the line.
struct DepthReferences {
  std::vector<double> depth_um;  ///< ascending, both ends included; a single one serves all depths
  FocusLine focus;
  double error = 0;  ///< largest found half-way between two, relative to the peak there
};

/// Returns the references of a layered model for depths [from_um, to_um], with an error of at most
/// `spec.reference_error` in planes within `reach_um` of the focus. Zernike terms are left out:
/// their effect hardly changes with depth.
///
/// An interval is halved until the interpolated PSF half-way is good enough; then as few references
/// as suffice share the error evenly. The error grows with the square of an interval's length.
/// @throws InvalidSpec  kMaxReferences are not enough, or light paths differ by more than is
///                      computed.
DepthReferences choose_depth_references(const OpticsSpec& spec, double from_um, double to_um,
                                        double reach_um, TaskPool& pool);

}  // namespace synthoscope::simulator
