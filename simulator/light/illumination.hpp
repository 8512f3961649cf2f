// SPDX-License-Identifier: MIT
// simulator/light/illumination.hpp — how much and how evenly the field is lit.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/base/names.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::simulator {

/// What a scene's photons are counted in: one exposure, however long it is, or one second of it.
enum class LightUnit { exposure, second };
inline constexpr NameTable<LightUnit, 2> kLightUnitNames{
    {{LightUnit::exposure, "exposure"}, {LightUnit::second, "second"}}};

struct IlluminationSpec {
  double falloff = 0;  ///< part of the light that is missing in the corners, 0 ... 1
  /// Image [y, x] of the field's size that multiplies the light, such as a measured flat field
  /// divided by its mean.
  std::optional<std::filesystem::path> flat_field;
  double dose = 1;  ///< factor of all light, > 0: the power of the lamp
  /// Signal-to-noise ratio that the dose gives the median object; absent: `dose` is given.
  std::optional<double> snr = {};
  LightUnit photons_per = LightUnit::exposure;

  /// Returns the factor of all light in an exposure of so many seconds.
  [[nodiscard]] double level(double exposure_seconds) const {
    return photons_per == LightUnit::second ? dose * exposure_seconds : dose;
  }
};

/// @throws InvalidSpec  a number is outside its range, or there are both `snr` and a dose.
void require_valid(const IlluminationSpec& spec);

/// The light of a pixel relative to that of an even field of dose 1:
///
///     level * (1 - falloff (r / r_corner)^2) * flat_field(y, x)
///
/// with r from the middle of the field to the middle of the pixel, r_corner to the field's corner.
/// Immutable and thread-safe.
class Illumination {
 public:
  /// @param level  of the exposure, from IlluminationSpec::level
  /// @throws what require_valid and read_field_map throw.
  Illumination(const IlluminationSpec& spec, const Extent3& field, double level = 1);

  /// Returns the bytes for reading and keeping it.
  static std::int64_t bytes(const IlluminationSpec& spec, const Extent3& field);

  /// Returns whether the factor is 1 everywhere.
  [[nodiscard]] bool is_even() const { return falloff_ == 0 && flat_field_.empty() && level_ == 1; }
  [[nodiscard]] double at(std::int64_t y, std::int64_t x) const;
  [[nodiscard]] double level() const { return level_; }
  /// Returns the same field in `dose` times the light.
  [[nodiscard]] Illumination times(double dose) const;
  [[nodiscard]] Extent3 field() const { return {1, height_, width_}; }

 private:
  double falloff_, level_;
  std::int64_t height_, width_;
  std::vector<float> flat_field_;
};

}  // namespace synthoscope::simulator
