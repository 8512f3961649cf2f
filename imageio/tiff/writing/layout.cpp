// SPDX-License-Identifier: MIT
#include "imageio/tiff/writing/layout.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/round_up.hpp"
#include "core/run/memory_budget.hpp"
#include "imageio/tiff/writing/directory.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kLargestClassic = (std::int64_t{4} << 30) - (std::int64_t{32} << 20);

}  // namespace

bool needs_bigtiff(const ImageSpec& spec, std::int64_t payload_bytes) {
  constexpr std::int64_t kLargestDirectory = 512;
  return spec.force_bigtiff || payload_bytes > kLargestClassic - spec.extent.z * kLargestDirectory;
}

std::int64_t stored_plane(const ImageSpec& spec, std::int64_t z) {
  if (spec.flavor != TiffFlavor::imagej) return z;
  const std::int64_t planes = spec.planes_of_stack();
  const std::int64_t stack = z / planes, channel = stack % spec.channels;
  const std::int64_t frame = stack / spec.channels;
  return (frame * planes + z % planes) * spec.channels + channel;
}

TiffLayout lay_out_tiff(const std::filesystem::path& path, const ImageSpec& spec,
                        const std::string& description) {
  const std::int64_t payload = volume(spec.extent) * size_of(spec.type);
  const bool is_imagej = spec.flavor == TiffFlavor::imagej, is_long = needs_bigtiff(spec, payload);
  TiffLayout layout;
  layout.is_big = is_long && !is_imagej;
  layout.plane_bytes = payload / spec.extent.z;
  if (is_imagej && is_long && (!spec.imagej_beyond_4gb || layout.plane_bytes > kLargestClassic))
    throw InvalidSpec(fmt::format(
        "create {}: {} are more than fit into a TIFF that every ImageJ reads (4 GB); use "
        "--tiff-flavor ome",
        path.string(), print_bytes(payload)));
  const std::int64_t directories = is_imagej && is_long ? 1 : spec.extent.z;

  // The head and all directories, whose sizes tell where the pixels begin
  constexpr std::int64_t kPixelAlignment = 64;
  const TiffHead head = put_head(layout.head, spec, description, layout.is_big);
  const std::int64_t first = directory_bytes(head, true, 1, false);
  const std::int64_t other = directory_bytes(head, false, 1, false);
  layout.description_offset = head.description_offset;
  layout.pixels_offset = round_up(head.end + first + (directories - 1) * other, kPixelAlignment);
  layout.total_bytes = layout.pixels_offset + payload;
  std::int64_t at = head.end;
  for (std::int64_t i = 0; i < directories; ++i) {
    const std::int64_t pixels = layout.pixels_offset + i * layout.plane_bytes;
    const std::int64_t next = at + (i == 0 ? first : other);
    put_directory(
        layout.head, spec, head, i == 0,
        {.rows = spec.extent.y, .offsets = {&pixels, 1}, .bytes = {&layout.plane_bytes, 1}}, at,
        i + 1 < directories ? next : 0);
    at = next;
  }
  layout.head.resize(static_cast<std::size_t>(layout.pixels_offset));
  return layout;
}

}  // namespace synthoscope::imageio
