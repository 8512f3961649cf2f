// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_cell.hpp — one cell on a cover glass: its heights, its
// nucleus and what else is in it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "simulator/phantom/adherent/adherent_light.hpp"
#include "simulator/phantom/adherent/adherent_spec.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {

struct CellGround;

/// A cell on a cover glass. Concurrent reads are thread-safe.
///
/// Its points are those between the glass and its height. Over its whole area, points up to a voxel
/// above the glass count as well: a lamella is thinner than a voxel, and the label of each column
/// of voxels then begins with the lowest one above the glass.
class AdherentCell {
 public:
  static constexpr std::string_view kClass = "cell";

  /// Makes cell `number` (from 0) of `seed` on a ground that is placed already.
  /// @param area_um2   mean area of the cells, by which numbers of organelles are scaled
  /// @param least_um   the edge of a voxel along z
  AdherentCell(const AdherentSpec& spec, const NucleiSpec& nuclei, const CellGround& ground,
               double area_um2, double least_um, std::uint64_t seed, std::int64_t number);

  void move_by(const Vector3& way);

  [[nodiscard]] const std::optional<Nucleus>& nucleus() const { return nucleus_; }
  [[nodiscard]] const std::vector<Vacuole>& vacuoles() const { return vacuoles_; }
  [[nodiscard]] std::uint64_t cytoplasm_seed() const { return cytoplasm_seed_; }
  [[nodiscard]] double area_um2() const { return area_um2_; }

  /// Fibres, mitochondria and granules lie inside. Retraction fibres lie outside and have no label.
  [[nodiscard]] std::span<const StainedStrand> strands() const { return strands_; }

  /// Returns a view of this cell, which must outlive it.
  [[nodiscard]] AdherentShape shape() const;

  [[nodiscard]] Bounds core_bounds() const { return core_bounds_; }
  [[nodiscard]] bool core_contains(const Vector3& point) const { return shape().contains(point); }
  [[nodiscard]] Bounds bounds() const { return bounds_; }
  [[nodiscard]] bool contains(const Vector3& point) const { return shape().contains(point); }

  /// Return volume and centroid of the points between glass and height, within 1e-3.
  [[nodiscard]] Vector3 centroid() const { return centroid_; }
  [[nodiscard]] double volume_um3() const { return volume_um3_; }

  /// Returns the structure of the core at a point: cytoplasm, vacuole, nucleus or nucleolus.
  [[nodiscard]] Structure core_structure(const Vector3& point) const;

 private:
  void measure();

  std::shared_ptr<const std::vector<float>> heights_;  ///< shared by copies
  HeightMap map_;
  double glass_um_ = 0, least_um_ = 0, near_um_ = 1;
  Vector3 anchor_{};
  std::optional<Nucleus> nucleus_;
  std::vector<Vacuole> vacuoles_;
  std::vector<StainedStrand> strands_;
  std::uint64_t cytoplasm_seed_ = 0;
  Bounds core_bounds_{}, bounds_{};
  double area_um2_ = 0, volume_um3_ = 0;
  Vector3 centroid_{};
};

/// Texture of the cytoplasm.
inline constexpr double kGroundSubstanceUm = 2.4;
inline constexpr int kGroundSubstanceOctaves = 3;

}  // namespace synthoscope::simulator
