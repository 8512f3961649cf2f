// SPDX-License-Identifier: MIT
#include "imageio/formats.hpp"
#include <algorithm>
#include "core/base/assert.hpp"
#include "imageio/bdv/stacks.hpp"
#include "imageio/bdv/writer.hpp"
#include "imageio/bdv/xml.hpp"
#include "imageio/hdf5/find.hpp"
#include "imageio/hdf5/stacks.hpp"
#include "imageio/hdf5/writing/writer.hpp"
#include "imageio/small/ics_header.hpp"
#include "imageio/small/ics_source.hpp"
#include "imageio/small/plane_folder.hpp"
#include "imageio/small/png_source.hpp"
#include "imageio/tiff/planes/stacks.hpp"
#include "imageio/tiff/writing/writer.hpp"
#include "imageio/zarr/folder.hpp"
#include "imageio/zarr/stacks.hpp"
#include "imageio/zarr/writer.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::string_view kZarrExtensions[] = {".zarr"}, kIcsExtensions[] = {".ics"},
                           kPngExtensions[] = {".png"},
                           kTiffExtensions[] = {".tif", ".tiff", ".btf", ".tf2", ".tf8"};

constexpr FormatWriter zarr_writer(FileFormat format) {
  return {.format = format,
          .has_random_access = true,
          .check = check_zarr,
          .create = create_zarr,
          .resume = resume_zarr,
          .bytes = zarr_bytes,
          .reading_bytes = zarr_reading_bytes,
          .require_replaceable = require_replaceable_zarr};
}

/// TIFF comes last. Its reader refuses every other file, with a message that names its format.
bool is_any(const InputFile&) {
  return true;
}

constexpr ImageFormat kFormats[] = {
    // Folders of single planes
    {.extensions = {},
     .is_folder = true,
     .reader = FormatReader{.recognises = nullptr,
                            .read = read_plane_folder,
                            .recognises_folder = is_plane_folder},
     .writer = {}},
    // OME-Zarr, and arrays of Zarr alone
    {.extensions = kZarrExtensions,
     .is_folder = true,
     .reader = FormatReader{.recognises = nullptr, .read = read_zarr, .takes_axes = true},
     .writer = zarr_writer(FileFormat::zarr)},
    // Zarr 3, which is read by the same reader
    {.extensions = {}, .is_folder = true, .reader = {}, .writer = zarr_writer(FileFormat::zarr3)},
    // Image Cytometry Standard
    {.extensions = kIcsExtensions,
     .reader = FormatReader{.recognises = is_ics, .read = read_ics},
     .writer = {}},
    {.extensions = kPngExtensions,
     .reader = FormatReader{.recognises = is_png, .read = read_png},
     .writer = {}},
    // BigDataViewer: read by its XML file, written by the name of its HDF5 file
    {.extensions = {},
     .reader = FormatReader{.recognises = is_bdv_xml, .read = read_bdv},
     .writer = FormatWriter{.format = FileFormat::bdv,
                            .has_random_access = false,
                            .check = check_bdv,
                            .create = create_bdv,
                            .resume = resume_bdv,
                            .bytes = bdv_bytes,
                            .reading_bytes = bdv_reading_bytes,
                            .second_file = bdv_xml_path,
                            .require_replaceable = require_new_bdv_xml}},
    // HDF5
    {.extensions = kHdf5Extensions,
     .reader =
         FormatReader{
             .recognises = is_hdf5, .read = read_hdf5, .has_arrays = true, .takes_axes = true},
     .writer = FormatWriter{.format = FileFormat::hdf5,
                            .has_random_access = true,
                            .check = check_hdf5,
                            .create = create_hdf5,
                            .resume = resume_hdf5,
                            .bytes = hdf5_bytes,
                            .reading_bytes = hdf5_reading_bytes}},
    // TIFF and BigTIFF of all flavours
    {.extensions = kTiffExtensions,
     .reader = FormatReader{.recognises = is_any, .read = read_tiff, .takes_axes = true},
     .writer = FormatWriter{.format = FileFormat::tiff,
                            .has_random_access = true,
                            .has_stacks = true,
                            .check = check_tiff,
                            .create = create_tiff,
                            .resume = resume_tiff,
                            .bytes = tiff_bytes,
                            .reading_bytes = tiff_reading_bytes,
                            .begin = begin_tiff}},
};

}  // namespace

std::span<const ImageFormat> image_formats() {
  return kFormats;
}

const ImageFormat* format_with_extension_of(const std::filesystem::path& file) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const ImageFormat& one) { return has_extension(file, one.extensions); });
  return found == std::end(kFormats) ? nullptr : found;
}

FileFormat format_of(const std::filesystem::path& path, FileFormat format) {
  if (format != FileFormat::by_name) return format;
  const ImageFormat* const named = format_with_extension_of(file_of(path));
  return named && named->writer ? named->writer->format : FileFormat::tiff;
}

const ImageFormat& row_of(FileFormat format) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const ImageFormat& one) { return one.writer && one.writer->format == format; });
  const bool is_written = found != std::end(kFormats);
  SYNTHOSCOPE_ASSERT(is_written, ==, true);
  return *found;
}

BoxOrder order_of(FileFormat format, Compression compression) {
  const auto& row = row_of(format == FileFormat::by_name ? FileFormat::tiff : format);
  const bool has_random_access = compression == Compression::none && row.writer->has_random_access;
  return has_random_access ? BoxOrder::any : BoxOrder::planes_in_order;
}

}  // namespace synthoscope::imageio
