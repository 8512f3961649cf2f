// SPDX-License-Identifier: MIT
#include "simulator/data_set/mask_boxes.hpp"
#include <algorithm>

namespace synthoscope::simulator {

std::vector<MaskBox> mask_boxes(HostView3<const std::uint16_t> masks) {
  std::vector<MaskBox> boxes(std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1);
  for (std::int64_t y = 0; y < masks.extent().y; ++y)
    for (std::int64_t x = 0; x < masks.extent().x; ++x) {
      MaskBox& box = boxes[masks(0, y, x)];
      ++box.pixels;
      box.first_y = std::min(box.first_y, y);
      box.last_y = y;
      box.first_x = std::min(box.first_x, x);
      box.last_x = std::max(box.last_x, x);
    }
  return boxes;
}

}  // namespace synthoscope::simulator
