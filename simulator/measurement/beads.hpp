// SPDX-License-Identifier: MIT
// simulator/measurement/beads.hpp — beads in a stack: where they are, how wide, and which of them
// can be averaged.
#pragma once
#include <array>
#include <string>
#include <vector>
#include "core/base/units.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/base/voxel_position.hpp"

namespace synthoscope::simulator {

/// A bead, from a Gaussian that was fitted to it.
struct ImagedBead {
  VoxelPosition centre;
  double peak = 0;                  ///< above its background
  double background = 0;            ///< of the fit
  double height = 0;                ///< above dark voxels, after smoothing
  double snr = 0;                   ///< the peak over the noise of dark voxels
  std::array<double, 3> fwhm_um{};  ///< along z, y and x; z is 0 in one plane
  /// Why it cannot be averaged; empty: it can.
  std::string refused = {};
};

struct BeadSearch {
  /// Voxels of the window around each bead, all odd. Absent: five widths along z, as far as the
  /// stack has planes around its beads, and seven along y and x; down to three where beads are
  /// dense.
  std::optional<Extent3> window;
  /// The largest count that the camera can store; absent: not known.
  std::optional<double> largest_count;
};

struct FoundBeads {
  Extent3 window;
  std::vector<ImagedBead> beads;           ///< brightest first
  std::array<double, 3> median_fwhm_um{};  ///< of beads that fits describe
  [[nodiscard]] std::vector<ImagedBead> kept() const;
};

/// Finds beads, and refuses those that are cut by the border, saturated, closer to each other than
/// their windows allow, or more than a quarter wider or narrower than most. A spot of less than a
/// fifth of the height of a brighter one is part of it if it lies within its cone of light.
/// @throws InvalidInput  there is no bead.  @throws PlanError, Interrupted
FoundBeads find_beads(const Volume<float>& stack, const VoxelSize& pitch, const BeadSearch& search,
                      const RunContext& context);

}  // namespace synthoscope::simulator
