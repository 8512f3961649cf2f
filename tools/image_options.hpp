// SPDX-License-Identifier: MIT
// tools/image_options.hpp — options of every command that opens one stack or creates one.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>
#include "core/run_context.hpp"
#include "core/units.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"
#include "tools/option_table.hpp"

namespace synthoscope::tools {

/// Which stack of a file with several.
struct InputOptions {
  std::optional<std::int64_t> channel, frame;
  imageio::InputLimits limits;

  void describe(OptionTable& table);
  [[nodiscard]] imageio::OpenOptions open_options() const {
    return {.channel = channel, .frame = frame, .limits = limits};
  }
};

/// The options that raise `limits`, under a heading of their own.
void describe_limits(OptionTable& table, imageio::InputLimits& limits);

std::string_view name_of(imageio::TiffFlavor flavor);
std::string_view name_of(imageio::Compression compression);
/// An image whose reading is counted: what it holds beside the caller's voxels.
struct CountedImage : imageio::OpenImage {
  Reservation held;
};

/// Opens an image and lets it keep chunks in an eighth of the memory at most.
/// @throws as imageio::open_image, and PlanError when the memory has no room for one chunk.
CountedImage open_counted(const std::filesystem::path& path, imageio::OpenOptions options,
                          const RunContext& context);

/// How files are written.
struct FileOptions {
  bool overwrite = false;
  imageio::TiffFlavor flavor = imageio::TiffFlavor::ome;
  imageio::FileFormat format = imageio::FileFormat::by_name;
  imageio::Compression compression = imageio::Compression::none;
  std::optional<Extent3> chunks;

  void describe(OptionTable& table);
  void apply(imageio::ImageSpec& spec) const;
};

/// A file of voxels like those of `info`, in another type.
imageio::ImageSpec spec_like(const imageio::ImageInfo& info, const Extent3& extent, PixelType type,
                             const FileOptions& options);

/// A file of voxels that are `pitch` apart.
imageio::ImageSpec spec_on(const VoxelSize& pitch, const Extent3& extent, PixelType type,
                           const FileOptions& options);

/// Counts what writing a file holds beside the voxels. `spec` says which format it has.
/// @throws PlanError  the memory has no room for it.
Reservation reserve_writing(const imageio::ImageSpec& spec, const RunContext& context);

/// Refuses before any work what could not be written after it: `output` and the record beside it.
/// @throws InvalidSpec  one of them exists and must not be replaced, or `output` names a data set
/// of
///                      a file that holds others.
void require_new_output(const std::filesystem::path& output, bool overwrite);

/// The same for an image, whose format is that of `file`, or what its name says.
/// @throws InvalidSpec  so, or its name has a suffix that stands for no format.
void require_new_image(const std::filesystem::path& output, const FileOptions& file);

/// Every file that a run is to make is one of its own: neither another one that it makes, nor an
/// input, which must outlive the run. Data sets of one file are one file.
/// @throws InvalidSpec  an output is an input, or another output.
void require_apart(const std::vector<std::filesystem::path>& outputs,
                   const std::vector<std::filesystem::path>& inputs);

}  // namespace synthoscope::tools
