// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string_view>
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/nuclei/nuclei_keys.hpp"

namespace synthoscope::simulator {
namespace {

void require(bool good, std::string_view key, double value, std::string_view accepted) {
  require_value(good, fmt::format("nuclei.{}", key), value, accepted);
}

void set_adherent(NucleiSpec& spec) {
  spec.radius_um = 4.8;
  spec.radius_spread = 0.12;
  spec.axis_ratios = {0.42, 1, 1.65};
  spec.axis_spread = 0.15;
  spec.roughness = 0.05;
  spec.degree = 6;
  spec.asymmetry = 0.03;
  spec.squareness = 1;
  spec.indentations = 2;
  spec.indentation_depth = 0.08;
  spec.texture = TextureKind::domains;
  spec.texture_contrast = 0.1;
  spec.texture_wavelength_um = 3.2;
  spec.texture_octaves = 2;
  spec.warp_um = 0.6;
  spec.lacuna_share = 0.15;
  spec.lacuna_density = 0.45;
  spec.clump_share = 0.15;
  spec.clump_density = 0.5;
  spec.envelope_density = 0.4;
  spec.envelope_um = 1.5;
  spec.nucleoli = 4;
  spec.nucleolus_radius = 0.16;
  spec.nucleolus_density = 0.25;
  spec.nucleolus_height = 4;
  spec.nucleolus_spread = 0.25;
  spec.nucleolus_parts = 4;
  spec.nucleolus_roughness = 0.35;
  spec.nucleolus_rim = 0.6;
}

}  // namespace

void set_typical(NucleiSpec& spec, NucleiKind kind) {
  // Keep what no kind changes
  const NucleiSpec before = spec;
  spec = {};
  spec.kind = kind;
  spec.count = before.count;
  spec.density_per_mm3 = before.density_per_mm3;
  spec.count_spread = before.count_spread;
  spec.gap_um = before.gap_um;
  spec.border = before.border;
  spec.arrangement = before.arrangement;
  spec.arrangement_radius_um = before.arrangement_radius_um;
  spec.layers = before.layers;
  spec.glass_um = before.glass_um;
  spec.clustering = before.clustering;
  spec.cluster_width_um = before.cluster_width_um;
  spec.photons_per_um3 = before.photons_per_um3;
  spec.intensity_spread = before.intensity_spread;
  spec.intensity_size_correlation = before.intensity_size_correlation;
  spec.uneven_stain = before.uneven_stain;
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
    case NucleiKind::adherent:
      set_adherent(spec);
      return;
    case NucleiKind::mouse:
      set_adherent(spec);
      spec.clump_share = 0.05;
      spec.clump_density = 4.5;  // 5.5 times the DNA of the surroundings: Imai et al. 2017
      spec.domain_border = 0.4;
      spec.texture_octaves = 1;
      return;
  }
}

double smallest_semi_axis_um(const NucleiSpec& s) {
  const auto [z, y, x] = s.axis_ratios;
  const double lobe_um = s.radius_um / cube_root(static_cast<double>(s.most_lobes));
  return lobe_um * std::min({z, y, x}) / cube_root(z * y * x);
}

bool is_warped(const NucleiSpec& spec) {
  return spec.texture == TextureKind::domains ||
         (spec.nucleoli > 0 && (spec.nucleolus_roughness > 0 || spec.nucleolus_rim > 0));
}

std::int64_t number_of(const NucleiSpec& spec, const Grid& grid) {
  return number_of(spec, 10, grid);
}

void require_valid(const NucleiSpec& s) {
  require_one_number("nuclei", s.count, s.density_per_mm3);
  RangeCheck check{"nuclei", s};
  list_nuclei_keys(check);
  require(s.most_lobes >= s.fewest_lobes, "most_lobes", static_cast<double>(s.most_lobes),
          fmt::format("{} (nuclei.fewest_lobes) to 5", s.fewest_lobes));
  const double deepest = smallest_semi_axis_um(s) / 2;
  require(s.gap_um >= -deepest, "gap_um", s.gap_um,
          fmt::format("{:.6g} (minus half the smallest semi-axis) to 1e6", -deepest));
  require(s.mitotic_fraction == 0 || s.most_lobes == 1, "mitotic_fraction", s.mitotic_fraction,
          "0 for nuclei of several lobes (nuclei.most_lobes)");
  const bool is_ball =
      s.arrangement == Arrangement::spheroid || s.arrangement == Arrangement::shell;
  require(s.clustering == 0 || !is_ball, "clustering", s.clustering,
          "0 with another nuclei.arrangement than \"free\" or \"monolayer\"");
  require(s.warp_wavelength_um >= s.radius_um / 64, "warp_wavelength_um", s.warp_wavelength_um,
          fmt::format("{} (a 64th of nuclei.radius_um) to 1e6", s.radius_um / 64));
  require(s.texture_wavelength_um >= s.radius_um / 64, "texture_wavelength_um",
          s.texture_wavelength_um,
          fmt::format("{} (a 64th of nuclei.radius_um) to 1e6", s.radius_um / 64));
}

}  // namespace synthoscope::simulator
