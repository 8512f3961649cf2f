// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nucleus_shape.hpp — point and voxel queries of a nucleus; compiled for
// host and devices.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/lobes/lobe.hpp"

namespace synthoscope::simulator {

/// A weakly stained body inside a lobe: a ball in coordinates in which the lobe's ellipsoid is a
/// unit sphere.
struct Nucleolus {
  std::size_t lobe = 0;
  Vector3 middle{};
  double radius = 0;
};

/// How mitosis changes the stain of a nucleus. Plain data.
struct CondensedChromatin {
  double density = 1;    ///< stain per volume relative to interphase
  double threads = 0;    ///< 0: the texture of interphase; 1: threads
  double condensed = 0;  ///< 0: nucleoli and the layer along the envelope are there; 1: gone
};

/// A view of a nucleus whose parts are owned elsewhere. Plain data.
struct NucleusShape {
  Vector3 centre{};
  Matrix3 turn{};  ///< from the grid's axes to its own frame, in which it has its drawn size
  const Lobe* lobes = nullptr;
  const Nucleolus* nucleoli = nullptr;
  int lobe_count = 0, nucleolus_count = 0;
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
    double nearest = 1e300;
    for (int i = 0; i < nucleolus_count; ++i) {
      const Nucleolus& n = nucleoli[i];
      const Vector3 from = lobes[n.lobe].to_sphere(point - centre) - n.middle;
      nearest = std::min(nearest, dot(from, from) / (n.radius * n.radius));
    }
    return std::sqrt(nearest);
  }
};

}  // namespace synthoscope::simulator
