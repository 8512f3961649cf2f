// SPDX-License-Identifier: MIT
// simulator/base/background_spec.hpp — how unevenly the background lies over a field, and how a
// medium weakens light, in plain numbers.
#pragma once
#include <optional>
#include "core/base/names.hpp"

namespace synthoscope::simulator {

/// Relative changes of background.photons_per_pixel; see Background.
struct BackgroundSpec {
  double gradient = 0;          ///< change over the field, divided by the mean, 0 ... 2
  double gradient_degrees = 0;  ///< direction of more light, from x towards y, -360 ... 360
  double field_deviation = 0;   ///< relative standard deviation of the smooth field, 0 ... 2
  double field_um = 50;         ///< its correlation length, > 0
  double grain_deviation = 0;   ///< relative standard deviation of the grain in the image, 0 ... 2
  double grain_um = 0;          ///< correlation length of the grain before the lens, >= 0
  friend bool operator==(const BackgroundSpec&, const BackgroundSpec&) = default;
};

/// The way of the excitation: z, through the objective; y or x, from the first row or column on.
enum class ExcitationAlong { z, y, x };
inline constexpr NameTable<ExcitationAlong, 3> kExcitationAlongNames{
    {{ExcitationAlong::z, "z"}, {ExcitationAlong::y, "y"}, {ExcitationAlong::x, "x"}}};

/// A medium that absorbs and scatters light out of its way: the light that is left of it after a
/// length l of the way is exp(-l / length). Scattered light is lost, and rays run along the axes.
/// @source Beer, Ann. Phys. Chem. 86 (1852) 78.
struct MediumSpec {
  std::optional<double> excitation_length_um = {};  ///< > 0; absent: not weakened
  std::optional<double> emission_length_um = {};    ///< > 0, along z; absent: not weakened
  ExcitationAlong excitation_along = ExcitationAlong::z;
  std::optional<double> depth_um = {};  ///< of the nearest face, >= 0; absent: optics.depth_um
  [[nodiscard]] bool weakens() const { return excitation_length_um || emission_length_um; }
  friend bool operator==(const MediumSpec&, const MediumSpec&) = default;
};

}  // namespace synthoscope::simulator
