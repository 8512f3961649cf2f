// SPDX-License-Identifier: MIT
// simulator/light/pattern_spec.hpp — stripes of the excitation light: structured illumination, in
// plain numbers.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include "core/base/names.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

/// How many beams of one lamp make the stripes.
enum class PatternKind { none, two_beam, three_beam };
inline constexpr NameTable<PatternKind, 3> kPatternKindNames{{
    {PatternKind::none, "none"},
    {PatternKind::two_beam, "two-beam"},
    {PatternKind::three_beam, "three-beam"},
}};

/// The stripes of a scene. Frame f is raw image f modulo (angles * phases) of a set: the phase
/// changes from frame to frame, the angle after all phases.
struct PatternSpec {
  PatternKind kind = PatternKind::none;
  std::optional<double> period_nm = {};     ///< of the finest stripes, > 0
  std::int64_t angles = 3;                  ///< evenly over half a turn
  double first_angle_degrees = 0;           ///< of the stripes' wave vector, from x towards y
  std::optional<std::int64_t> phases = {};  ///< evenly over the longest period
  double first_phase_degrees = 0;           ///< of the longest period, in the middle of the field
  double contrast = 1;                      ///< part of the light that forms the stripes, 0 ... 1

  [[nodiscard]] bool is_on() const { return kind != PatternKind::none; }
  /// Returns the number of phases; if the scene has none, the fewest that separate the orders: 3 or
  /// 5.
  [[nodiscard]] std::int64_t phase_count() const {
    return phases.value_or(kind == PatternKind::three_beam ? 5 : 3);
  }
  friend bool operator==(const PatternSpec&, const PatternSpec&) = default;
};

/// The share of the aperture through which stripes are made if the scene does not give their
/// period.
inline constexpr double kPatternAperture = 0.9;

/// Returns the period of the finest stripes: as the scene says, or excitation_nm / (2 * 0.9 na).
double pattern_period_um(const PatternSpec& pattern, const OpticsSpec& optics);

/// @throws InvalidSpec  the microscope scans its light, beams cannot make such fine stripes, or the
///                      voxels of `fine`, the grid of the blur, cannot resolve them.
void require_valid(const PatternSpec& pattern, const OpticsSpec& optics, const Grid& fine);

/// Returns a warning if lens and grid do not suit the stripes: they are finer than the lens
/// transmits, or the voxels alias the product of light and stripes into frequencies that the lens
/// transmits.
std::optional<std::string> pattern_warning(const PatternSpec& pattern, const OpticsSpec& optics,
                                           const Grid& fine);

}  // namespace synthoscope::simulator
