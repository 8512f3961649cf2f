// SPDX-License-Identifier: MIT
// simulator/phantom/volume/volume_kind.hpp — an imported volume as a kind of objects of a phantom:
// its regions, and light that belongs to none of them.
#pragma once
#include <optional>
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/volume/imported_volume.hpp"
#include "simulator/phantom/volume/volume_keys.hpp"

namespace synthoscope::simulator {

inline double weight_of(const LightSpec& light, const Region&) {
  return light.volume;
}

inline auto light_of(const Region& region, std::int64_t, const auto&, const Vector3& pitch,
                     const LightSpec& seen) {
  Region shown = region;
  shown.photons_per_um3 *= seen.volume;
  return [shown, pitch](const Vector3& centre) {
    return light_of_region(shown, *shown.voxels, centre, pitch);
  };
}

inline void move_by(Region& region, const Vector3& way, const Bounds&) {
  region.box = {region.box.low + way, region.box.high + way};
  region.middle = region.middle + way;
}

void describe(const PlacedObject& placed, const Region& region);

namespace kinds {

struct Volume {
  static constexpr std::string_view kName = "volume";
  static constexpr bool kFirstInRecords = true, kReplacesDefaultNuclei = true;

  static auto& part(auto& all) { return all.volume; }
  static auto& bodies(auto& phantom) { return phantom.regions; }
  static double weight(const LightSpec& light) { return light.volume; }
  static bool is_present(const VolumeSpec& spec) { return has_volume(spec); }
  static void list_keys(auto& rows) { list_volume_keys(rows); }

  static std::int64_t bytes(const auto& all, const Grid&) {
    return number_of(all.volume) * std::int64_t{sizeof(Region)};
  }
  /// What copies of a phantom share.
  static std::int64_t shared_bytes(const VolumeSpec& spec) { return volume_bytes(spec); }

  static void place(auto& phantom, std::uint64_t, const RunContext& context) {
    phantom.volume = import_volume(phantom.spec.volume, phantom.grid, context);
    if (phantom.volume) phantom.regions = regions_of(*phantom.volume, phantom.spec.volume);
  }
  static void move_shared(auto& phantom, const Vector3& way) {
    if (phantom.volume) move_voxels(phantom.volume, phantom.regions, way);
  }
  /// Returns light that is added after the light of all objects.
  static std::optional<LightVoxels> light_of_no_object(const auto& phantom, const LightSpec& seen) {
    if (!phantom.volume || !phantom.volume->light.values || seen.volume == 0) return std::nullopt;
    LightVoxels light = phantom.volume->light;
    light.photons_per_value *= seen.volume;
    return light;
  }
  static TableSizes tables(const auto& world) {
    return {{"/region", world.frames * number_of(world.spec.volume), 8}};
  }
};

}  // namespace kinds
}  // namespace synthoscope::simulator
