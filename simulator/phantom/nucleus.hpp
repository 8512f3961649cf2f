// SPDX-License-Identifier: MIT
// simulator/phantom/nucleus.hpp — one nucleus: its lobes and what geometry says of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "simulator/phantom/draws.hpp"
#include "simulator/phantom/nuclei_spec.hpp"
#include "simulator/phantom/nucleus_shape.hpp"
#include "simulator/phantom/pose.hpp"

namespace synthoscope::simulator {

/// A voxel as the lobes of one nucleus see it.
struct NucleusVoxel {
  Vector3 pitch{};
  std::vector<VoxelShape> lobes;
};

/// What lies in any of its lobes.
///
/// Decided in double with + - * / sqrt alone and no fused multiply-add, so that it is the same on
/// every machine. Immutable once placed; reads are thread-safe.
class Nucleus {
 public:
  static constexpr std::string_view kClass = "nucleus";

  /// Draws size, turn and surface of nucleus `number` (from 0) of `seed`; centred at the origin.
  /// The draws are a promise: stage `phantom`, index = number; draw 0 radius, 1 texture, 2 to 33
  /// turn, 64 to 76 harmonics, 205 the number of lobes and their side; placement has 255 to 16255;
  /// 16640 + 64 * i and on the place of nucleolus i; 20480 + 128 * i and on lobe i of several: 0
  /// size, 1 bend, 2 to 33 turn, 64 to 76 harmonics.
  static Nucleus draw(const NucleiSpec& spec, std::uint64_t seed, std::int64_t number);

  /// The same from other draws. @param turn  where it is not to be drawn
  static Nucleus draw(const NucleiSpec& spec, const Draws& draws,
                      const std::optional<Matrix3>& turn = std::nullopt);

  void move_to(const Vector3& centre) { centre_ = centre; }

  /// This nucleus, as it was drawn, in a pose. Its texture and nucleoli turn and grow with it.
  /// A nucleus of one lobe alone can be stretched.
  [[nodiscard]] Nucleus posed(const Pose& pose) const;
  [[nodiscard]] const Vector3& centre() const { return centre_; }

  /// What its points ask. Of this, which must outlive it.
  [[nodiscard]] NucleusShape shape() const {
    return {centre_,
            own_axes_,
            lobes_.data(),
            nucleoli_.data(),
            static_cast<int>(lobes_.size()),
            static_cast<int>(nucleoli_.size())};
  }
  [[nodiscard]] bool contains(const Vector3& point) const { return shape().contains(point); }

  /// A voxel as this nucleus sees it, for coverage of many equal ones.
  /// @param pitch  its edges, micrometres.
  [[nodiscard]] NucleusVoxel voxel_shape(const Vector3& pitch) const;

  /// Part of a voxel that lies inside, in [0, 1]: the share of 4 x 4 x 4 points at the centres of
  /// equal parts.
  [[nodiscard]] double coverage(const Vector3& centre, const NucleusVoxel& voxel) const {
    return shape().coverage(centre, voxel.pitch, voxel.lobes.data());
  }

  /// Of one lobe exact, by quadrature of a polynomial over the sphere; of several within 1e-3:
  /// exact but for what lobes share, which is counted on a lattice of a 24th of a lobe's radius.
  [[nodiscard]] double volume_um3() const { return volume_um3_; }
  [[nodiscard]] Vector3 centroid() const { return centre_ + centroid_shift_; }

  /// An upper bound of (p - centre) . direction over the nucleus, for each of
  /// separating_directions(); at most 6 % of the longest radius too large.
  [[nodiscard]] const std::vector<double>& support() const { return support_; }
  [[nodiscard]] Bounds bounds() const;

  /// A sphere around the centre that holds the nucleus.
  [[nodiscard]] double bounding_radius_um() const { return bounding_radius_um_; }

  /// From the grid's axes to its own, in which it is as large as it was drawn: a rotation, and then
  /// what undoes how it has grown.
  [[nodiscard]] const Matrix3& own_axes() const { return own_axes_; }
  [[nodiscard]] std::uint64_t texture_seed() const { return texture_seed_; }

  [[nodiscard]] const std::vector<Lobe>& lobes() const { return lobes_; }
  [[nodiscard]] const std::vector<Nucleolus>& nucleoli() const { return nucleoli_; }

 private:
  Nucleus() = default;
  void bound();

  Vector3 centre_{};
  Matrix3 own_axes_{};
  std::vector<Lobe> lobes_;
  std::vector<Nucleolus> nucleoli_;
  double volume_um3_ = 0, bounding_radius_um_ = 0;
  Vector3 centroid_shift_{};
  std::vector<double> support_;
  std::uint64_t texture_seed_ = 0;
};

}  // namespace synthoscope::simulator
