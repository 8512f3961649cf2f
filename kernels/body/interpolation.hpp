// SPDX-License-Identifier: MIT
// kernels/body/interpolation.hpp — how an image is interpolated between its voxels: which ones
// count for a coordinate, and their weights. Host and device compile this file, so it includes
// nothing.
#pragma once

namespace synthoscope::kernels {

/// Returns the whole number at or below `c`, of magnitude below 2^51. Unlike a library call, this
/// can be vectorised.
constexpr double whole_below(double c) {
  constexpr double kRounder = 3.0 * (1LL << 51);
  const double nearest = (c + kRounder) - kRounder;
  // One less if it lies above; a comparison would be a branch
  return nearest - (0.5 - __builtin_copysign(0.5, c - nearest));
}

/// A way to interpolate: `kTaps` voxels along an axis count for a coordinate c, from whole_below(c)
/// + kFirst on; `weigh` computes their weights for t = c - whole_below(c), and `sum` adds their
/// products along x in a fixed order. At t = 0 the weights are those of the limit: no voxel is lost
/// if a coordinate is whole.
struct LinearTaps {
  static constexpr int kTaps = 2, kFirst = 0;
  static constexpr void weigh(float t, float* w) {
    w[0] = 1.0F - t;
    w[1] = t;
  }
  static constexpr float sum(const float* p) { return p[0] + p[1]; }
};

/// The cubic B-spline, for coefficients from splines/prefilter.hpp.
/// @source  Unser, Aldroubi, Eden, IEEE Trans. Signal Process. 41 (1993) 821,
///          doi:10.1109/78.193220, eq. 2.5 for n = 3.
struct CubicTaps {
  static constexpr int kTaps = 4, kFirst = -1;
  static constexpr void weigh(float t, float* w) {
    constexpr float kSixth = 1.0F / 6.0F;
    const float u = 1.0F - t;
    w[0] = u * u * u * kSixth;
    w[1] = 2.0F / 3.0F + t * t * (0.5F * t - 1.0F);
    w[2] = 2.0F / 3.0F + u * u * (0.5F * u - 1.0F);
    w[3] = t * t * t * kSixth;
  }
  static constexpr float sum(const float* p) { return (p[0] + p[1]) + (p[2] + p[3]); }
};

/// sinc(x) sinc(x/3) for |x| < 3, divided by its sum, so that a constant image stays constant.
/// @source  Duchon, J. Appl. Meteorol. 18 (1979) 1016,
///          doi:10.1175/1520-0450(1979)018<1016:LFIOAT>2.0.CO;2.
struct LanczosTaps {
  static constexpr int kTaps = 6, kFirst = -2;

  /// Returns sin(pi x / 3) / x for 0 <= x <= 1: its series, to float rounding.
  static constexpr float third_sine_over(float x) {
    constexpr float kThird = 1.04719755119659775F;
    const float s = (kThird * x) * (kThird * x);
    const float tail = 1.0F - s / 42.0F * (1.0F - s / 72.0F * (1.0F - s / 110.0F));
    return kThird * (1.0F - s / 6.0F * (1.0F - s / 20.0F * tail));
  }

  static constexpr void weigh(float t, float* w) {
    // With x the distance, sin(pi x) is the same for all voxels up to its sign and cancels in the
    // division by the sum. What is left, sin(pi x / 3) / x^2, is multiplied by t (1 - t), so that
    // it is finite. As sin(pi x / 3) = sin(pi (3 - x) / 3), two sines are enough:
    // sin(pi (1 + t) / 3) is their sum
    const float u = 1.0F - t;
    const float a = third_sine_over(t), b = third_sine_over(u);
    const float sine_t = t * a, sine_u = u * b, both = t * u;
    const float middle = both * (sine_t + sine_u);
    w[0] = both * sine_u / ((2.0F + t) * (2.0F + t));
    w[1] = -middle / ((1.0F + t) * (1.0F + t));
    w[2] = u * a;
    w[3] = t * b;
    w[4] = -middle / ((1.0F + u) * (1.0F + u));
    w[5] = both * sine_t / ((2.0F + u) * (2.0F + u));
    const float scale = 1.0F / (((w[0] + w[1]) + (w[2] + w[3])) + (w[4] + w[5]));
    for (int k = 0; k < kTaps; ++k) w[k] *= scale;
  }
  static constexpr float sum(const float* p) {
    return ((p[0] + p[1]) + (p[2] + p[3])) + (p[4] + p[5]);
  }
};

}  // namespace synthoscope::kernels
