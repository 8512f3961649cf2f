// SPDX-License-Identifier: MIT
// imageio/formats.hpp — the table of image formats: how each is recognised, read and written.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "imageio/image/file.hpp"
#include "imageio/image/spec.hpp"
#include "imageio/image/stacks.hpp"

namespace synthoscope::imageio {

/// How images of a format are read.
struct FormatReader {
  /// True if a file is of this format, by its first bytes. Null for folders, which are not asked.
  bool (*recognises)(const InputFile& file);
  /// Reads what the image says about itself. @throws as inspect
  ImageStacks (*read)(ImageInput input, const OpenOptions& options);
  bool has_arrays = false;  ///< a path may name one: "stack.h5:/a"
  /// Which folders are of this format. Null: all that no row before recognises.
  bool (*recognises_folder)(const std::filesystem::path& folder) = nullptr;
  bool takes_axes = false;  ///< `axes` and `image` of the options: files hold any array, or several
};

/// How images of a format are written. Functions take a path as create_image does.
struct FormatWriter {
  FileFormat format;
  bool has_random_access;   ///< uncompressed pixels have their place from the start
  bool has_stacks = false;  ///< a file can hold several channels and frames
  /// @throws InvalidSpec  the format cannot hold the image.
  void (*check)(const std::filesystem::path& path, const ImageSpec& spec);
  /// After `check`; as create_image.
  std::unique_ptr<ImageFile> (*create)(const std::filesystem::path& path, const ImageSpec& spec);
  /// After `check`; as resume_image.
  std::unique_ptr<ImageFile> (*resume)(const std::filesystem::path& path, const ImageSpec& spec,
                                       const std::string& state);
  /// Memory of the sink; as buffered_bytes.
  std::int64_t (*bytes)(const ImageSpec& spec);
  /// As least_reading_bytes.
  std::int64_t (*reading_bytes)(const ImageSpec& spec);
  /// After `check`; as begin_image. Null: files grow.
  std::shared_ptr<BegunFile> (*begin)(const std::filesystem::path& path,
                                      const ImageSpec& spec) = nullptr;
  /// The second file of an image. Null: there is none.
  std::filesystem::path (*second_file)(const std::filesystem::path& file) = nullptr;
  /// Refuses to replace what is there and is no image of this format. Null: any file is replaced.
  void (*require_replaceable)(const std::filesystem::path& file, bool overwrite) = nullptr;
};

struct ImageFormat {
  std::span<const std::string_view> extensions;  ///< in small letters, of names that mean it
  bool is_folder = false;
  std::optional<FormatReader> reader;
  std::optional<FormatWriter> writer;
};

/// All formats, in the order in which they are asked whether they recognise a file.
std::span<const ImageFormat> image_formats();

/// The first format with the extension of `file`. Null: none has it.
const ImageFormat* format_with_extension_of(const std::filesystem::path& file);

/// Returns the format of a new file: `format`, or for `by_name` the format of its extension. .h5
/// and .hdf5 mean HDF5, .zarr means OME-Zarr, any other extension means TIFF. `path` may name an
/// array.
FileFormat format_of(const std::filesystem::path& path, FileFormat format);

/// The format that is written as `format`, which is not `by_name`: it has a writer.
const ImageFormat& row_of(FileFormat format);

/// The boxes that the sink of a file takes: any of them where pixels have their place from the
/// start, whole planes in order where they are compressed or made of chunks at the end.
/// @param format  `by_name` counts as TIFF, whose order all formats that have extensions share
BoxOrder order_of(FileFormat format, Compression compression);

}  // namespace synthoscope::imageio
