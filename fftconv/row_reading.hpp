// SPDX-License-Identifier: MIT
// fftconv/row_reading.hpp — looks at many voxels of a source through a small window.
#pragma once
#include <algorithm>
#include <utility>
#include "core/run/stop.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::fftconv {

/// Voxels of rows that are read together hold at most this, unless a single row is longer.
inline constexpr std::int64_t kWindowBytes = std::int64_t{2} << 20;

/// Calls `visit(z, y, row)` for every row of `box` in order; `row` points at box.size.x voxels of
/// the source's own type; z and y are those of the volume.
/// @throws Interrupted  before the next window is read, once `stop` was set.
template <class Visit>
void for_each_row(Source& source, const Box3& box, const StopFlag& stop, Visit&& visit) {
  visit_pixel_type(source.pixel_type(), [&](auto zero) {
    const std::int64_t row_bytes = box.size.x * std::int64_t{sizeof(zero)};
    const std::int64_t together = std::clamp<std::int64_t>(kWindowBytes / row_bytes, 1, box.size.y);
    Volume<decltype(zero)> window{{1, together, box.size.x}};
    for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
      for (std::int64_t first = 0; first < box.size.y; first += together) {
        stop.check();
        const std::int64_t rows = std::min(together, box.size.y - first), y = box.origin.y + first;
        const HostView3<decltype(zero)> view{window.voxels.data(), {1, rows, box.size.x}};
        source.read({{z, y, box.origin.x}, view.extent()}, VoxelView{view});
        for (std::int64_t i = 0; i < rows; ++i)
          visit(z, y + i, std::as_const(window).view().row(0, i));
      }
  });
}

/// The same for the whole source.
template <class Visit>
void for_each_row(Source& source, const StopFlag& stop, Visit&& visit) {
  for_each_row(source, {{0, 0, 0}, source.extent()}, stop, visit);
}

}  // namespace synthoscope::fftconv
