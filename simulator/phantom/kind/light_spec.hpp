// SPDX-License-Identifier: MIT
// simulator/phantom/kind/light_spec.hpp — how bright each kind of object is in an image: what a dye
// or a channel shows of it.
#pragma once
#include <algorithm>
#include <string_view>

namespace synthoscope::simulator {

/// Factors of the light that each kind's own keys describe. 0 is dark.
struct LightSpec {
  double nuclei = 1;
  double membrane = 1, cytoplasm = 1, mitochondria = 1, microtubules = 1, actin = 1, vesicles = 1,
         spots = 1, filopodia = 1;
  double beads = 1;
  double target = 1;
  double volume = 1;
  double neuron = 1;
  friend bool operator==(const LightSpec&, const LightSpec&) = default;
};

/// A kind that gives light: the name of its key, its member, and what it is.
struct LightKind {
  std::string_view name;
  double LightSpec::*weight;
  std::string_view what;
};

/// Every kind; keys, channels and their checks follow this table.
inline constexpr LightKind kLightKinds[] = {
    {"nuclei", &LightSpec::nuclei, "nuclei, including those of cells and tissue"},
    {"membrane", &LightSpec::membrane, "membranes of cells and of tissue"},
    {"cytoplasm", &LightSpec::cytoplasm, "cytoplasm of cells and of tissue"},
    {"mitochondria", &LightSpec::mitochondria, "mitochondria"},
    {"microtubules", &LightSpec::microtubules, "microtubules"},
    {"actin", &LightSpec::actin, "fibres of actin"},
    {"vesicles", &LightSpec::vesicles, "vesicles"},
    {"spots", &LightSpec::spots, "spots"},
    {"filopodia", &LightSpec::filopodia, "filopodia"},
    {"beads", &LightSpec::beads, "beads"},
    {"target", &LightSpec::target, "the target"},
    {"volume", &LightSpec::volume, "an imported volume"},
    {"neuron", &LightSpec::neuron, "neurons"},
};

/// Returns the largest weight of membrane, cytoplasm and nucleus.
inline double light_of_cores(const LightSpec& light) {
  return std::max({light.membrane, light.cytoplasm, light.nuclei});
}

constexpr LightSpec no_light() {
  LightSpec dark;
  for (const LightKind& kind : kLightKinds) dark.*kind.weight = 0;
  return dark;
}

}  // namespace synthoscope::simulator
