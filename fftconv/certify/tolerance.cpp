// SPDX-License-Identifier: MIT
#include "fftconv/certify/tolerance.hpp"
#include <algorithm>
#include <limits>
#include <type_traits>
#include "core/volume/view.hpp"

namespace synthoscope::fftconv {
namespace {

/// How far the stored type alone may move a value away from the computed one.
double storage_error(PixelType type, double peak) {
  if (type == PixelType::float64) return 0;
  return type == PixelType::float32 ? peak * 0x1p-24 : 0.5;
}

}  // namespace

double certified_tolerance(Certified extent, Precision precision, PixelType type, double peak) {
  const double of_sample = precision == Precision::float32 ? 1e-6 : 1e-14;
  const double relative = extent == Certified::sample ? of_sample : 2 * of_sample;
  return relative * peak + storage_error(type, peak);
}

double clipped_to(PixelType type, double value) {
  return visit_pixel_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>)
      return std::clamp(value, static_cast<double>(std::numeric_limits<T>::min()),
                        static_cast<double>(std::numeric_limits<T>::max()));
    else
      return value;
  });
}

}  // namespace synthoscope::fftconv
