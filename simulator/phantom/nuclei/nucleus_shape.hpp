// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nucleus_shape.hpp — point and voxel queries of a nucleus; compiled for
// host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/lobes/lobe.hpp"
#include "simulator/phantom/mitosis/condensed_chromatin.hpp"
#include "simulator/phantom/texture/warp_field.hpp"

namespace synthoscope::simulator {

/// A weakly stained body inside a lobe, or a part of one: a ball in coordinates in which the lobe's
/// ellipsoid is a unit sphere or, if `is_round`, an ellipsoid in the nucleus' own frame.
struct Nucleolus {
  std::size_t lobe = 0;
  Vector3 middle{};
  double radius = 0;
  double radius_um = 0;  ///< mean radius along y and x
  bool is_round = false;
  Vector3 own_middle_um{}, own_semi_axes_um{1, 1, 1};
};

/// A point relative to the nearest nucleolus.
struct NucleolusDistance {
  double relative = 1e300;    ///< distance from its middle over its radius
  double outside_um = 1e300;  ///< distance from its surface, below 0 inside; approximate
};

/// A view of a nucleus whose parts are owned elsewhere. Plain data.
struct NucleusShape {
  Vector3 centre{};
  Matrix3 turn{};  ///< from the grid's axes to its own frame, in which it has its drawn size
  const Lobe* lobes = nullptr;
  const Nucleolus* nucleoli = nullptr;
  int lobe_count = 0, nucleolus_count = 0;
  const WarpField* warp = nullptr;  ///< of nucleoli; none if nothing of the nucleus is warped
  double nucleolus_warp = 0;        ///< displacement of their surface over their radius
  CondensedChromatin chromatin;

  [[nodiscard]] bool contains(const Vector3& point) const {
    const Vector3 p = point - centre;
    for (int i = 0; i < lobe_count; ++i)
      if (lobes[i].contains(p)) return true;
    return false;
  }

  /// Returns the part of a voxel that lies inside. @param voxel  one for each lobe, at this pitch
  [[nodiscard]] double coverage(const Vector3& middle, const Vector3& pitch,
                                const VoxelShape* voxel) const {
    const Vector3 p = middle - centre;
    int covered = 0, cutting = 0;
    for (int i = 0; i < lobe_count; ++i) {
      const int samples = lobes[i].covered_samples(p, voxel[i]);
      if (samples == Lobe::kSamples) return 1;
      if (samples > 0) ++cutting;
      covered += samples;
    }
    // Two lobes may cover the same samples
    if (cutting > 1)
      return sampled_share(middle, pitch, [&](const Vector3& q) { return contains(q); });
    return covered / double{Lobe::kSamples};
  }

  /// Returns how deep below the surface a point lies, to first order; below 0 outside, at most
  /// `most_um`.
  [[nodiscard]] double depth_um(const Vector3& point, double most_um) const {
    const Vector3 p = point - centre;
    double deepest = -1e300;
    for (int i = 0; i < lobe_count; ++i) {
      if (lobes[i].is_certainly_below(p, most_um)) return most_um;
      deepest = std::max(deepest, lobes[i].depth(p).um);
    }
    return std::min(deepest, most_um);
  }

  /// Returns a point in the nucleus' own frame, which turns, grows and is stretched with it.
  [[nodiscard]] Vector3 to_own_frame(const Vector3& point) const { return turn * (point - centre); }

  /// Returns the distance of `point` from the middle of the nearest nucleolus over its radius; a
  /// huge number without nucleoli.
  [[nodiscard]] double nucleolus_distance(const Vector3& point) const {
    if (warp && nucleolus_warp > 0) {
      const auto corners = [&](const LatticeCell& cell) { return corner_warps(*warp, cell); };
      return nearest_nucleolus(point, warp_at(*warp, to_own_frame(point), corners)).relative;
    }
    return nearest_nucleolus(point, {}).relative;
  }

  /// Returns where `point` is relative to the nearest nucleolus. Only round ones are warped.
  /// @param bent  the warp at `point`
  [[nodiscard]] NucleolusDistance nearest_nucleolus(const Vector3& point, const Warp& bent) const {
    double nearest = 1e300, radius_um = 0;
    const Vector3 own = to_own_frame(point);
    for (int i = 0; i < nucleolus_count; ++i) {
      const Nucleolus& n = nucleoli[i];
      Vector3 from{};
      double reach = n.radius;
      if (n.is_round) {
        from = own + displacement(bent, nucleolus_warp * n.radius_um) - n.own_middle_um;
        for (std::size_t axis = 0; axis < 3; ++axis) from[axis] /= n.own_semi_axes_um[axis];
        reach = 1;
      } else {
        from = lobes[n.lobe].to_sphere(point - centre) - n.middle;
      }
      const double square = dot(from, from) / (reach * reach);
      if (square >= nearest) continue;
      nearest = square;
      radius_um = n.radius_um;
    }
    const double relative = std::sqrt(nearest);
    return {relative, (relative - 1) * radius_um};
  }
};

}  // namespace synthoscope::simulator
