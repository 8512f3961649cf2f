// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei_spec.hpp"
#include <fmt/format.h>
#include <string_view>
#include "simulator/phantom/population.hpp"

namespace synthoscope::simulator {
namespace {

void require(bool good, std::string_view key, double value, std::string_view accepted) {
  require_value(good, fmt::format("nuclei.{}", key), value, accepted);
}

bool within(double value, double low, double high) {
  return value >= low && value <= high;
}

}  // namespace

std::int64_t number_of(const NucleiSpec& spec, const Grid& grid) {
  return number_of(spec.count, spec.density_per_mm3, 10, grid);
}

void require_valid(const NucleiSpec& s) {
  constexpr double kLargest = 1e6;
  const auto ratio = [](double r) { return within(r, 0.1, 10); };
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  require_one_number("nuclei", s.count, s.density_per_mm3);
  require(s.radius_um > 0 && s.radius_um <= kLargest, "radius_um", s.radius_um,
          "a number above 0, at most 1e6");
  require(within(s.radius_spread, 0, 0.25), "radius_spread", s.radius_spread, "0 to 0.25");
  for (const double r : {s.axis_ratios.z_um, s.axis_ratios.y_um, s.axis_ratios.x_um})
    require(ratio(r), "axis_ratios", r, "three numbers from 0.1 to 10");
  require(within(s.roughness, 0, 0.1), "roughness", s.roughness, "0 to 0.1");
  require(s.degree >= 2 && s.degree <= 6, "degree", count(s.degree), "2 to 6");
  require(within(s.gap_um, 0, kLargest), "gap_um", s.gap_um, "0 to 1e6");
  require(within(s.clustering, 0, 1), "clustering", s.clustering, "0 to 1");
  const double width = s.cluster_width_um.value_or(s.radius_um);
  require(width > 0 && width <= kLargest, "cluster_width_um", width,
          "a number above 0, at most 1e6");
  require(within(s.photons_per_um3, 0, 1e12), "photons_per_um3", s.photons_per_um3, "0 to 1e12");
  require(within(s.texture_contrast, 0, 1), "texture_contrast", s.texture_contrast, "0 to 1");
  require(s.texture_wavelength_um >= s.radius_um / 64 && s.texture_wavelength_um <= kLargest,
          "texture_wavelength_um", s.texture_wavelength_um,
          fmt::format("{} (a 64th of nuclei.radius_um) to 1e6", s.radius_um / 64));
  require(s.texture_octaves >= 1 && s.texture_octaves <= 8, "texture_octaves",
          count(s.texture_octaves), "1 to 8");
}

}  // namespace synthoscope::simulator
