// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/population_keys.hpp — the keys that [nuclei] and [cells] share: how many
// bodies, what surface they have, and where they lie.
#pragma once
#include <fmt/format.h>
#include <string_view>
#include "simulator/base/range.hpp"
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {

/// Lists numbers, sizes and surfaces. @param one  "cell"
template <class Rows>
void list_shape_keys(Rows& rows, std::string_view one, std::string_view otherwise,
                     const Range& radius) {
  using Spec = typename Rows::Spec;
  list_number_keys(rows, otherwise);
  rows.add("radius_um", "um", radius,
           fmt::format("mean radius of the sphere with the volume of a {}", one), &Spec::radius_um);
  rows.add("radius_spread", "", Range{0, 0.25},
           "standard deviation of that radius divided by its mean", &Spec::radius_spread);
  rows.add("axis_ratios", "", Range{0.1, 10},
           "semi-axes z, y, x before rotation, up to a common factor", &Spec::axis_ratios);
  rows.add("orientation", "", kAny,
           "flat: rotated about z only, as on a cover glass; random: rotated in any direction",
           &Spec::orientation);
  rows.add("roughness", "", Range{0, 0.1},
           "root mean square deviation of the surface from its ellipsoid, divided by the radius",
           &Spec::roughness);
  rows.add("degree", "", Range{2, 6},
           "highest surface harmonic: a higher one makes finer deformations", &Spec::degree);
}

/// Lists the keys of clusters. @param one, many  "cell", "cells"
template <class Rows>
void list_cluster_keys(Rows& rows, std::string_view one, std::string_view many) {
  using Spec = typename Rows::Spec;
  rows.add("clustering", "", Range{0, 1},
           fmt::format(
               "probability that a {} joins a cluster that another began; 0: positions are uniform",
               one),
           &Spec::clustering);
  rows.add_optional("twice radius_um", "cluster_width_um", "um", Range{0, kHuge, true},
                    fmt::format("distance from the first of a cluster at which the density "
                                "of joining {} has fallen to 1/e",
                                many),
                    &Spec::cluster_width_um);
}

}  // namespace synthoscope::simulator
