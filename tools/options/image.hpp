// SPDX-License-Identifier: MIT
// tools/options/image.hpp — options of every command that opens one stack or creates one.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>
#include "core/base/units.hpp"
#include "imageio/run/counted_image.hpp"
#include "imageio/run/new_output.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// Which stack of a file with several, and what its axes are.
struct InputOptions {
  std::optional<std::int64_t> image, channel, frame;
  std::string axes;
  imageio::InputLimits limits;

  void describe(OptionTable& table);
  /// --image and --axes alone.
  void describe_file(OptionTable& table);
  [[nodiscard]] imageio::OpenOptions open_options() const {
    return {.channel = channel, .frame = frame, .limits = limits, .image = image, .axes = axes};
  }
};

/// Rows of the options that raise `limits`, under a separate heading.
void describe_limits(OptionTable& table, imageio::InputLimits& limits);

std::string_view name_of(imageio::TiffFlavor flavor);
std::string_view name_of(imageio::Compression compression);

using imageio::CountedImage;
using imageio::open_counted;
using imageio::require_new_output;
using imageio::reserve_writing;

/// A kernel, which is the only stack of its file. @throws as open_counted
CountedImage open_kernel(const std::filesystem::path& path, const imageio::InputLimits& limits,
                         const RunContext& context);

/// How files are written.
struct FileOptions {
  bool overwrite = false;
  imageio::TiffFlavor flavor = imageio::TiffFlavor::ome;
  imageio::FileFormat format = imageio::FileFormat::by_name;
  imageio::Compression compression = imageio::Compression::none;
  std::optional<Extent3> chunks;
  bool labels = false;  ///< voxels are numbers of objects; no option

  void describe(OptionTable& table);
  void apply(imageio::ImageSpec& spec) const;
};

/// Returns the spec of a file of voxels like those of `info`, in another type.
imageio::ImageSpec spec_like(const imageio::ImageInfo& info, const Extent3& extent, PixelType type,
                             const FileOptions& options);

/// A file of voxels that are `pitch` apart.
imageio::ImageSpec spec_on(const VoxelSize& pitch, const Extent3& extent, PixelType type,
                           const FileOptions& options);

/// As imageio::require_new_image with these options.
void require_new_image(const std::filesystem::path& output, const FileOptions& file);

}  // namespace synthoscope::tools
