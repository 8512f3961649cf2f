// SPDX-License-Identifier: MIT
// simulator/phantom/nucleus.hpp — one nucleus: a deformed ellipsoid and what geometry says of it.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>
#include "simulator/phantom/body.hpp"
#include "simulator/phantom/harmonics.hpp"
#include "simulator/phantom/nuclei_spec.hpp"
#include "simulator/phantom/vector3.hpp"

namespace synthoscope::simulator {

/// Half the edges of a voxel where the ellipsoid is a unit sphere, and its half diagonal.
struct VoxelShape {
  std::array<Vector3, 3> half_edges{};
  double reach = 0;
};

/// Point p lies inside if |q| <= 1 + roughness h(q / |q|), where q = to_sphere (p - centre).
///
/// Decided in double with + - * / sqrt alone and no fused multiply-add, so that it is the same on
/// every machine. Immutable once placed; reads are thread-safe.
class Nucleus {
 public:
  static constexpr std::string_view kClass = "nucleus";

  /// Draws size, turn and surface of nucleus `number` (from 0) of `seed`; centred at the origin.
  /// The draws are a promise: stage `phantom`, index = number; draw 0 radius, 1 texture, 2 to 33
  /// turn, 64 to 76 harmonics; placement has 256 and up.
  static Nucleus draw(const NucleiSpec& spec, std::uint64_t seed, std::int64_t number);

  void move_to(const Vector3& centre) { centre_ = centre; }
  [[nodiscard]] const Vector3& centre() const { return centre_; }

  [[nodiscard]] bool contains(const Vector3& point) const;

  /// A voxel as this nucleus sees it, for coverage of many equal ones.
  /// @param pitch  its edges, micrometres.
  [[nodiscard]] VoxelShape voxel_shape(const Vector3& pitch) const;

  /// Part of a voxel that lies inside, in [0, 1]: the share of 4 x 4 x 4 points at the centres of
  /// equal parts. Parts that the surface cannot reach are counted as a whole.
  [[nodiscard]] double coverage(const Vector3& centre, const VoxelShape& voxel) const;

  /// Exact, by quadrature of a polynomial over the sphere.
  [[nodiscard]] double volume_um3() const { return volume_um3_; }
  [[nodiscard]] Vector3 centroid() const;

  /// An upper bound of (p - centre) . direction over the nucleus, for each of
  /// separating_directions(); at most 6 % of the longest radius too large.
  [[nodiscard]] const std::vector<double>& support() const { return support_; }

  [[nodiscard]] Bounds bounds() const;

  /// A sphere around the centre that holds the nucleus.
  [[nodiscard]] double bounding_radius_um() const { return bounding_radius_um_; }

  /// The nucleus' own frame, in micrometres: turns with it, does not scale with it.
  [[nodiscard]] Vector3 to_own_frame(const Vector3& point) const {
    return turn_ * (point - centre_);
  }
  [[nodiscard]] std::uint64_t texture_seed() const { return texture_seed_; }

 private:
  Nucleus() = default;
  void shape(const NucleiSpec& spec, double radius_um);
  void bound_surface();
  void bound_extent();
  [[nodiscard]] double surface(const Vector3& u) const { return 1 + roughness_ * harmonics_(u); }
  [[nodiscard]] bool holds(const Vector3& q) const;
  [[nodiscard]] int covered_samples(const Vector3& q, const VoxelShape& part, int samples) const;

  Vector3 centre_{};
  Matrix3 turn_{}, to_sphere_{};
  Vector3 semi_axes_um_{};
  double roughness_ = 0;
  Harmonics harmonics_;
  double inner_ = 1, outer_ = 1;  ///< bounds of surface()
  double steepness_ = 0;          ///< bound of its slope over the sphere
  double volume_um3_ = 0, bounding_radius_um_ = 0;
  Vector3 centroid_shift_{};
  std::vector<double> support_;
  std::uint64_t texture_seed_ = 0;
};

}  // namespace synthoscope::simulator
