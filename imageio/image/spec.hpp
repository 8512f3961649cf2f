// SPDX-License-Identifier: MIT
// imageio/image/spec.hpp — what a new image file holds, and in which format.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/base/names.hpp"
#include "core/base/units.hpp"
#include "core/stream/stream.hpp"
#include "imageio/image/channel.hpp"

namespace synthoscope {
class StopFlag;
class TaskPool;
}  // namespace synthoscope

namespace synthoscope::imageio {

struct BegunFile;

/// zarr is OME-Zarr 0.4 (Zarr format 2), zarr3 is OME-Zarr 0.5 (Zarr format 3), bdv is
/// BigDataViewer's HDF5 with its XML file.
enum class FileFormat { by_name, tiff, hdf5, zarr, zarr3, bdv };
inline constexpr NameTable<FileFormat, 6> kFileFormatNames{{
    {FileFormat::by_name, "auto"},
    {FileFormat::tiff, "tiff"},
    {FileFormat::hdf5, "hdf5"},
    {FileFormat::zarr, "zarr"},
    {FileFormat::zarr3, "zarr3"},
    {FileFormat::bdv, "bdv"},
}};
enum class TiffFlavor { ome, imagej, plain };
inline constexpr NameTable<TiffFlavor, 3> kTiffFlavorNames{{
    {TiffFlavor::ome, "ome"},
    {TiffFlavor::imagej, "imagej"},
    {TiffFlavor::plain, "plain"},
}};
enum class Compression { none, deflate, lzw, zstd, blosc };
inline constexpr NameTable<Compression, 5> kCompressionNames{{
    {Compression::none, "none"},
    {Compression::deflate, "deflate"},
    {Compression::lzw, "lzw"},
    {Compression::zstd, "zstd"},
    {Compression::blosc, "blosc"},
}};

struct ImageSpec {
  /// Of all stacks: the planes of the first channel of the first frame, then those of its second
  /// channel, and so on to the last channel of the last frame.
  Extent3 extent;
  PixelType type = PixelType::float32;
  std::optional<double> z_um, y_um, x_um;  ///< voxel size, per axis as far as known
  TiffFlavor flavor = TiffFlavor::ome;
  FileFormat format = FileFormat::by_name;  ///< see format_of
  std::optional<Extent3> chunks;  ///< 16x256x256 where none are given; uncompressed HDF5 has none
  Compression compression = Compression::none;
  std::optional<Index3> kernel_center;    ///< kept with a PSF, so that `convolve` can use it
  std::int64_t channels = 1, frames = 1;  ///< only TIFF holds several; their product divides z
  std::optional<ImageChannel> channel;    ///< of OME-TIFF and OME-Zarr: what the one channel shows
  std::vector<ImageChannel> channel_names;  ///< of several channels: for each, or none
  bool labels = false;     ///< voxels are numbers of objects: no pyramid makes new ones of them
  std::string provenance;  ///< compact JSON of what determines the file (OME: a MapAnnotation)
  bool overwrite = false;
  bool shared = false;  ///< of resume_image: other processes write the same file, other boxes of it
  bool force_bigtiff = false;  ///< for tests; otherwise chosen by size
  /// Allows ImageJ files above 4 GB in ImageJ's own form: one directory before all planes. Other
  /// readers see only the first plane.
  bool imagej_beyond_4gb = false;
  TaskPool* pool = nullptr;  ///< its threads write boxes at once, and compress strips and chunks;
                             ///< null: the thread that writes compresses
  std::int64_t buffer_bytes = std::int64_t{16} << 20;  ///< for strips that `pool` compresses at
                                                       ///< once; one is held at least
  std::shared_ptr<BegunFile> begun;  ///< of begin_image: create_image continues it, once
  const StopFlag* stop = nullptr;    ///< looked at where a file is made of finished chunks

  [[nodiscard]] std::int64_t stacks() const { return channels * frames; }
  [[nodiscard]] std::int64_t planes_of_stack() const { return extent.z / stacks(); }
  [[nodiscard]] bool is_compressed() const { return compression != Compression::none; }
};

constexpr bool is_zarr(FileFormat format) {
  return format == FileFormat::zarr || format == FileFormat::zarr3;
}

}  // namespace synthoscope::imageio
