// SPDX-License-Identifier: MIT
#include "simulator/optics/models/sheet_width.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "simulator/optics/models/depth_references.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns a sheet's light at `z_um` above its middle, with s = 1 / w; in the waist 1 / w0.
double profile(double s, double z_um) {
  return s * std::exp(-2 * (s * z_um) * (s * z_um));
}

/// Returns the largest difference of `light` from the sheet of s, relative to that sheet's middle.
template <class Light>
double error_of(double s, Light&& light) {
  constexpr int kHeights = 200;
  double most = 0;
  for (int i = 0; i <= kHeights; ++i) {
    const double z_um = 3.0 * i / kHeights / s;
    most = std::max(most, std::abs(light(z_um) - profile(s, z_um)));
  }
  return most / s;
}

/// Returns the error of the mean of two sheets.
double error_between(double a, double b) {
  return error_of(0.5 * (a + b),
                  [&](double z_um) { return 0.5 * (profile(a, z_um) + profile(b, z_um)); });
}

/// Returns the error of sheet `a` used in the place of `other`.
double error_instead(double a, double other) {
  return error_of(other, [&](double z_um) { return profile(a, z_um); });
}

}  // namespace

double rayleigh_length_um(const OpticsSpec& spec) {
  return std::numbers::pi * spec.sample_index * spec.sheet_waist_um * spec.sheet_waist_um /
         (spec.excitation_nm * 1e-3);
}

double sheet_radius_um(const OpticsSpec& spec, double beside_um) {
  const double relative = beside_um / rayleigh_length_um(spec);
  return spec.sheet_waist_um * std::sqrt(1 + relative * relative);
}

SheetReferences choose_sheet_references(const OpticsSpec& spec, double least_um, double most_um) {
  const double middle = std::sqrt(least_um * most_um);
  const double alone =
      std::max(error_instead(1 / middle, 1 / least_um), error_instead(1 / middle, 1 / most_um));
  if (alone <= spec.reference_error) return {{middle}, alone};
  for (std::size_t count = 1; count < kMaxReferences; ++count) {
    const double factor = std::pow(most_um / least_um, 1 / static_cast<double>(count));
    const double error = error_between(1 / least_um, 1 / (least_um * factor));
    if (error > spec.reference_error) continue;
    SheetReferences chosen{{}, error};
    for (std::size_t i = 0; i < count; ++i)
      chosen.radius_um.push_back(least_um * std::pow(factor, static_cast<double>(i)));
    chosen.radius_um.push_back(most_um);
    return chosen;
  }
  throw InvalidSpec(fmt::format(
      "optics: a sheet of {:.4g} to {:.4g} um with a reference_error of {:.4g} needs more than {} "
      "references; raise optics.reference_error, or optics.sheet_waist_um",
      least_um, most_um, spec.reference_error, kMaxReferences));
}

}  // namespace synthoscope::simulator
