// SPDX-License-Identifier: MIT
#include "imageio/create.hpp"
#include <fmt/format.h>
#include <cmath>
#include <limits>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "imageio/formats.hpp"
#include "imageio/image/info.hpp"

namespace synthoscope::imageio {
namespace {

void check_sizes(const std::filesystem::path& path, const ImageSpec& spec) {
  constexpr std::int64_t kLargestAxis = std::numeric_limits<std::int32_t>::max();
  const Extent3& e = spec.extent;
  if (!is_positive(e) || e.z > kLargestAxis || e.y > kLargestAxis || e.x > kLargestAxis)
    throw InvalidSpec(
        fmt::format("create {}: {} voxels were requested, but each axis has 1 ... {}; "
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
          fmt::format("create {}: a voxel of {} um was requested; give a finite "
                      "number above 0",
                      path.string(), *um));
}

void check_stacks(const std::filesystem::path& path, const ImageSpec& spec,
                  const FormatWriter& writer) {
  SYNTHOSCOPE_ASSERT(spec.extent.z % spec.stacks(), ==, 0);
  if (spec.stacks() == 1 || writer.has_stacks) return;
  throw InvalidSpec(fmt::format(
      "create {}: {} were given, but this format ({}) is written with one of each; choose one with "
      "--channel and --frame, or write an OME-TIFF",
      path.string(), print_stacks(spec.channels, spec.frames),
      name_in(kFileFormatNames, writer.format)));
}

/// The writer that `spec` asks for, after it was checked that it can hold the image.
const FormatWriter& checked(const std::filesystem::path& path, const ImageSpec& spec) {
  check_sizes(path, spec);
  const FormatWriter& writer = *row_of(format_of(path, spec.format)).writer;
  check_stacks(path, spec, writer);
  writer.check(path, spec);
  return writer;
}

const FormatWriter& writer_of(const ImageSpec& spec) {
  return *row_of(spec.format == FileFormat::by_name ? FileFormat::tiff : spec.format).writer;
}

}  // namespace

std::unique_ptr<ImageFile> create_image(const std::filesystem::path& path, const ImageSpec& spec) {
  return checked(path, spec).create(path, spec);
}

std::shared_ptr<BegunFile> begin_image(const std::filesystem::path& path, const ImageSpec& spec) {
  const FormatWriter& writer = checked(path, spec);
  return writer.begin ? writer.begin(path, spec) : nullptr;
}

std::unique_ptr<ImageFile> resume_image(const std::filesystem::path& path, const ImageSpec& spec,
                                        const std::string& state) {
  return checked(path, spec).resume(path, spec, state);
}

std::int64_t buffered_bytes(const ImageSpec& spec) {
  return writer_of(spec).bytes(spec);
}

std::int64_t least_reading_bytes(const ImageSpec& spec) {
  return writer_of(spec).reading_bytes(spec);
}

}  // namespace synthoscope::imageio
