// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/cells_spec.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "simulator/base/range.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/cells/cells_keys.hpp"
#include "simulator/phantom/cells/organelles.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {
namespace {

void require_figure(bool good, std::string_view key, double value, std::string_view accepted) {
  require_value(good, fmt::format("cells.{}", key), value, accepted);
}

/// Returns the semi-axes of an ellipsoid with the volume of a ball of `radius_um`.
Vector3 semi_axes_um(double radius_um, const Point3& ratios) {
  const auto [z, y, x] = ratios;
  return (radius_um / cube_root(z * y * x)) * Vector3{z, y, x};
}

/// Checks that nucleus and membrane fit together into a cell of mean size.
void require_room(const CellsSpec& s) {
  const Vector3 cell = semi_axes_um(s.radius_um, s.axis_ratios);
  const double thinnest = std::min({cell[0], cell[1], cell[2]});
  require_figure(
      s.membrane_um <= thinnest / 4, "membrane_um", s.membrane_um,
      fmt::format("a number above 0, at most {:.4g} um: a quarter of the smallest semi-axis",
                  thinnest / 4));
  if (s.nucleus_radius_um == 0) return;
  const double most = largest_nucleus_radius_um(s);
  require_figure(s.nucleus_radius_um <= most, "nucleus_radius_um", s.nucleus_radius_um,
                 fmt::format("0, or up to {:.4g} um, which fits into a cell of cells.radius_um and "
                             "cells.axis_ratios",
                             most));
}

/// Checks that balls and tubes are thin enough to fit at all.
void require_thin(const CellsSpec& s) {
  const auto thinnest = [](const Vector3& axes) { return std::min({axes[0], axes[1], axes[2]}); };
  const auto require_below = [](std::int64_t count, const char* key, double radius, double most,
                                const char* where) {
    require_figure(count == 0 || radius <= most, key, radius,
                   fmt::format("at most {:.4g} um: {}", most, where));
  };
  const double cytoplasm = thinnest(semi_axes_um(s.radius_um, s.axis_ratios)) - s.membrane_um;
  constexpr const char* kBelow = "the smallest semi-axis of a cell below its membrane";
  require_below(s.mitochondria, "mitochondria_radius_um", s.mitochondria_radius_um, cytoplasm,
                kBelow);
  require_below(s.vesicles, "vesicle_radius_um", s.vesicle_radius_um, cytoplasm, kBelow);
  if (s.spots_in != SpotPlace::nucleus)
    return require_below(s.spots, "spot_radius_um", s.spot_radius_um, cytoplasm, kBelow);
  if (s.spots > 0 && s.nucleus_radius_um == 0)
    throw InvalidSpec(fmt::format(
        "check the scene: cells.spots is {} and cells.spots_in is \"nucleus\", but "
        "cells.nucleus_radius_um is 0; give cells a nucleus, or spots_in = \"cytoplasm\"",
        s.spots));
  require_below(s.spots, "spot_radius_um", s.spot_radius_um,
                thinnest(semi_axes_um(s.nucleus_radius_um, s.nucleus_axis_ratios)),
                "the smallest semi-axis of a nucleus");
}

}  // namespace

double largest_nucleus_radius_um(const CellsSpec& s) {
  const Vector3 cell = semi_axes_um(s.radius_um, s.axis_ratios),
                per_radius = semi_axes_um(1, s.nucleus_axis_ratios);
  double most = s.radius_um;
  for (std::size_t axis = 0; axis < 3; ++axis)
    most = std::min(most, (0.85 * cell[axis] - 2 * s.membrane_um) / per_radius[axis]);
  return most;
}

std::int64_t number_of(const CellsSpec& spec, const Grid& grid) {
  return number_of(spec, 0, grid);
}

NucleiSpec shells_of(const CellsSpec& s) {
  NucleiSpec shells;
  shells.count = s.count;
  shells.density_per_mm3 = s.density_per_mm3;
  shells.count_spread = s.count_spread;
  shells.radius_um = s.radius_um;
  shells.radius_spread = s.radius_spread;
  shells.axis_ratios = s.axis_ratios;
  shells.orientation = s.orientation;
  shells.roughness = s.roughness;
  shells.degree = s.degree;
  shells.gap_um = s.gap_um;
  shells.border = s.border;
  shells.clustering = s.clustering;
  shells.cluster_width_um = s.cluster_width_um;
  return shells;
}

NucleiSpec nuclei_of(const CellsSpec& s) {
  NucleiSpec nuclei;
  nuclei.radius_um = s.nucleus_radius_um;
  nuclei.radius_spread = 0;
  nuclei.axis_ratios = s.nucleus_axis_ratios;
  nuclei.roughness = 0.025;
  nuclei.photons_per_um3 = s.nucleus_photons_per_um3;
  nuclei.texture = s.nucleus_contrast > 0 ? TextureKind::chromatin : TextureKind::none;
  nuclei.texture_contrast = s.nucleus_contrast;
  nuclei.nucleoli = s.nucleoli;
  return nuclei;
}

StrandCount strands_of_cell(const CellsSpec& s) {
  StrandCount count;
  for (const auto pieces : {most_pieces::of_mitochondria(s), most_pieces::of_microtubules(s),
                            most_pieces::of_actin(s), most_pieces::of_filopodia(s), s.vesicles}) {
    count.strands += pieces > 0;
    count.pieces += pieces;
  }
  return {count.strands + s.spots, count.pieces + s.spots};
}

void require_valid(const CellsSpec& s) {
  require_one_number("cells", s.count, s.density_per_mm3);
  RangeCheck check{"cells", s};
  list_cells_keys(check);
  require_room(s);
  require_thin(s);
}

}  // namespace synthoscope::simulator
