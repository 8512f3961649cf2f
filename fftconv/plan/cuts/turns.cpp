// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/turns.hpp"
#include <algorithm>

namespace synthoscope::fftconv {

std::vector<Turn> turns_of(const Layout& layout) {
  const AxisGeometry& z = layout.z;
  std::vector<Turn> turns;
  std::int64_t loaded = 0;
  for (std::int64_t v = 0; v < z.wanted; v += layout.turn_planes) {
    Turn turn;
    turn.result = {v, std::min(layout.turn_planes, z.wanted - v)};
    // Result v is the sum over kernel positions j + shift, j < kernel_count, of v - (j + shift)
    const std::int64_t begin = std::max<std::int64_t>(0, v - z.shift - (z.kernel_count - 1));
    const std::int64_t end = std::min(z.loaded, turn.result.end() - z.shift);
    turn.window = {begin, std::max<std::int64_t>(0, end - begin)};
    const std::int64_t fresh = std::max(loaded, begin);
    turn.load = {fresh, std::max<std::int64_t>(0, end - fresh)};
    loaded = std::max(loaded, end);
    turns.push_back(turn);
  }
  return turns;
}

std::vector<std::int64_t> ring_offsets(const Layout& layout, const Turn& turn) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(layout.transform.z), kOutside);
  for (std::int64_t p = turn.window.first; p < turn.window.end(); ++p)
    offsets[static_cast<std::size_t>(p % layout.transform.z)] =
        p % layout.ring_planes * layout.plane_reals;
  return offsets;
}

std::vector<std::int64_t> partner_offsets(const Layout& layout, const Turn& turn) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t v = turn.result.first; v < turn.result.end(); ++v)
    for (std::int64_t j = 0; j < layout.z.kernel_count; ++j) {
      const std::int64_t p = v - (j + layout.z.shift);
      const bool is_there = p >= turn.window.first && p < turn.window.end();
      offsets.push_back(is_there ? p % layout.ring_planes * layout.plane_reals : kOutside);
    }
  return offsets;
}

std::vector<std::int64_t> result_offsets(const Layout& layout, const Turn& turn) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(layout.transform.z), kOutside);
  for (std::int64_t i = 0; i < turn.result.count; ++i)
    offsets[static_cast<std::size_t>((turn.result.first + i) % layout.transform.z)] =
        i * layout.plane_reals;
  return offsets;
}

}  // namespace synthoscope::fftconv
