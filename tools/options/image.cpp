// SPDX-License-Identifier: MIT
#include "tools/options/image.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

void InputOptions::describe(OptionTable& table) {
  table.group("Input");
  describe_file(table);
  table.add(whole_row("channel", "N", channel, 0, "the only one",
                      "channel to take from a file with several, from 0"));
  table.add(whole_row("frame", "N", frame, 0, "the only one",
                      "time point to take from a file with several, from 0"));
  describe_limits(table, limits);
}

void InputOptions::describe_file(OptionTable& table) {
  table.add(whole_row("image", "N", image, 0, "the first, with a warning if there are more",
                      "image to take from a TIFF (OME-XML, tifffile) or an OME-Zarr with several, "
                      "from 0; info lists them"));
  table.add(
      {"axes", "LETTERS", "those that the file names", "",
       "what each axis of a TIFF, HDF5 data set or Zarr array is, in the order of storage: T, "
       "C, Z, Y and X, such as TZYX; info says what they were taken for",
       [this](std::string_view text) { axes = text; }});
}

void describe_limits(OptionTable& table, imageio::InputLimits& limits) {
  table.group("Limits on input");
  table.add(whole_row("max-axis", "N", limits.axis, 1, "pixels along one axis"));
  table.add(whole_row("max-channels", "N", limits.channels, 1, "channels of a file"));
  table.add(whole_row("max-directories", "N", limits.directories, 1, "directories of a file"));
  table.add(whole_row("max-description", "BYTES", limits.description_bytes, 1,
                      "length of a description"));
  table.add(real_row("max-ratio", "R", limits.declared_to_file_ratio, "",
                     "declared bytes per byte of the file, where more than 1 GiB is declared"));
}

void FileOptions::describe(OptionTable& table) {
  table.group("Output");
  table.add(switch_row("overwrite", overwrite, "replace output that exists"));
  table.add(
      choice_row("format", format, imageio::kFileFormatNames,
                 "what files are; auto is HDF5 for names that end in .h5 or .hdf5, which "
                 "may be followed by a data set as in out.h5:/group/image, OME-Zarr for .zarr, and "
                 "TIFF for .tif, .tiff, .btf, .tf2, .tf8 and names without a suffix; zarr is "
                 "OME-Zarr 0.4, which all its readers know, and zarr3 OME-Zarr 0.5; bdv is "
                 "BigDataViewer's HDF5, out.h5, with out.xml beside it"));
  table.add(choice_row("tiff-flavor", flavor, imageio::kTiffFlavorNames,
                       "whose metadata a TIFF carries: OME-XML, ImageJ's, or none"));
  table.add(choice_row(
      "compression", compression, imageio::kCompressionNames,
      "how pixels are packed: TIFF by all but blosc, of which ImageJ does not read zstd; "
      "OME-Zarr and HDF5 by all but lzw, where readers of HDF5 need plug-ins for zstd "
      "(its filter 32015) and blosc (32001), such as hdf5plugin for Python"));
  table.add({"chunks", "Z,Y,X", "16,256,256; of uncompressed HDF5 one block", "",
             "voxels of a chunk of HDF5 or OME-Zarr; uncompressed ones of HDF5 need HDF5 1.10 to "
             "be read",
             [this](std::string_view text) { chunks = parse_triple(text, 1); }});
}

imageio::ImageSpec spec_on(const VoxelSize& pitch, const Extent3& extent, PixelType type,
                           const FileOptions& options) {
  imageio::ImageInfo like;
  like.z_um = pitch.z_um;
  like.y_um = pitch.y_um;
  like.x_um = pitch.x_um;
  return spec_like(like, extent, type, options);
}

void require_new_image(const std::filesystem::path& output, const FileOptions& file) {
  imageio::require_new_image(output, file.format, file.overwrite);
}

}  // namespace synthoscope::tools
