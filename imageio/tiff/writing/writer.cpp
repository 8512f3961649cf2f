// SPDX-License-Identifier: MIT
#include "imageio/tiff/writing/writer.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "imageio/image/info.hpp"
#include "imageio/image/name.hpp"
#include "imageio/tiff/blocks.hpp"
#include "imageio/tiff/writing/layout.hpp"
#include "imageio/tiff/writing/sinks.hpp"
#include "imageio/tiff/writing/strip_coder.hpp"

namespace synthoscope::imageio {
namespace {

void check_imagej(const std::filesystem::path& path, const ImageSpec& spec) {
  const bool is_known = spec.type == PixelType::uint8 || spec.type == PixelType::uint16 ||
                        spec.type == PixelType::float32;
  if (!is_known)
    throw InvalidSpec(
        fmt::format("create {}: ImageJ files hold uint8, uint16 and float32, not {}; "
                    "choose another --output-type or --tiff-flavor ome",
                    path.string(), name_of(spec.type)));
  if (spec.is_compressed())
    throw InvalidSpec(
        fmt::format("create {}: ImageJ files are written uncompressed; choose "
                    "--compression none or --tiff-flavor ome",
                    path.string()));
}

}  // namespace

void check_tiff(const std::filesystem::path& path, const ImageSpec& spec) {
  if (spec.flavor == TiffFlavor::plain && spec.stacks() > 1)
    throw InvalidSpec(fmt::format(
        "create {}: {} were given, but a TIFF without metadata cannot say which plane belongs to "
        "which; choose one with --channel and --frame, or --tiff-flavor ome",
        path.string(), print_stacks(spec.channels, spec.frames)));
  if (spec.compression == Compression::blosc)
    throw InvalidSpec(
        fmt::format("create {}: TIFF does not support blosc compression; choose --compression "
                    "zstd, deflate, lzw or none",
                    path.string()));
  if (spec.flavor == TiffFlavor::imagej) check_imagej(path, spec);
  if (const ImageName name = image_name(path); !name.data_set.empty())
    throw InvalidSpec(fmt::format(
        "create {}: TIFF files have no HDF5 arrays; leave {} out or choose --format hdf5",
        path.string(), name.data_set));
  if (spec.chunks)
    throw InvalidSpec(fmt::format(
        "create {}: TIFF files have no chunks; leave --chunks out or choose --format hdf5",
        path.string()));
}

std::shared_ptr<BegunFile> begin_tiff(const std::filesystem::path& path, const ImageSpec& spec) {
  return spec.is_compressed() ? nullptr : begin_laid_out_tiff(path, spec);
}

std::unique_ptr<ImageFile> create_tiff(const std::filesystem::path& path, const ImageSpec& spec) {
  return spec.is_compressed() ? create_compressed_tiff(path, spec)
                              : create_laid_out_tiff(path, spec);
}

std::unique_ptr<ImageFile> resume_tiff(const std::filesystem::path& path, const ImageSpec& spec,
                                       const std::string& state) {
  return spec.is_compressed() ? resume_compressed_tiff(path, spec, state)
                              : resume_laid_out_tiff(path, spec, state);
}

std::int64_t tiff_bytes(const ImageSpec& spec) {
  return spec.is_compressed() ? compressed_tiff_bytes(spec) : 0;
}

std::int64_t tiff_reading_bytes(const ImageSpec& spec) {
  if (!spec.is_compressed()) return 0;  // pixels lie in order, and go to their place
  TiffFormat format{.width = spec.extent.x, .height = spec.extent.y, .type = spec.type};
  format.bits = 8 * size_of(spec.type);
  format.block_width = format.width;
  format.block_height = rows_per_strip(spec);
  format.compression = compression_code(spec.compression);
  TiffPage page;
  page.largest_block =
      largest_strip(spec.compression, format.block_height * format.block_row_bytes());
  TiffBlockCosts costs;
  costs.add(format, page);
  return costs.buffer_bytes(0);
}

}  // namespace synthoscope::imageio
