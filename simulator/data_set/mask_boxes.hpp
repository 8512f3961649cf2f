// SPDX-License-Identifier: MIT
// simulator/data_set/mask_boxes.hpp — where the labels of one plane of masks lie.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>
#include "core/volume/view.hpp"

namespace synthoscope::simulator {

/// The number of pixels of a label, and its first and last row and column.
struct MaskBox {
  std::int64_t pixels = 0;
  std::int64_t first_y = std::numeric_limits<std::int64_t>::max(), last_y = -1;
  std::int64_t first_x = std::numeric_limits<std::int64_t>::max(), last_x = -1;

  [[nodiscard]] std::int64_t height() const { return last_y - first_y + 1; }
  [[nodiscard]] std::int64_t width() const { return last_x - first_x + 1; }
};

/// Returns the box of every possible label, label 0 included.
/// @param masks  one plane
std::vector<MaskBox> mask_boxes(HostView3<const std::uint16_t> masks);

/// Calls `add(count)` for each number of COCO's uncompressed run-length encoding of a mask. The
/// encoding goes down the columns, from left to right. It counts pixels outside the mask, then
/// inside, then outside again, until all pixels are counted. The first number may be 0.
/// Source: Lin et al., Microsoft COCO, ECCV 2014, doi:10.1007/978-3-319-10602-1_48, and the format
/// of data on cocodataset.org.
/// @param masks  one plane
/// @param box    of the label, which has a pixel
template <class Add>
void for_each_coco_count(HostView3<const std::uint16_t> masks, std::uint16_t label,
                         const MaskBox& box, Add&& add) {
  const std::int64_t height = masks.extent().y, all = height * masks.extent().x;
  std::int64_t counted = 0, begin = 0, end = 0;  // pixels that were counted; the present run
  const auto close_run = [&] {
    if (begin == end) return;
    add(begin - counted);
    add(end - begin);
    counted = end;
  };
  for (std::int64_t x = box.first_x; x <= box.last_x; ++x)
    for (std::int64_t y = box.first_y; y <= box.last_y; ++y) {
      if (masks(0, y, x) != label) continue;
      const std::int64_t pixel = x * height + y;
      if (pixel != end || begin == end) {
        close_run();
        begin = pixel;
      }
      end = pixel + 1;
    }
  close_run();
  if (counted < all) add(all - counted);
}

}  // namespace synthoscope::simulator
