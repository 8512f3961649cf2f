// SPDX-License-Identifier: MIT
// simulator/optics/functions/radial_table.hpp — a rotationally symmetric PSF as planes of one
// radius, and how it becomes pixels.
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>
#include "core/run/task_pool.hpp"
#include "core/volume/view.hpp"

namespace synthoscope::simulator {

/// intensity[j * planes + p] is the intensity at radius j * step_um in plane p.
struct RadialTable {
  double step_um = 0;
  std::int64_t radii = 0, planes = 0;
  std::vector<double> intensity;
  [[nodiscard]] const double* row(std::int64_t radius) const {
    return intensity.data() + radius * planes;
  }
};

/// Intensities between radii are interpolated from six radii, this many of them above the position:
/// with kRadialStep over half the highest lateral angular frequency the error is below 1e-7 of the
/// peak.
inline constexpr std::int64_t kRadiiAfter = 3;
inline constexpr double kRadialStep = 0.125;

/// The weights of the six radii about a position.
struct RadialWeights {
  std::int64_t first = 0;  ///< radius of weight[0]; negative: on the other side of the axis
  std::array<double, 6> weight{};
  [[nodiscard]] std::int64_t radius(std::size_t i) const {
    return std::abs(first + static_cast<std::int64_t>(i));  // intensity is even in r
  }
};

/// Returns the weights for interpolation.
/// @param position  a radius in steps, >= 0.
RadialWeights weights_at(double position);

/// Returns the first `radii` radii `step_um` apart of light that was computed at other radii,
/// kRadiiAfter of them beyond the last. The result does not depend on the number of threads.
RadialTable interpolated(const RadialTable& light, double step_um, std::int64_t radii,
                         TaskPool& pool);

/// How a pixel samples the continuous intensity.
struct PixelRule {
  double y_um = 1, x_um = 1;  ///< pitch
  int nodes = 1;  ///< Gauss-Legendre nodes along each side; 1 samples the centre, more integrate
  double shift_y_um = 0, shift_x_um = 0;  ///< of the axis from the middle of the middle pixel

  [[nodiscard]] bool is_centred() const { return shift_y_um == 0 && shift_x_um == 0; }
};

/// Returns the number of radii that `size` pixels need, with the margin of the interpolation.
std::int64_t radii_needed(const PixelRule& rule, const Extent3& size, double step_um);

/// Returns the lines and pixels of `size` that are computed: a quadrant, which is mirrored, if the
/// axis lies in the middle of a pixel, otherwise all.
Extent3 spread_lines(const PixelRule& rule, const Extent3& size);

/// Fills `out`, whose y and x are odd, with `scale` times the mean intensity of each pixel; `rule`
/// has the axis's shift from the middle pixel. Returns, per plane, the sum over pixels without
/// `scale`. The result does not depend on the number of threads.
template <class T>
std::vector<double> spread_over_pixels(const RadialTable& table, const PixelRule& rule,
                                       double scale, HostView3<T> out, TaskPool& pool);

extern template std::vector<double> spread_over_pixels(const RadialTable&, const PixelRule&, double,
                                                       HostView3<float>, TaskPool&);
extern template std::vector<double> spread_over_pixels(const RadialTable&, const PixelRule&, double,
                                                       HostView3<double>, TaskPool&);

}  // namespace synthoscope::simulator
