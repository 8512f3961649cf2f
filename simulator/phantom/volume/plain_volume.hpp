// SPDX-License-Identifier: MIT
// simulator/phantom/volume/plain_volume.hpp — an imported volume in arrays: its regions, and light
// that belongs to none of them; compiled for host and devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/volume/region.hpp"

namespace synthoscope::simulator::device {

/// The arrays are owned elsewhere.
struct PlainVolume {
  const Region* regions = nullptr;
  LabelVoxels labelled;  ///< of regions
  LightVoxels light;
};

struct RegionBody {
  static double light(const auto& p, std::int32_t number, const Vector3& centre) {
    return light_of_region(p.volume.regions[number], p.volume.labelled, centre, p.pitch);
  }
  static bool contains(const auto& p, std::int32_t number, const Vector3& point) {
    return p.volume.labelled.has(p.volume.regions[number].label, point);
  }
};

}  // namespace synthoscope::simulator::device
