// SPDX-License-Identifier: MIT
// simulator/light/background.hpp — light that is added to an image after the blur, pixel by pixel.
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/base/background_spec.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/light/plain_background.hpp"

namespace synthoscope::simulator {

/// Correlation lengths that a lens gives to light that is random from point to point.
struct LensGrain {
  double lateral_um = 0, axial_um = 0;
};

/// Expected photons per pixel and exposure, before the illumination:
///
///     photons (1 + gradient t) exp(s_f f + s_g g - (s_f^2 + s_g^2) / 2)
///
/// with t from -1/2 to 1/2 across the field along the direction of the gradient, and f and g, the
/// smooth field and the grain, random fields of mean 0, variance 1 and correlation
/// exp(-d^2 / (2 l^2)) over a distance d. s^2 = ln(1 + deviation^2), so that a factor has a mean of
/// 1 and the deviation that is asked for. l of the field is field_um; l^2 of the grain is
/// grain_um^2 plus the square of the length of the lens, along z and across.
///
/// Fields lie in the sample: positions are those of the grid's voxels. Each is the sum of 64
/// cosines of random directions, so that any box has the same values alone. The random draws are
/// fixed and must not change: stage `background`, index = number of the wave, draw 0 of the field
/// and draw 1 of the grain; words 0, 1, 2 give the normal wave numbers along z, y, x, word 3 the
/// phase.
///
/// Immutable and thread-safe.
/// @source Shinozuka, Deodatis, Appl. Mech. Rev. 49 (1996) 29, doi:10.1115/1.3101883 (fields as
///         sums of cosines).
class Background {
 public:
  /// The same in all pixels. @param photons  >= 0
  Background(double photons = 0) : photons_{photons} {}  // NOLINT(google-explicit-constructor)
  /// @param grid  of the camera's pixels
  Background(double photons, const BackgroundSpec& spec, const LensGrain& lens, const Grid& grid,
             std::uint64_t seed);

  /// Returns the bytes of its tables.
  static std::int64_t bytes(const BackgroundSpec& spec, const Extent3& extent);
  /// Returns whether the spec asks for more than an even level.
  static bool varies(const BackgroundSpec& spec) {
    return spec.gradient > 0 || spec.field_deviation > 0 || spec.grain_deviation > 0;
  }

  [[nodiscard]] double photons() const { return photons_; }
  [[nodiscard]] bool is_even() const { return values_.empty(); }
  [[nodiscard]] double at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return plain().at(z, y, x);
  }

  /// Computes at() of `count` pixels of a row, from column `x` on.
  void row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count, double* out) const;

  [[nodiscard]] PlainBackground plain() const { return plain_of(values_.data()); }
  /// Return the values that `plain` points at, and the same background for a copy of them.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] PlainBackground plain_of(const double* values) const;

 private:
  double photons_;
  Extent3 extent_{};
  int field_waves_ = 0, grain_waves_ = 0;
  double log_mean_ = 0;
  std::vector<double> values_;  ///< gradient along y and x, then tables of field and grain
};

}  // namespace synthoscope::simulator
