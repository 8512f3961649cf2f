// SPDX-License-Identifier: MIT
#include "simulator/phantom/object_index.hpp"
#include <algorithm>
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

ObjectIndex::ObjectIndex(const Phantom& phantom) : pitch_um_{phantom.grid.pitch.z_um} {
  entries_.reserve(static_cast<std::size_t>(phantom.count()));
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    const Bounds bounds = body.bounds();
    entries_.push_back({bounds.low[0], bounds.high[0], id});
    deepest_um_ = std::max(deepest_um_, bounds.high[0] - bounds.low[0]);
  });
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.low_um < b.low_um; });
}

std::vector<std::int64_t> ObjectIndex::near(const Box3& box) const {
  // Two voxels more on each side: one that rendering adds, one against rounding
  const auto edge_um = [&](std::int64_t z) { return static_cast<double>(z) * pitch_um_; };
  const double low = edge_um(box.origin.z - 2), high = edge_um(box.origin.z + box.size.z + 2);
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), low - deepest_um_,
                                [](const Entry& e, double um) { return e.low_um < um; });
  std::vector<std::int64_t> ids;
  for (; entry != entries_.end() && entry->low_um <= high; ++entry)
    if (entry->high_um >= low) ids.push_back(entry->id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace synthoscope::simulator
