// SPDX-License-Identifier: MIT
#include "simulator/frames.hpp"

namespace synthoscope::simulator {

void NumberedLabels::read(const Box3& box, VoxelView out) {
  labels_.read(box, out);
  if (before_ == 0) return;
  const auto labels = out.as<std::uint16_t>();
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      std::uint16_t* const row = labels.row(z, y);
      for (std::int64_t x = 0; x < box.size.x; ++x)
        if (row[x] != 0) row[x] = static_cast<std::uint16_t>(row[x] + before_);
    }
}

}  // namespace synthoscope::simulator
