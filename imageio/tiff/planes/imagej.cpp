// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string>
#include "core/base/error.hpp"
#include "imageio/input/length_unit.hpp"
#include "imageio/tiff/planes/description.hpp"
#include "imageio/tiff/planes/flavours.hpp"

namespace synthoscope::imageio {
namespace {

/// The units of y and z are given if they differ from that of x.
void set_voxel_size(const KeyLines& lines, TiffStacks& stacks) {
  const auto unit = lines.text("unit").value_or("");
  const auto unit_um = [&](const char* key) {
    return micrometres_per(lines.text(key).value_or(unit));
  };
  set_resolution(unit_um("unit"), unit_um("yunit"), stacks);
  const auto spacing = lines.real("spacing"), z_unit = unit_um("zunit");
  if (!spacing || *spacing == 0 || !z_unit) return;
  stacks.info.z_um = std::abs(*spacing) * *z_unit;
  if (*spacing < 0)
    stacks.info.notes.push_back(fmt::format(
        "its spacing is {}, negative: its absolute value is taken, as ImageJ does", *spacing));
}

/// What ImageJ calls a value differs from what is stored.
void read_calibration(const KeyLines& lines, const TiffFormat& format, TiffStacks& stacks) {
  const auto function = lines.text("cf");
  if (!function) return;
  const auto c0 = lines.real("c0"), c1 = lines.real("c1");
  const bool is_straight = *function == "0" && c0 && c1;
  constexpr double kOffset = -32768;
  if (is_straight && c0 == 0 && c1 == 1) return;
  stacks.is_signed_by_offset =
      is_straight && c0 == kOffset && c1 == 1 && format.type == PixelType::uint16;
  if (stacks.is_signed_by_offset) return;
  stacks.info.notes.push_back(fmt::format(
      "its ImageJ calibration (function {}, coefficients {} and {}) is ignored: voxels have the "
      "values that are stored",
      *function, lines.text("c0").value_or("none"), lines.text("c1").value_or("none")));
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

AxesOfFile place_imagej_planes(const KeyLines& lines, const std::vector<std::int64_t>& pages,
                               const InputLimits& limits, TiffStacks& stacks) {
  constexpr const char* kSaidBy = "its ImageJ description";
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
      is_single ? stride_of_one_page(stacks, pages[0], images, kSaidBy, limits) : 0;
  for (std::int64_t i = 0; i < images; ++i)
    stacks.planes.push_back(
        {0, pages[static_cast<std::size_t>(is_single ? 0 : i)], is_single ? i * stride : 0});
  stacks.info.format += images > 1 ? ", ImageJ hyperstack" : ", ImageJ";
  if (is_single) stacks.info.format += " of one directory";
  stacks.info.kernel_center = parse_index(lines.text("kernel_center").value_or(""));
  if (shape->channels == 1) stacks.info.channel_names = channels_in(lines);
  set_voxel_size(lines, stacks);
  read_calibration(lines, stacks.files[0]->index().format_of(pages[0]), stacks);
  stacks.as_stored = true;  // to ImageJ, white zeros are a way to show values, not other values
  return {{shape->frames, shape->slices, shape->channels}, "TZC", kSaidBy};
}

}  // namespace synthoscope::imageio
