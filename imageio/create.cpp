// SPDX-License-Identifier: MIT
#include "imageio/create.hpp"
#include <fmt/format.h>
#include <cmath>
#include <limits>
#include "core/error.hpp"
#include "imageio/tiff_writer.hpp"

namespace synthoscope::imageio {
namespace {

void check_sizes(const std::filesystem::path& path, const ImageSpec& spec) {
  constexpr std::int64_t kLargestAxis = std::numeric_limits<std::int32_t>::max();
  const Extent3& e = spec.extent;
  if (!is_positive(e) || e.z > kLargestAxis || e.y > kLargestAxis || e.x > kLargestAxis)
    throw InvalidSpec(
        fmt::format("create {}: {} voxels were asked for, each axis takes 1 ... {}; "
                    "choose another size",
                    path.string(), e, kLargestAxis));
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(volume(e), size_of(spec.type), &bytes) || bytes > kLargestAxis << 31)
    throw InvalidSpec(
        fmt::format("create {}: {} voxels of {} are more than a file can hold; "
                    "choose a smaller size",
                    path.string(), e, name_of(spec.type)));
  for (const auto& um : {spec.z_um, spec.y_um, spec.x_um})
    if (um && !(std::isfinite(*um) && *um > 0))
      throw InvalidSpec(
          fmt::format("create {}: a voxel of {} um was asked for; give a finite "
                      "number above 0",
                      path.string(), *um));
}

void check_imagej(const std::filesystem::path& path, const ImageSpec& spec) {
  const bool is_known = spec.type == PixelType::uint8 || spec.type == PixelType::uint16 ||
                        spec.type == PixelType::float32;
  if (!is_known)
    throw InvalidSpec(
        fmt::format("create {}: ImageJ files hold uint8, uint16 and float32, not {}; "
                    "choose another --output-type or --tiff-flavor ome",
                    path.string(), name_of(spec.type)));
  if (spec.compression != Compression::none)
    throw InvalidSpec(
        fmt::format("create {}: ImageJ files are written uncompressed; choose "
                    "--compression none or --tiff-flavor ome",
                    path.string()));
}

void check(const std::filesystem::path& path, const ImageSpec& spec) {
  check_sizes(path, spec);
  if (spec.flavor == TiffFlavor::imagej) check_imagej(path, spec);
}

}  // namespace

std::unique_ptr<ImageFile> create_image(const std::filesystem::path& path, const ImageSpec& spec) {
  check(path, spec);
  return spec.compression == Compression::none ? create_laid_out_tiff(path, spec)
                                               : create_compressed_tiff(path, spec);
}

std::unique_ptr<ImageFile> resume_image(const std::filesystem::path& path, const ImageSpec& spec,
                                        const std::string& state) {
  check(path, spec);
  return spec.compression == Compression::none ? resume_laid_out_tiff(path, spec, state)
                                               : resume_compressed_tiff(path, spec, state);
}

}  // namespace synthoscope::imageio
