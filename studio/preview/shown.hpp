// SPDX-License-Identifier: MIT
// studio/preview/shown.hpp — what a preview shows: voxels and what was measured of them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/stopwatch.hpp"
#include "core/run/host_buffer.hpp"
#include "core/volume/box.hpp"
#include "core/volume/view.hpp"
#include "simulator/light/energy.hpp"

namespace synthoscope::studio {

/// Voxels that a memory budget has counted. They do not change, and stay until the last owner
/// releases them.
struct Stack {
  Stack(const Extent3& size, PixelType voxel, MemoryBudget& memory, std::string_view what)
      : extent{size}, type{voxel}, voxels{memory, volume(size) * size_of(voxel), what} {}
  [[nodiscard]] VoxelView view() { return {voxels.data(), type, extent}; }
  [[nodiscard]] ConstVoxelView view() const { return {voxels.data(), type, extent}; }

  Extent3 extent;
  PixelType type;
  HostBuffer<std::byte> voxels;
};
using SharedStack = std::shared_ptr<const Stack>;

/// How many objects have labels in the region.
struct ObjectCounts {
  std::int64_t count = 0;
  std::int64_t touching = 0;  ///< share a face of a voxel with another one
};

/// What was measured of the image of a channel.
struct ImageNumbers {
  std::optional<double> median_snr;  ///< of the objects in the region
  double saturated = 0;              ///< share of the pixels
  double median_counts = 0;
  std::array<std::optional<double>, 3> psf_widths_um;    ///< full widths at half maximum, z, y, x
  std::optional<bool> psf_includes_pixel;                ///< absent for a measured PSF
  std::optional<double> found_dose;                      ///< for illumination.snr
  std::optional<simulator::EnergyBalance> light_ledger;  ///< absent for a part of the grid
  bool collects_all = true;                              ///< optics.collection is all
};

/// The image of a channel.
struct ShownImage {
  std::string channel;     ///< empty: the scene has no channels
  SharedStack light;       ///< float32: photons that leave each voxel, before the blur
  SharedStack photons;     ///< float32: expected photons of each pixel
  SharedStack counts;      ///< what the camera records, on its grid
  SharedStack psf;         ///< float32, on the grid of the blur; the first of several
  SharedStack psf_middle;  ///< all that can be seen of it
  ImageNumbers numbers;
};

/// A preview of one frame.
struct Shown {
  Box3 region;         ///< of the scene's grid
  SharedStack labels;  ///< uint16
  ObjectCounts objects;
  std::vector<ShownImage> images;
  std::int64_t seed = 0;  ///< of the scene, or the one that was drawn
  bool is_seed_drawn = false;
  Stages seconds;                     ///< of the stages that were done again
  std::vector<std::string> warnings;  ///< of all stages, also those that were kept
};

}  // namespace synthoscope::studio
