// SPDX-License-Identifier: MIT
#include "imageio/run/new_output.hpp"
#include <fmt/format.h>
#include <cmath>
#include "core/base/error.hpp"
#include "imageio/formats.hpp"
#include "imageio/hdf5/find.hpp"
#include "imageio/image/name.hpp"
#include "imageio/run/provenance.hpp"

namespace synthoscope::imageio {
namespace {

/// A file is replaced whole.
void require_no_other_data_sets(const std::filesystem::path& output) try {
  const auto [file, wanted] = image_name(output);
  if (wanted.empty() || !std::filesystem::is_regular_file(file) || !is_hdf5(InputFile{file}))
    return;
  for (const std::string& other : data_sets_of(file))
    if (other != wanted)
      throw InvalidSpec(fmt::format(
          "write {}: --overwrite replaces the whole file, which also holds {}; choose another "
          "file, or give {} without the name of an array, which deletes everything in it",
          output.string(), other, file.string()));
} catch (const InvalidInput&) {  // a broken file holds nothing to lose
}

/// "results/" names a folder, whether it exists or not.
void require_file_name(const std::filesystem::path& output) {
  const auto named = file_of(output);
  if (output.has_filename() && !std::filesystem::is_directory(named)) return;
  throw InvalidSpec(fmt::format(
      "write {}: that is the name of a folder; give the name of a file in it, such as {}",
      output.string(), (named / "result").string()));
}

void require_new_names(const std::filesystem::path& output, bool overwrite) {
  for (const auto& path : {file_of(output), record_path(output)})
    if (!overwrite && std::filesystem::exists(path))
      throw InvalidSpec(fmt::format(
          "write {}: it exists already; choose another name or replace it with --overwrite",
          path.string()));
  require_no_other_data_sets(output);
}

}  // namespace

void require_new_output(const std::filesystem::path& output, bool overwrite) {
  require_file_name(output);
  require_new_names(output, overwrite);
}

void require_new_image(const std::filesystem::path& output, FileFormat format, bool overwrite) {
  const auto named = file_of(output);
  const ImageFormat* const known = format_with_extension_of(named);
  const bool is_known = !named.has_extension() || (known && known->writer);
  if (format == FileFormat::by_name && !is_known)
    throw InvalidSpec(
        fmt::format("write {}: '{}' is not the extension of an output format; give a name that "
                    "ends in .tif, .tiff, .h5, .hdf5 or .ome.zarr, or choose the format with "
                    "--format tiff, hdf5, zarr, zarr3 or bdv",
                    output.string(), named.extension().string()));
  const ImageFormat& row = row_of(format_of(output, format));
  if (!row.is_folder) require_file_name(output);
  require_new_names(output, overwrite);
  if (row.writer->require_replaceable) row.writer->require_replaceable(named, overwrite);
}

void warn_of_pitch_mismatch(const ImageInfo& image, const ImageInfo& kernel, Log& log) {
  constexpr double kTolerance = 0.01;  // relative
  struct Axis {
    const char* name = nullptr;
    std::optional<double> image, kernel;
  };
  for (const Axis& axis : {Axis{"z", image.z_um, kernel.z_um}, Axis{"y", image.y_um, kernel.y_um},
                           Axis{"x", image.x_um, kernel.x_um}})
    if (axis.image && axis.kernel &&
        std::abs(*axis.image - *axis.kernel) > kTolerance * *axis.image)
      log.warn(fmt::format(
          "voxels of image {} are {:g} um along {}, but voxels of kernel {} are {:g} um: the "
          "kernel is not resampled, so along {} it is {:.3g} times as wide as it should be; use a "
          "kernel with the voxel size of the image",
          image.path.string(), *axis.image, axis.name, kernel.path.string(), *axis.kernel,
          axis.name, *axis.image / *axis.kernel));
}

}  // namespace synthoscope::imageio
