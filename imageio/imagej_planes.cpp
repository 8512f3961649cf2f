// SPDX-License-Identifier: MIT
#include "imageio/imagej_planes.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <string>
#include "core/error.hpp"
#include "imageio/length_unit.hpp"

namespace synthoscope::imageio {
namespace {

/// Bytes from one image to the next of a stack that has one directory.
std::int64_t single_directory_stride(const TiffStacks& stacks, std::int64_t page,
                                     std::int64_t images, const InputLimits& limits) {
  const TiffIndex& index = stacks.files[0]->index();
  const TiffFormat& format = index.format_of(page);
  const std::int64_t first = index.pages[static_cast<std::size_t>(page)].pixels_offset;
  if (first < 0)
    refuse_stacks(stacks,
                  fmt::format("its ImageJ description declares {} images but it has one page, "
                              "which is compressed or tiled; save it again",
                              images));
  if (images > limits.directories)
    refuse_stacks(stacks, fmt::format("it declares {} images, the limit is {}; raise it with "
                                      "--max-directories if you trust the file",
                                      images, limits.directories));
  const std::int64_t bytes = format.sample_plane_bytes() * format.samples;
  if ((index.file.size() - first) / bytes < images)
    refuse_stacks(
        stacks, fmt::format("its ImageJ description declares {} images but only {} fit into its {} "
                            "bytes; the file is truncated, copy it again",
                            images, (index.file.size() - first) / bytes, index.file.size()));
  return bytes;
}

void set_voxel_size(const KeyLines& lines, TiffStacks& stacks) {
  const auto unit = micrometres_per(lines.text("unit").value_or(""));
  set_resolution(unit, stacks);
  if (const auto spacing = lines.positive("spacing"); spacing && unit)
    stacks.info.z_um = *spacing * *unit;
}

}  // namespace

std::optional<ImagejShape> imagej_shape(const KeyLines& lines, std::int64_t images) {
  ImagejShape shape;
  shape.channels = lines.count("channels").value_or(1);
  shape.frames = lines.count("frames").value_or(1);
  std::int64_t per_slice = 0, product = 0;
  if (__builtin_mul_overflow(shape.channels, shape.frames, &per_slice)) return std::nullopt;
  shape.slices = lines.count("slices").value_or(std::max<std::int64_t>(1, images / per_slice));
  if (__builtin_mul_overflow(per_slice, shape.slices, &product) || product != images)
    return std::nullopt;
  return shape;
}

void place_imagej_planes(const KeyLines& lines, const std::vector<std::int64_t>& pages,
                         const InputLimits& limits, TiffStacks& stacks) {
  const std::int64_t declared = lines.count("images").value_or(1);
  const bool is_single = pages.size() == 1 && declared > 1;
  const std::int64_t images = is_single ? declared : static_cast<std::int64_t>(pages.size());
  auto shape = imagej_shape(lines, images);
  if (!shape) {
    shape = ImagejShape{1, images, 1};
    stacks.info.notes.push_back(fmt::format(
        "its ImageJ description does not fit its {} planes, which are read as one stack", images));
  }
  const std::int64_t stride =
      is_single ? single_directory_stride(stacks, pages[0], images, limits) : 0;

  stacks.page_channels = shape->channels;
  stacks.info.frames = shape->frames;
  stacks.info.extent.z = shape->slices;
  stacks.planes.resize(static_cast<std::size_t>(images));
  for (std::int64_t i = 0; i < images; ++i) {
    const std::int64_t c = i % shape->channels, zt = i / shape->channels;
    const std::int64_t z = zt % shape->slices, t = zt / shape->slices;
    const auto at = static_cast<std::size_t>((t * shape->channels + c) * shape->slices + z);
    stacks.planes[at] = {0, pages[static_cast<std::size_t>(is_single ? 0 : i)], i * stride};
  }
  stacks.info.format += images > 1 ? ", ImageJ hyperstack" : ", ImageJ";
  if (is_single) stacks.info.format += " of one directory";
  stacks.info.kernel_center = parse_index(lines.text("kernel_center").value_or(""));
  set_voxel_size(lines, stacks);
}

}  // namespace synthoscope::imageio
