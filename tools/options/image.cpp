// SPDX-License-Identifier: MIT
#include "tools/options/image.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

void InputOptions::describe(OptionTable& table) {
  table.group("Input");
  describe_file(table);
  table.add(whole_row("channel", "N", channel, 0, std::string{without_choice},
                      "channel to take from a file with several, from 0"));
  table.add(whole_row("frame", "N", frame, 0, std::string{without_choice},
                      "time point to take from a file with several, from 0"));
  describe_limits(table, limits);
}

void InputOptions::describe_file(OptionTable& table) {
  table.add(whole_row("image", "N", image, 0, "the first, with a warning if there are more",
                      "image to take from a TIFF (OME-XML, tifffile) or an OME-Zarr with several, "
                      "from 0; info lists them"));
  table.add({"axes", "LETTERS", "the names in the file", "",
             "axes of a TIFF, HDF5 array or Zarr array in storage order: T, C, Z, Y and X, such as "
             "TZYX; info prints how they were read",
             [this](std::string_view text) { axes = text; }});
  table.add({"voxel-um", "Z,Y,X", "that of the file", "um",
             "distance between voxels, for a file that does not say it or is wrong; one number "
             "holds for all axes",
             [this](std::string_view text) { voxel_size = parse_voxel_size(text); }});
}

void describe_limits(OptionTable& table, imageio::InputLimits& limits) {
  table.group("Limits on input");
  table.add(whole_row("max-axis", "N", limits.axis, 1, "largest number of pixels along one axis"));
  table.add(
      whole_row("max-channels", "N", limits.channels, 1, "largest number of channels of a file"));
  table.add(whole_row("max-directories", "N", limits.directories, 1,
                      "largest number of directories of a TIFF"));
  table.add(whole_row("max-description", "BYTES", limits.description_bytes, 1,
                      "largest length of a description in the file, such as OME-XML"));
  table.add(real_row("max-ratio", "R", limits.declared_to_file_ratio, "",
                     "largest ratio of the size of all voxels, as the file declares it, to the "
                     "size of the file; checked above 1 GiB"));
}

void FileOptions::describe(OptionTable& table) {
  table.group("Output");
  table.add(switch_row("overwrite", overwrite, "replace output that exists"));
  table.add(choice_row(
      "format", format, imageio::kFileFormatNames,
      "format of the output: auto is HDF5 for names that end in .h5 or .hdf5 (the name of an array "
      "may follow, as in out.h5:/group/image), OME-Zarr for .zarr, and TIFF for .tif, .tiff, .btf, "
      ".tf2, .tf8 and names without a suffix; zarr is OME-Zarr 0.4, which all its readers support, "
      "zarr3 is OME-Zarr 0.5; bdv is BigDataViewer's HDF5, out.h5, with its out.xml"));
  table.add(choice_row("tiff-flavor", flavor, imageio::kTiffFlavorNames,
                       "metadata of a TIFF: OME-XML, ImageJ's, or none"));
  table.add(
      choice_row("compression", compression, imageio::kCompressionNames,
                 "compression of pixels: TIFF supports all but blosc (ImageJ cannot read zstd); "
                 "OME-Zarr and HDF5 support all but lzw (other HDF5 readers need plug-ins for "
                 "zstd, filter 32015, and blosc, 32001, such as hdf5plugin for Python)"));
  table.add({"chunks", "Z,Y,X", "16,256,256; for uncompressed HDF5 one block", "",
             "voxels of a chunk of HDF5 or OME-Zarr; uncompressed chunks of HDF5 can be read by "
             "HDF5 1.10 or newer",
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
