// SPDX-License-Identifier: MIT
#include "textures/models/feature_samples.hpp"
#include <algorithm>
#include <numeric>
#include "core/math/random.hpp"

namespace synthoscope::textures {
namespace {

/// Uniform in 0 ... count - 1: the high half of a 64-bit word times count.
std::int64_t drawn_below(std::int64_t count, const PhiloxBlock& words) {
  const std::uint64_t word = std::uint64_t{words[0]} << 32 | words[1];
  return static_cast<std::int64_t>(
      static_cast<unsigned __int128>(word) * static_cast<std::uint64_t>(count) >> 64);
}

}  // namespace

std::vector<std::int64_t> drawn_voxels(const Extent3& extent, std::int64_t count,
                                       std::uint64_t seed, std::uint32_t image) {
  const std::int64_t all = volume(extent);
  std::vector<std::int64_t> voxels(static_cast<std::size_t>(std::min(count, all)));
  if (count >= all) {
    std::iota(voxels.begin(), voxels.end(), std::int64_t{0});
    return voxels;
  }
  const RandomStream draws{seed, RandomStage::feature_samples};
  for (std::size_t i = 0; i < voxels.size(); ++i)
    voxels[i] = drawn_below(all, draws.block(i, 0, image));
  std::sort(voxels.begin(), voxels.end());
  return voxels;
}

void FeaturePicker::write(const Box3& box, ConstVoxelView voxels) {
  const HostView3<const float> values = voxels.as<float>();
  for (std::int64_t z = 0; z < box.size.z; ++z) {
    const std::int64_t plane = (box.origin.z + z) / features_;
    const std::int64_t feature = (box.origin.z + z) % features_;
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      const std::int64_t row =
          (plane * image_.y + box.origin.y + y) * image_.x + box.origin.x;  // index of its first
      const auto begin = std::lower_bound(voxels_.begin(), voxels_.end(), row);
      for (auto at = begin; at != voxels_.end() && *at < row + box.size.x; ++at)
        first_[feature * pitch_ + (at - voxels_.begin())] = values(z, y, *at - row);
    }
  }
}

}  // namespace synthoscope::textures
