// SPDX-License-Identifier: MIT
// fftconv/device/link/row_copies.hpp — planes of the caller's volume, copied directly to or from a
// device.
#pragma once
#include "core/cuda/memory/memory.hpp"
#include "core/volume/view.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::fftconv::device {

/// Rows of bytes, from one to the next `pitch` apart.
template <class Byte>
struct ByteRows {
  Byte* first = nullptr;
  std::int64_t pitch = 0;
};

/// Where the rows of a box lie that is one plane of the work problem.
template <class Byte>
ByteRows<Byte> rows_of(const AnyView3<Byte>& voxels, const WorkAxes& axes, const Box3& box) {
  const auto at = [&](std::int64_t row) {
    const Index3 o = axes.to_volume(Box3{{box.origin.z, box.origin.y + row, box.origin.x},  //
                                         {1, 1, 1}})
                         .origin;
    return ((o.z * voxels.extent().y + o.y) * voxels.pitch() + o.x) * size_of(voxels.type());
  };
  const std::int64_t alone = box.size.x * size_of(voxels.type());
  return {voxels.data() + at(0), box.size.y > 1 ? at(1) - at(0) : alone};
}

/// Returns the first voxel of a box of the work problem, if the others follow it without gaps in
/// z, y, x order; otherwise null.
template <class Byte>
Byte* without_gaps(const AnyView3<Byte>& voxels, const WorkAxes& axes, const Box3& box) {
  const Box3 there = axes.to_volume(box);
  const Extent3& e = voxels.extent();
  const bool rows_follow = there.size.x == voxels.pitch() || there.size.y * there.size.z == 1,
             planes_follow = there.size.y == e.y || there.size.z == 1;
  if (!rows_follow || !planes_follow) return nullptr;
  const Index3& o = there.origin;
  return voxels.data() + ((o.z * e.y + o.y) * voxels.pitch() + o.x) * size_of(voxels.type());
}

/// Enqueues copies; what lies without gaps in both memories is copied at once.
class RowCopies {
 public:
  explicit RowCopies(const cuda::Stream& stream) : stream_{stream} {}

  void add(const ByteRows<std::byte>& to, const ByteRows<const std::byte>& from,
           std::int64_t row_bytes, std::int64_t rows) {
    const bool gaps = to.pitch != row_bytes || from.pitch != row_bytes;
    const bool follows = to_ + bytes_ == to.first && from_ + bytes_ == from.first;
    if (gaps || !follows) flush();
    if (gaps) {
      cuda::enqueue_copy_rows(stream_, to.first, to.pitch, from.first, from.pitch, row_bytes, rows);
      return;
    }
    if (bytes_ == 0) {
      to_ = to.first;
      from_ = from.first;
    }
    bytes_ += rows * row_bytes;
  }

  /// After the last one.
  void flush() {
    cuda::enqueue_copy(stream_, to_, from_, bytes_);
    bytes_ = 0;
  }

 private:
  const cuda::Stream& stream_;
  std::byte* to_ = nullptr;
  const std::byte* from_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace synthoscope::fftconv::device
