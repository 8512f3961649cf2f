// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nucleus.hpp — one nucleus: its lobes and their geometry.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/pose.hpp"
#include "simulator/phantom/mitosis/mitosis.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/nuclei/nucleus_shape.hpp"

namespace synthoscope::simulator {

/// A voxel in the coordinates of each lobe of a nucleus.
struct NucleusVoxel {
  Vector3 pitch{};
  std::vector<VoxelShape> lobes;
};

/// A nucleus: the union of its lobes.
///
/// Computed in double with + - * / sqrt only and no fused multiply-add, so that it is equal on
/// every machine. Immutable once placed; reads are thread-safe.
class Nucleus {
 public:
  static constexpr std::string_view kClass = "nucleus";

  /// Draws size, turn and surface of nucleus `number` (from 0) of `seed`, centred at the origin.
  /// Draws, fixed by contract: stage `phantom`, index = number; draw 0 radius, 1 texture, 2 to 33
  /// turn, 64 to 76 harmonics, 205 the number of lobes and the side to which they bend; 255 to
  /// 16255 placement; from 16640 + 64 * i on, the place of nucleolus i; from 20480 + 128 * i on,
  /// lobe i of several: 0 size, 1 bend, 2 to 33 turn, 64 to 76 harmonics; 22528 + i: indentation i;
  /// 22592 to 22594: how the semi-axes z, y, x differ; 22600 to 22607: folds; from 22656 + 64 * i
  /// on, nucleolus i of a given height.
  static Nucleus draw(const NucleiSpec& spec, std::uint64_t seed, std::int64_t number);

  /// The same from other draws. @param turn  replaces the drawn turn
  static Nucleus draw(const NucleiSpec& spec, const Draws& draws,
                      const std::optional<Matrix3>& turn = std::nullopt);

  void move_to(const Vector3& centre) { centre_ = centre; }

  /// Returns this nucleus, which must be as it was drawn, in a pose. Texture and nucleoli turn and
  /// grow with it. Only a nucleus of one lobe can be stretched or reshaped.
  [[nodiscard]] Nucleus posed(const Pose& pose) const;

  /// Returns a body at the origin with the surface of both, `one` moved by -way_um and `other` by
  /// way_um, so that they are placed together; for its stain it counts as `one`.
  static Nucleus joined(const Nucleus& one, const Nucleus& other, const Vector3& way_um);

  /// Sets the state of its chromatin: the stain depends on it, the shape does not.
  /// @param denser  a factor of the density in mitosis; keep_amount_of_stain() computes it
  void set_mitosis(const Mitosis& mitosis, double denser = 1) {
    mitosis_ = mitosis;
    denser_ = denser;
  }
  [[nodiscard]] const Mitosis& mitosis() const { return mitosis_; }
  [[nodiscard]] const Vector3& centre() const { return centre_; }

  /// Returns a view for point and voxel queries. This nucleus must outlive it.
  [[nodiscard]] NucleusShape shape() const {
    return {centre_,
            own_axes_,
            lobes_.data(),
            nucleoli_.data(),
            static_cast<int>(lobes_.size()),
            static_cast<int>(nucleoli_.size()),
            warp_ ? &*warp_ : nullptr,
            nucleolus_warp_,
            chromatin_of(mitosis_, denser_)};
  }
  [[nodiscard]] bool contains(const Vector3& point) const { return shape().contains(point); }

  /// Returns a voxel in the coordinates of each lobe, for coverage of many equal voxels.
  /// @param pitch  its edges, micrometres.
  [[nodiscard]] NucleusVoxel voxel_shape(const Vector3& pitch) const;

  /// Returns the part of a voxel that lies inside, in [0, 1]: the share of 4 x 4 x 4 points at the
  /// centres of equal parts.
  [[nodiscard]] double coverage(const Vector3& centre, const NucleusVoxel& voxel) const {
    return shape().coverage(centre, voxel.pitch, voxel.lobes.data());
  }

  /// Return volume and centroid: exact for one lobe, by quadrature of a polynomial over the sphere;
  /// within 1e-3 for several: exact except for what lobes share, which is counted on a lattice of a
  /// 24th of a lobe's radius.
  [[nodiscard]] double volume_um3() const { return volume_um3_; }
  [[nodiscard]] Vector3 centroid() const { return centre_ + centroid_shift_; }

  /// Returns an upper bound of (p - centre) . direction over the nucleus, for each of
  /// separating_directions(); at most 6 % of the longest radius too large.
  [[nodiscard]] const std::vector<double>& support() const { return support_; }
  [[nodiscard]] Bounds bounds() const;

  /// Returns the radius of a sphere around the centre that contains the nucleus.
  [[nodiscard]] double bounding_radius_um() const { return bounding_radius_um_; }

  /// Returns the map from the grid's axes to its own frame, in which it has its drawn size: a
  /// rotation, then the inverse of its growth.
  [[nodiscard]] const Matrix3& own_axes() const { return own_axes_; }
  [[nodiscard]] std::uint64_t texture_seed() const { return texture_seed_; }

  [[nodiscard]] const std::vector<Lobe>& lobes() const { return lobes_; }
  [[nodiscard]] const std::vector<Nucleolus>& nucleoli() const { return nucleoli_; }

 private:
  Nucleus() = default;
  void bound();
  /// Draws nucleoli in `lobes`, and the warp.
  void draw_content(const NucleiSpec& spec, const Draws& draws, const std::vector<Lobe>& lobes);

  Vector3 centre_{};
  Matrix3 own_axes_{};
  std::vector<Lobe> lobes_;
  std::vector<Nucleolus> nucleoli_;
  double volume_um3_ = 0, bounding_radius_um_ = 0;
  Vector3 centroid_shift_{};
  std::vector<double> support_;
  std::uint64_t texture_seed_ = 0;
  std::optional<WarpField> warp_;
  double nucleolus_warp_ = 0;
  Mitosis mitosis_;
  double denser_ = 1;
};

}  // namespace synthoscope::simulator
