// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/centre_region.hpp — where the centres of nuclei may lie.
#pragma once
#include <limits>
#include <string_view>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {

/// Where the centre of a nucleus may lie: in a closed box and between two balls around `middle`.
struct CentreRegion {
  Vector3 low, high;
  Vector3 middle{};
  double nearest_um = 0, farthest_um = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool is_ball() const {
    return farthest_um < std::numeric_limits<double>::infinity();
  }
  /// Returns `position`, or a place of the region near it; if the box cuts a shell, the place is in
  /// the box but perhaps not in the shell.
  [[nodiscard]] Vector3 kept(Vector3 position) const;
};

/// Returns whether a position lies in the box of a region.
bool is_in_box(const CentreRegion& region, const Vector3& position);

/// Returns a random position, uniform in the box or between the two balls of a region; it may lie
/// outside the box of a region with balls.
/// @param words  a draw
Vector3 uniform_in(const CentreRegion& region, const PhiloxBlock& words);

/// Returns where the centre of a nucleus may lie by the border rule, on a grid of these edges.
/// @param table  its keys are named if the nucleus does not fit
/// @throws InvalidSpec  the nucleus is larger than the grid.
CentreRegion centre_region_of(const Nucleus& nucleus, BorderRule border, const Vector3& size_um,
                              std::string_view table = "nuclei");

/// Sets the ball, the shell or the heights that spec.arrangement gives to nuclei.
///
/// Without a radius, balls that contain a nucleus and half a gap fill a spheroid to 40 %; their
/// discs cover 60 % of each layer of a shell. In a monolayer, each nucleus gets the one height at
/// which its lower side touches the glass.
/// @param regions  of the nuclei, as centre_region_of returns them for nuclei at the origin
/// @throws InvalidSpec  a nucleus on the glass would reach above the grid.
void arrange(std::vector<CentreRegion>& regions, const std::vector<Nucleus>& nuclei,
             const NucleiSpec& spec, const Vector3& size_um);

}  // namespace synthoscope::simulator
