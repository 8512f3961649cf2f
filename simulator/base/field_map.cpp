// SPDX-License-Identifier: MIT
#include "simulator/base/field_map.hpp"
#include <fmt/format.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "imageio/open.hpp"

namespace synthoscope::simulator {

std::vector<float> read_field_map(std::string_view what, const std::filesystem::path& path,
                                  std::int64_t height, std::int64_t width) {
  const auto image = imageio::open_image(path);
  if (image.source->extent() != Extent3{1, height, width})
    throw InvalidInput(fmt::format(
        "read {} {}: it is {}, the field needs one plane of 1x{}x{}; give a map of that size", what,
        path.string(), image.source->extent(), height, width));
  auto map = read_all<float>(*image.source).voxels;
  for (std::size_t i = 0; i < map.size(); ++i)
    if (!(map[i] >= 0) || !std::isfinite(map[i]))
      throw InvalidInput(fmt::format(
          "read {} {}: pixel ({}, {}) is {}, each must be a finite number of at least 0; correct "
          "the map",
          what, path.string(), static_cast<std::int64_t>(i) / width,
          static_cast<std::int64_t>(i) % width, map[i]));
  return map;
}

}  // namespace synthoscope::simulator
