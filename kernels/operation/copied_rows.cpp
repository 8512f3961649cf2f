// SPDX-License-Identifier: MIT
#include "kernels/operation/copied_rows.hpp"
#include <algorithm>

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kLineBytes = 64;

}  // namespace

template <class T>
void CopiedRows<T>::copy(std::int64_t z, std::int64_t first, std::int64_t last,
                         std::int64_t to) const {
  const Extent3 size{1, last - first, positions_.size.x};
  if (size.y <= 0) return;
  copy_positions(
      in_, boundary_,
      {{positions_.origin.z + z, positions_.origin.y + first, positions_.origin.x}, size}, T{},
      HostView3<T>{planes_ + to * plane_ + first * pitch_, size, pitch_});
  for (std::int64_t y = last; y < std::min(last + size.y, positions_.size.y); ++y) expect(z, y);
}

/// Prefetches a row. Only a hint: skips rows outside the window, and what the boundary adds at the
/// sides.
template <class T>
void CopiedRows<T>::expect(std::int64_t z, std::int64_t y) const {
  const Box3& held = in_.box;
  const std::int64_t at_z = positions_.origin.z + z - held.origin.z;
  const std::int64_t at_y = positions_.origin.y + y - held.origin.y;
  if (at_z < 0 || at_z >= held.size.z || at_y < 0 || at_y >= held.size.y) return;
  const std::int64_t begin = std::max(positions_.origin.x, held.origin.x) - held.origin.x;
  const std::int64_t end =
      std::min(positions_.origin.x + positions_.size.x, held.origin.x + held.size.x) -
      held.origin.x;
  const std::int64_t bytes = size_of(in_.voxels.type());
  const std::byte* const row =
      in_.voxels.data() + (at_z * in_.voxels.extent().y + at_y) * in_.voxels.pitch() * bytes;
  for (std::int64_t at = begin * bytes; at < end * bytes; at += kLineBytes)
    __builtin_prefetch(row + at, 0, 2);
}

template class CopiedRows<float>;
template class CopiedRows<std::int8_t>;
template class CopiedRows<std::uint8_t>;
template class CopiedRows<std::int16_t>;
template class CopiedRows<std::uint16_t>;

}  // namespace synthoscope::kernels
