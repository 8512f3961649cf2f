// SPDX-License-Identifier: MIT
// imageio/image/info.hpp — what an image file says about itself, and how a stack of it is opened.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/base/units.hpp"
#include "core/stream/stream.hpp"
#include "imageio/image/axes.hpp"
#include "imageio/image/channel.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

class ReadDigests;

/// What a file says about itself. What it does not say is absent, never a default.
struct ImageInfo {
  std::filesystem::path path;
  std::vector<std::filesystem::path> further_files;  ///< of a set: others that hold its planes
  std::string format;    ///< "TIFF", "BigTIFF", with flavour: "TIFF, ImageJ hyperstack"; "HDF5"
  std::string data_set;  ///< of an HDF5 file: "/image"; the folder of an array of Zarr: "0"
  Extent3 extent;        ///< one stack: z, y, x of one channel and one frame
  PixelType type = PixelType::uint16;
  std::int64_t channels = 1, frames = 1;
  std::vector<NamedAxis> axes;              ///< in the order of storage
  std::string axes_source;                  ///< who named them: "named by its OME-XML"
  bool axes_assumed = false;                ///< z is an axis without a name
  std::vector<std::string> images;          ///< if there are several: a line for each
  std::int64_t image = 0;                   ///< number of the image that is described
  std::vector<ImageChannel> channel_names;  ///< for each channel, or none
  std::optional<ImageChannel> channel;      ///< the opened one, if the file says what it shows
  std::int64_t samples_per_pixel = 1;       ///< 3 for RGB
  std::optional<double> z_um, y_um, x_um;   ///< voxel size, per axis as far as known
  std::optional<Index3> kernel_center;      ///< written by synthoscope beside a PSF
  std::string compression = "none";
  std::optional<Extent3> chunks;    ///< of an HDF5 array that has them, or an array of Zarr
  std::vector<Extent3> levels;      ///< of a pyramid, the image itself first; empty without one
  std::vector<std::string> labels;  ///< names of the label images that come with it
  std::vector<std::string> notes;   ///< oddities worth saying: "palette colours are ignored"

  /// The voxel size when all three axes are known.
  [[nodiscard]] std::optional<VoxelSize> voxel_size() const;

  /// "Z=5, C=2, Y=64, X=64, named by its OME-XML": for logs and records.
  [[nodiscard]] std::string axes_text() const;
};

struct OpenOptions {
  std::optional<std::int64_t> channel, frame;  ///< from 0; required where a file has several
  InputLimits limits;
  std::int64_t cache_bytes = std::int64_t{256} << 20;  ///< for chunks that are kept, and
                                                       ///< again for those that are being decoded
  std::optional<std::int64_t> image = {};  ///< from 0; the first of a file with several images
  std::string axes = {};  ///< letters of all axes, such as "TZYX"; empty: as the file says
  std::optional<VoxelSize> voxel_size = {};  ///< instead of what the file says
  bool labels = false;                       ///< voxels are numbers of objects: never inverted
  ReadDigests* digests = nullptr;            ///< hash all bytes that are read; null: nothing
};

struct OpenImage {
  ImageInfo info;
  std::unique_ptr<Source> source;  ///< the chosen stack; reads are thread-safe
  std::int64_t buffer_bytes = 0;   ///< held by all threads that read, beyond the caller's voxels
};

/// All files that `info` of `given`, which may name an array, was read from.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& given,
                                            const ImageInfo& info);

/// "2 channels and 1 frame": for messages.
std::string print_stacks(std::int64_t channels, std::int64_t frames);

/// Sets `info.image` to `choice`. Without a choice it takes the first image, and adds a note if the
/// file holds others. `info.images` is empty if the file holds one image.
/// @throws InvalidSpec  there is no such image.
void choose_image(std::optional<std::int64_t> choice, ImageInfo& info);

}  // namespace synthoscope::imageio
