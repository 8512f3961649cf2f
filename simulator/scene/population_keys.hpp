// SPDX-License-Identifier: MIT
// simulator/scene/population_keys.hpp — the keys that [nuclei] and [cells] share: how many bodies,
// what surface they have, and where they lie.
#pragma once
#include <fmt/format.h>
#include <string>
#include "simulator/scene/key_rows.hpp"

namespace synthoscope::simulator {

/// A table of such bodies. `of(scene)` returns its part of a scene or a const scene.
template <class Of>
struct PopulationKeys {
  std::vector<SceneKey>& keys;
  std::string table, one, many;  ///< "cells", "cell", "cells"
  Of of;

  /// Appends TABLE.NAME. `member` returns the member of the table's part.
  template <class Member>
  SceneKey& add(std::string_view name, std::string_view unit, std::optional<Range> range,
                const std::string& help, Member member) const {
    keys.push_back(key(
        table + "." + std::string{name}, unit, range, help,
        [ of = of, member ](auto& scene) -> auto& { return member(of(scene)); }));
    return keys.back();
  }

  /// Appends numbers, sizes and surfaces.
  void add_shape(std::string_view otherwise, const Range& radius) const {
    add_numbers(
        keys, table, otherwise, [of = of](auto& scene) -> auto& { return of(scene).count; },
        [of = of](auto& scene) -> auto& { return of(scene).density_per_mm3; });
    add("radius_um", "um", radius,
        fmt::format("mean radius of the sphere with the volume of a {}", one),
        SYNTHOSCOPE_MEMBER(radius_um));
    add("radius_spread", "", Range{0, 0.25},
        "standard deviation of that radius divided by its mean", SYNTHOSCOPE_MEMBER(radius_spread));
    add("axis_ratios", "", Range{0.1, 10},
        "semi-axes z, y, x before rotation, up to a common factor",
        SYNTHOSCOPE_MEMBER(axis_ratios));
    add("orientation", "", kAny,
        "flat: rotated about z only, as on a cover glass; random: rotated in any direction",
        SYNTHOSCOPE_MEMBER(orientation));
    add("roughness", "", Range{0, 0.1},
        "root mean square deviation of the surface from its ellipsoid, divided by the radius",
        SYNTHOSCOPE_MEMBER(roughness));
    add("degree", "", Range{2, 6},
        "highest surface harmonic: a higher one makes finer deformations",
        SYNTHOSCOPE_MEMBER(degree));
  }

  void add_clusters() const {
    add("clustering", "", Range{0, 1},
        fmt::format(
            "probability that a {} joins a cluster that another began; 0: positions are uniform",
            one),
        SYNTHOSCOPE_MEMBER(clustering));
    SceneKey& width = add("cluster_width_um", "um", Range{0, kHuge, true},
                          fmt::format("distance from the first of a cluster at which the density "
                                      "of joining {} has fallen to 1/e",
                                      many),
                          SYNTHOSCOPE_MEMBER(cluster_width_um));
    width = absent_means("twice radius_um", width);
  }
};
// For compilers that do not deduce the arguments of aggregates, such as clang 16
template <class Of>
PopulationKeys(std::vector<SceneKey>&, const char*, const char*, const char*, Of)
    -> PopulationKeys<Of>;

}  // namespace synthoscope::simulator
