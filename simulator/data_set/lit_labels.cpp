// SPDX-License-Identifier: MIT
#include "simulator/data_set/lit_labels.hpp"
#include <limits>
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::simulator {

LitLabels::LitLabels(Source& all, const Phantom& phantom, const std::vector<std::uint16_t>& labels,
                     const LightSpec& light)
    : all_{all}, is_dark_(std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1) {
  auto label = labels.begin();
  for_each_kind(phantom, [&]<class Kind>(Kind, const auto& bodies) {
    const bool is_dark = !(Kind::weight(light) > 0);
    for (const auto end = label + std::ssize(bodies); label != end; ++label)
      is_dark_[*label] = is_dark;
  });
}

void LitLabels::read(const Box3& box, VoxelView out) {
  all_.read(box, out);
  const auto labels = out.as<std::uint16_t>();
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      std::uint16_t* const row = labels.row(z, y);
      for (std::int64_t x = 0; x < box.size.x; ++x)
        if (is_dark_[row[x]]) row[x] = 0;
    }
}

}  // namespace synthoscope::simulator
