// SPDX-License-Identifier: MIT
// tests/support/voxel_pattern.hpp — voxels that differ everywhere and use the range of their type.
#pragma once
#include <bit>
#include <cstring>
#include <type_traits>
#include "core/math/random.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::test {

/// The value that voxel number `index` has; never NaN.
template <class T>
T pattern_value(std::int64_t index) {
  constexpr RandomStream kStream{42, RandomStage::texture};
  const auto words = kStream.block(static_cast<std::uint64_t>(index));
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(1e3 * uniform32(words[0]) - 300);
  else
    return static_cast<T>(words[0]);
}

template <class T>
Volume<T> pattern(const Extent3& extent) {
  Volume<T> result{extent};
  std::int64_t index = 0;
  for (T& voxel : result.voxels) voxel = pattern_value<T>(index++);
  return result;
}

/// Voxels of a box of `all`.
template <class T>
Volume<T> cut(const Volume<T>& all, const Box3& box) {
  Volume<T> result{box.size};
  MemorySource{all.view()}.read(box, VoxelView{result.view()});
  return result;
}

}  // namespace synthoscope::test
