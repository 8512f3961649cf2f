// SPDX-License-Identifier: MIT
// simulator/phantom/volume/volume_kind.hpp — an imported volume as a kind of objects of a phantom:
// its regions, and light that belongs to none of them.
#pragma once
#include <optional>
#include "simulator/base/range.hpp"
#include "simulator/phantom/kind/intensity_keys.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/volume/imported_volume.hpp"
#include "simulator/phantom/volume/volume_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_volume_keys(Rows& rows) {
  rows.add_optional(
      "none", "labels", "", kAny,
      "TIFF or HDF5 file of whole numbers, as stack.tif or stack.h5:/path/to/dataset: every number "
      "except 0 marks an object. A voxel of the grid has the label of the file's voxel that "
      "contains its centre. If there are also nuclei or beads, theirs come first",
      &VolumeSpec::labels);
  rows.add_optional(
      "none", "intensity", "", kAny,
      "TIFF or HDF5 file of light, of the size of labels if both are given: then all light comes "
      "from this file. It is distributed over the voxels of the grid without loss",
      &VolumeSpec::intensity);
  rows.add_optional(
      "the first", "image", "", Range{0, 1e9},
      "number of the image in the files, from 0, if they have several; info lists them",
      &VolumeSpec::image);
  rows.add_optional("the only one", "channel", "", Range{0, 1023},
                    "number of the channel in the files, from 0, if they have several",
                    &VolumeSpec::channel);
  rows.add_optional("the only one", "frame", "", Range{0, 1e9},
                    "number of the frame in the files, from 0, if they have several",
                    &VolumeSpec::frame);
  rows.add_optional("the voxel size in the file", "pitch_nm", "nm", Range{0, 1e9, true},
                    "distance between the files' voxels along z, y and x", &VolumeSpec::pitch);
  rows.add_optional(
      "the middle of the file at the middle of the grid", "corner_um", "um", Range{-kHuge, kHuge},
      "position of the corner of the file's first voxel, from the corner of the grid's "
      "first voxel, along z, y and x",
      &VolumeSpec::corner);
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of every label, without intensity",
           &VolumeSpec::photons_per_um3);
  list_intensity_keys(rows, "labels");
  rows.add("photons_per_value", "photons per exposure", Range{0, 1e12},
           "expected photons from a voxel of intensity whose value is 1 above background, added up "
           "over the pixels of the plane in focus",
           &VolumeSpec::photons_per_value);
  rows.add("background", "as the file's voxels", Range{-1e12, 1e12},
           "value of intensity that is dark, such as a camera's offset; lower values are dark, too",
           &VolumeSpec::background);
}

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
  static constexpr bool kFirstInRecords = true;

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
