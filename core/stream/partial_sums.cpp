// SPDX-License-Identifier: MIT
#include "core/stream/partial_sums.hpp"
#include <array>

namespace synthoscope {
namespace {

constexpr std::int64_t kPieceVoxels = std::int64_t{1} << 14;

}  // namespace

std::int64_t PartialSums::bytes(const Extent3& extent) {
  return volume(extent) * std::int64_t{sizeof(float)};
}

template <class Real>
void PartialSums::add_pieces(const Box3& box, HostView3<const Real> more, HostView3<float> sums) {
  alignas(64) std::array<float, kPieceVoxels> before;
  for_each_piece(box.size, rows_within(kPieceVoxels, box.size), [&](const Box3& part) {
    const HostView3<float> kept{before.data(), part.size};
    kept_.read(shifted(part, box.origin), kept);
    for (std::int64_t y = 0; y < part.size.y; ++y) {
      const Real* const added = more.row(part.origin.z, part.origin.y + y) + part.origin.x;
      float* const to = sums.row(part.origin.z, part.origin.y + y) + part.origin.x;
      const float* const row = kept.row(0, y);
      for (std::int64_t x = 0; x < part.size.x; ++x)
        to[x] = static_cast<float>(static_cast<double>(row[x]) + static_cast<double>(added[x]));
    }
  });
}

void PartialSums::add(const Box3& box, HostView3<const float> more, HostView3<float> sums) {
  add_pieces(box, more, sums);
}

void PartialSums::add(const Box3& box, HostView3<const double> more, HostView3<float> sums) {
  add_pieces(box, more, sums);
}

void PartialSums::write(const Box3& box, ConstVoxelView voxels) {
  if (is_first_) return kept_.write(box, voxels);
  const auto more = voxels.as<float>();
  alignas(64) std::array<float, kPieceVoxels> sums;
  for_each_piece(box.size, rows_within(kPieceVoxels, box.size), [&](const Box3& part) {
    const Box3 at = shifted(part, box.origin);
    const HostView3<float> sum{sums.data(), part.size};
    add(at, {more.row(part.origin.z, part.origin.y) + part.origin.x, part.size, more.pitch()}, sum);
    kept_.write(at, sum);
  });
}

void SummedEpilogue::apply(const Box3& core, HostView3<const float> in, VoxelView out) {
  const auto sums = out.as<float>();
  before_.add(core, in, sums);
  inner_.apply(core, HostView3<const float>{sums}, out);
}

void SummedEpilogue::apply(const Box3& core, HostView3<const double> in, VoxelView out) {
  const auto sums = out.as<float>();
  before_.add(core, in, sums);
  inner_.apply(core, HostView3<const float>{sums}, out);
}

}  // namespace synthoscope
