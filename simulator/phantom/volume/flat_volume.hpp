// SPDX-License-Identifier: MIT
// simulator/phantom/volume/flat_volume.hpp — an imported volume laid out in arrays for a device.
#pragma once
#include <memory>
#include <vector>
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/plain_bodies.hpp"
#include "simulator/phantom/volume/imported_volume.hpp"
#include "simulator/phantom/volume/plain_volume.hpp"

namespace synthoscope::simulator::device {

inline RegionBody plain_body_of(const Region&) {
  return {};
}

/// Refers to the voxels of the phantom's volume.
struct FlatVolume {
  PlainVolume figures;
  std::vector<Region> regions;
  std::shared_ptr<const ImportedVolume> volume;  ///< null without one

  void lay_out(const auto& phantom, const LightSpec& light, auto& flat) {
    regions = phantom.regions;
    for (Region& region : regions) region.photons_per_um3 *= light.volume;
    volume = phantom.volume;
    if (!volume) return;
    figures.labelled = volume->labelled;
    figures.light = volume->light;
    figures.light.photons_per_value *= light.volume;
    if (volume->light.values && light.volume > 0) flat.kinds |= kLightOfNoObject;
  }
  void for_each_array(auto& view, auto&& visit) const { visit(regions, view.regions); }
  /// Arrays that the phantom owns.
  void for_each_shared_array(auto& view, auto&& visit) const {
    if (!volume) return;
    visit(volume->voxels->labels, view.labelled.labels);
    visit(volume->voxels->values, view.light.values);
  }
  static std::int64_t bytes(const auto& spec, const Grid&) {
    return number_of(spec.volume) * std::int64_t{sizeof(Region)} + volume_bytes(spec.volume);
  }
};

}  // namespace synthoscope::simulator::device
