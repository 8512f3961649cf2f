// SPDX-License-Identifier: MIT
#include "simulator/phantom/footprint_source.hpp"
#include <algorithm>
#include <utility>
#include "core/base/assert.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::simulator {

FootprintSource::FootprintSource(const Phantom& phantom, std::vector<std::uint16_t> labels,
                                 std::int64_t planes)
    : grid_{phantom.grid.extent},
      middle_{planes},
      sample_{on_grid(phantom, widened(phantom.grid, {planes, 0, 0}),
                      {-static_cast<double>(planes) * phantom.grid.pitch.z_um, 0, 0})},
      labels_{sample_, std::move(labels)} {
  SYNTHOSCOPE_ASSERT(grid_.z, ==, 1);
}

void FootprintSource::read(const Box3& box, VoxelView out) {
  const auto nearest = out.as<std::uint16_t>();
  Volume<std::uint16_t> plane{box.size};
  const auto take_plane = [&](std::int64_t z) {
    labels_.read({{z, box.origin.y, box.origin.x}, box.size}, VoxelView{plane.view()});
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      const std::uint16_t* const from = plane.view().row(0, y);
      std::uint16_t* const to = nearest.row(0, y);
      for (std::int64_t x = 0; x < box.size.x; ++x)
        if (to[x] == 0) to[x] = from[x];
    }
  };
  for (std::int64_t y = 0; y < box.size.y; ++y) std::fill_n(nearest.row(0, y), box.size.x, 0);
  take_plane(middle_);
  for (std::int64_t away = 1; away <= middle_; ++away)
    for (const std::int64_t z : {middle_ - away, middle_ + away}) take_plane(z);
}

}  // namespace synthoscope::simulator
