// SPDX-License-Identifier: MIT
// tools/options/image.hpp — options of every command that opens one stack or creates one.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/base/units.hpp"
#include "imageio/run/counted_image.hpp"
#include "imageio/run/new_output.hpp"
#include "jobs/convolve/job_files.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// Which stack of a file with several, and what its axes are.
struct InputOptions {
  std::optional<std::int64_t> image, channel, frame;
  std::string axes;
  std::optional<VoxelSize> voxel_size;
  imageio::InputLimits limits;
  std::string_view without_choice = "the only one";  ///< what is taken without channel or frame

  void describe(OptionTable& table);
  /// --image, --axes and --voxel-um alone.
  void describe_file(OptionTable& table);
  [[nodiscard]] imageio::OpenOptions open_options() const {
    return {.channel = channel,
            .frame = frame,
            .limits = limits,
            .image = image,
            .axes = axes,
            .voxel_size = voxel_size};
  }
};

/// Rows of the options that raise `limits`, under a separate heading.
void describe_limits(OptionTable& table, imageio::InputLimits& limits);

using imageio::CountedImage;
using imageio::open_counted;
using imageio::require_new_output;
using imageio::reserve_writing;
using jobs::open_kernel;
using jobs::spec_like;

/// How files are written.
struct FileOptions : jobs::FileChoice {
  void describe(OptionTable& table);
};

/// A file of voxels that are `pitch` apart.
imageio::ImageSpec spec_on(const VoxelSize& pitch, const Extent3& extent, PixelType type,
                           const FileOptions& options);

/// As imageio::require_new_image with these options.
void require_new_image(const std::filesystem::path& output, const FileOptions& file);

}  // namespace synthoscope::tools
