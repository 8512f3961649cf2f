// SPDX-License-Identifier: MIT
// simulator/illumination.hpp — how evenly the field is lit.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/box.hpp"

namespace synthoscope::simulator {

struct IlluminationSpec {
  double falloff = 0;  ///< part of the light that is missing in the corners, 0 ... 1
  /// Image [y, x] of the field's size that multiplies the light, such as a measured flat field over
  /// its mean.
  std::optional<std::filesystem::path> flat_field;
};

/// @throws InvalidSpec  the fall-off is outside its range.
void require_valid(const IlluminationSpec& spec);

/// The light of a pixel relative to that of an even field:
///
///     (1 - falloff (r / r_corner)^2) * flat_field(y, x)
///
/// r from the middle of the field to the middle of the pixel, r_corner to the field's corner.
/// Immutable; several threads may ask at once.
class Illumination {
 public:
  /// @throws what require_valid and read_field_map throw.
  Illumination(const IlluminationSpec& spec, const Extent3& field);

  /// What reading and keeping it takes.
  static std::int64_t bytes(const IlluminationSpec& spec, const Extent3& field);

  [[nodiscard]] bool is_even() const { return falloff_ == 0 && flat_field_.empty(); }
  [[nodiscard]] double at(std::int64_t y, std::int64_t x) const;
  [[nodiscard]] Extent3 field() const { return {1, height_, width_}; }

 private:
  double falloff_;
  std::int64_t height_, width_;
  std::vector<float> flat_field_;
};

}  // namespace synthoscope::simulator
