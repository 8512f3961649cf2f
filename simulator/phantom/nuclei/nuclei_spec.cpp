// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string_view>
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {
namespace {

void require(bool good, std::string_view key, double value, std::string_view accepted) {
  require_value(good, fmt::format("nuclei.{}", key), value, accepted);
}

/// Returns the semi-axis of a nucleus of mean size with one lobe, or of one of `most_lobes` equal
/// lobes.
double smallest_semi_axis_um(const NucleiSpec& s) {
  const auto [z, y, x] = s.axis_ratios;
  const double lobe_um = s.radius_um / std::cbrt(static_cast<double>(s.most_lobes));
  return lobe_um * std::min({z, y, x}) / std::cbrt(z * y * x);
}

}  // namespace

void set_typical(NucleiSpec& spec, NucleiKind kind) {
  // Keep what no kind changes
  const NucleiSpec before = spec;
  spec = {};
  spec.kind = kind;
  spec.count = before.count;
  spec.density_per_mm3 = before.density_per_mm3;
  spec.gap_um = before.gap_um;
  spec.border = before.border;
  spec.arrangement = before.arrangement;
  spec.arrangement_radius_um = before.arrangement_radius_um;
  spec.layers = before.layers;
  spec.clustering = before.clustering;
  spec.cluster_width_um = before.cluster_width_um;
  spec.photons_per_um3 = before.photons_per_um3;
  switch (kind) {
    case NucleiKind::generic:
      return;
    case NucleiKind::hl60:
      spec.radius_um = 4.5;
      spec.radius_spread = 0.06;
      spec.axis_ratios = {0.9, 1, 1.12};
      spec.orientation = Orientation::random;
      spec.roughness = 0.03;
      spec.degree = 5;
      spec.nucleoli = 2;
      return;
    case NucleiKind::granulocyte:
      spec.radius_um = 2.5;
      spec.radius_spread = 0.05;
      spec.axis_ratios = {0.85, 1, 1.2};
      spec.orientation = Orientation::random;
      spec.roughness = 0.03;
      spec.fewest_lobes = 2;
      spec.most_lobes = 5;
      spec.texture_wavelength_um = 2;
      return;
    case NucleiKind::fibroblast:
      spec.radius_um = 5.2;
      spec.radius_spread = 0.08;
      spec.axis_ratios = {0.45, 1, 1.8};
      spec.roughness = 0.03;
      spec.squareness = 0.8;
      spec.envelope_density = 0.7;  // the edge of a real one: docs/understand/realism.md
      spec.envelope_um = 2;
      spec.nucleoli = 3;
      spec.nucleolus_radius = 0.16;
      return;
  }
}

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
  require(within(s.squareness, 0, 1.5), "squareness", s.squareness, "0 to 1.5");
  require(s.fewest_lobes >= 1 && s.fewest_lobes <= 5, "fewest_lobes", count(s.fewest_lobes),
          "1 to 5");
  require(s.most_lobes >= s.fewest_lobes && s.most_lobes <= 5, "most_lobes", count(s.most_lobes),
          fmt::format("{} (nuclei.fewest_lobes) to 5", s.fewest_lobes));
  const double deepest = smallest_semi_axis_um(s) / 2;
  require(within(s.gap_um, -deepest, kLargest), "gap_um", s.gap_um,
          fmt::format("{:.6g} (minus half the smallest semi-axis) to 1e6", -deepest));
  const double ball = s.arrangement_radius_um.value_or(1);
  require(ball > 0 && ball <= kLargest, "arrangement_radius_um", ball,
          "a number above 0, at most 1e6");
  require(s.layers >= 1 && s.layers <= 5, "layers", count(s.layers), "1 to 5");
  require(within(s.clustering, 0, 1), "clustering", s.clustering, "0 to 1");
  require(s.clustering == 0 || s.arrangement == Arrangement::free, "clustering", s.clustering,
          "0 with another nuclei.arrangement than \"free\"");
  const double width = s.cluster_width_um.value_or(s.radius_um);
  require(width > 0 && width <= kLargest, "cluster_width_um", width,
          "a number above 0, at most 1e6");
  require(within(s.photons_per_um3, 0, 1e12), "photons_per_um3", s.photons_per_um3, "0 to 1e12");
  require(within(s.texture_contrast, 0, 1), "texture_contrast", s.texture_contrast, "0 to 1");
  require(s.texture_wavelength_um >= s.radius_um / 64 && s.texture_wavelength_um <= kLargest,
          "texture_wavelength_um", s.texture_wavelength_um,
          fmt::format("{} (a 64th of nuclei.radius_um) to 1e6", s.radius_um / 64));
  require(within(s.envelope_density, 0, 10), "envelope_density", s.envelope_density, "0 to 10");
  require(s.envelope_um > 0 && s.envelope_um <= kLargest, "envelope_um", s.envelope_um,
          "a number above 0, at most 1e6");
  require(s.nucleoli >= 0 && s.nucleoli <= 8, "nucleoli", count(s.nucleoli), "0 to 8");
  require(within(s.nucleolus_radius, 0.05, 0.5), "nucleolus_radius", s.nucleolus_radius,
          "0.05 to 0.5");
  require(within(s.nucleolus_density, 0, 1), "nucleolus_density", s.nucleolus_density, "0 to 1");
  require(s.texture_octaves >= 1 && s.texture_octaves <= 8, "texture_octaves",
          count(s.texture_octaves), "1 to 8");
}

}  // namespace synthoscope::simulator
