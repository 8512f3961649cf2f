// SPDX-License-Identifier: MIT
// imageio/create.hpp — creates an image file that appears under its name only when it is whole.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include "core/names.hpp"
#include "core/stream.hpp"
#include "core/units.hpp"
#include "imageio/image_channel.hpp"

namespace synthoscope {
class StopFlag;
class TaskPool;
}  // namespace synthoscope

namespace synthoscope::imageio {

/// zarr is OME-Zarr 0.4, on Zarr's format 2, and zarr3 is OME-Zarr 0.5, on its format 3; bdv is
/// BigDataViewer's HDF5, which has an XML file beside it.
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

/// The boxes that the sink of a file takes: any of them where pixels have their place from the
/// start, whole planes in order where they are compressed or made of chunks at the end.
constexpr BoxOrder order_of(FileFormat format, Compression compression) {
  const bool is_laid_out = compression == Compression::none && format != FileFormat::bdv;
  return is_laid_out ? BoxOrder::any : BoxOrder::planes_in_order;
}

struct ImageSpec {
  Extent3 extent;
  PixelType type = PixelType::float32;
  std::optional<double> z_um, y_um, x_um;  ///< voxel size, per axis as far as known
  TiffFlavor flavor = TiffFlavor::ome;
  FileFormat format = FileFormat::by_name;  ///< see format_of
  std::optional<Extent3> chunks;  ///< 16x256x256 where none are given; uncompressed HDF5 has none
  Compression compression = Compression::none;
  std::optional<Index3> kernel_center;  ///< kept with a PSF, so that `convolve` can use it
  std::optional<ImageChannel> channel;  ///< of OME-TIFF and OME-Zarr
  bool labels = false;     ///< voxels are numbers of objects: no pyramid makes new ones of them
  std::string provenance;  ///< compact JSON of what determines the file (OME: a MapAnnotation)
  bool overwrite = false;
  bool shared = false;  ///< of resume_image: other processes write the same file, other boxes of it
  bool force_bigtiff = false;  ///< for tests; otherwise chosen by size
  /// Lets an ImageJ file pass 4 GB in ImageJ's own form, one directory before all planes, of which
  /// other readers see the first plane alone.
  bool imagej_beyond_4gb = false;
  TaskPool* pool = nullptr;  ///< compresses strips and chunks; null: the thread that writes does
  std::int64_t buffer_bytes = std::int64_t{16} << 20;  ///< for strips that `pool` compresses at
                                                       ///< once; one is held at least
  const StopFlag* stop = nullptr;  ///< looked at where a file is made of finished chunks
};

/// A file that can outlive the process that writes it, unfinished, and be gone on with.
class ImageFile : public Sink {
 public:
  /// Everything written so far outlives this process, though not a power loss. Not to be called
  /// while a thread writes. Planes of a layer of chunks that is not finished are put aside as they
  /// are, once each; all else costs nothing.
  /// @returns what resume_image needs to go on from here, whatever is written afterwards.
  /// @throws IoError
  [[nodiscard]] virtual std::string settle() = 0;

  /// Changes with everything that is written, whole or in part, in a file that takes planes in
  /// order.
  [[nodiscard]] virtual std::int64_t written() const = 0;

  /// All voxels are written: makes the file what it will be, under the name that it has by now.
  /// close() does it too; this may be interrupted and done again.
  /// @throws IoError  @throws Interrupted  `stop` of the spec was requested.
  virtual void build() {}

  /// Waits until what was settled outlives a power loss too. @throws IoError
  virtual void sync() = 0;

  /// Whether the unfinished file stays when this goes without close(). Until it is told, one that
  /// was created goes, and one that was gone on with stays.
  virtual void keep(bool is_kept) noexcept = 0;
};

/// A path of HDF5 may name the data set: "out.h5:/path/to/it"; it is /image otherwise. An HDF5 file
/// holds that one image, has no flavour, and is uncompressed or packed by deflate, zstd or blosc,
/// of which readers know deflate without plug-ins.
///
/// An OME-Zarr is a folder: the image and a pyramid of smaller ones (pyramid.hpp), which are made
/// when it is built; uncompressed or packed by deflate, zstd or blosc.
///
/// For BigDataViewer, `path` (.h5) and an XML file that is called like it hold an image of uint8,
/// uint16 or float32 and its pyramid, packed as HDF5; both get their names when they are whole.
///
/// What each flavour of TIFF holds: `ome` and `plain` every pixel type and compression; `imagej`
/// uint8, uint16 and float32, uncompressed. Integers are compressed with the horizontal predictor.
/// Uncompressed files take boxes in any order from any thread; compressed ones whole planes in z
/// order.
///
/// Creates `path`.partial, laid out at once when uncompressed; `close` flushes, syncs and renames
/// it. Destroyed before `close`, it removes the partial file unless it is kept, and leaves an older
/// `path` alone.
/// @throws InvalidSpec  a type, size or compression that the format or flavour cannot hold, or
///                      `path` exists and `overwrite` is not set.
/// @throws IoError      the folder is missing or not writable, or the disk is full.
std::unique_ptr<ImageFile> create_image(const std::filesystem::path& path, const ImageSpec& spec);

/// Bytes that the sink of such a file (of TIFF, unless another format is said) holds beside
/// the voxels it is given, codecs included; the same for any number of threads.
std::int64_t buffered_bytes(const ImageSpec& spec);

/// Goes on with the `path`.partial that create_image began with the same `spec` and that was kept,
/// or whose process was killed: whatever was written after `settle` returned `state` counts as not
/// written. The finished file is the one that an uninterrupted process would have made.
/// @throws InvalidSpec  the partial file is gone or was not begun like this, and as create_image.
/// @throws IoError      another process is writing it, or it cannot be read.
std::unique_ptr<ImageFile> resume_image(const std::filesystem::path& path, const ImageSpec& spec,
                                        const std::string& state);

constexpr bool is_zarr(FileFormat format) {
  return format == FileFormat::zarr || format == FileFormat::zarr3;
}

/// The format that create_image gives a file: that of its name, by which HDF5 is called .h5 or
/// .hdf5 and OME-Zarr .zarr, and TIFF all else. `path` may name a data set.
FileFormat format_of(const std::filesystem::path& path, FileFormat format);

}  // namespace synthoscope::imageio
