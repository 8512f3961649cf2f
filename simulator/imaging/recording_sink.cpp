// SPDX-License-Identifier: MIT
#include "simulator/imaging/recording_sink.hpp"
#include <array>
#include <cstddef>
#include "core/volume/box.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kPieceBytes = std::int64_t{1} << 16;

}  // namespace

std::int64_t RecordingSink::room_bytes(const Extent3& extent, PixelType counts, BoxOrder order) {
  return order == BoxOrder::any ? 0 : extent.y * extent.x * size_of(counts);
}

RecordingSink::RecordingSink(Sink& photons, Epilogue& camera, Sink& counts,
                             HostBuffer<std::byte>& room)
    : photons_{photons}, camera_{camera}, counts_{counts}, room_{room} {
  const StreamFormat format = camera.format(photons.extent());
  SYNTHOSCOPE_ASSERT(name_of(photons.pixel_type()), ==, name_of(PixelType::float32));
  SYNTHOSCOPE_ASSERT(format.extent, ==, counts.extent());
  SYNTHOSCOPE_ASSERT(name_of(format.type), ==, name_of(counts.pixel_type()));
  SYNTHOSCOPE_ASSERT(room.count(), >=, room_bytes(extent(), counts.pixel_type(), accepts()));
}

BoxOrder RecordingSink::accepts() const {
  const bool any = photons_.accepts() == BoxOrder::any && counts_.accepts() == BoxOrder::any;
  return any ? BoxOrder::any : BoxOrder::planes_in_order;
}

Extent3 RecordingSink::piece_of(const Extent3& box) const {
  if (accepts() == BoxOrder::planes_in_order) return {1, box.y, box.x};
  return rows_within(kPieceBytes / size_of(counts_.pixel_type()), box);
}

void RecordingSink::write(const Box3& box, ConstVoxelView voxels) {
  photons_.write(box, voxels);
  alignas(64) std::array<std::byte, kPieceBytes> few;
  std::byte* const recorded = accepts() == BoxOrder::any ? few.data() : room_.data();
  const auto photons = voxels.as<float>();
  for_each_piece(box.size, piece_of(box.size), [&](const Box3& part) {
    const Index3& o = part.origin;
    const Box3 at{{box.origin.z + o.z, box.origin.y + o.y, box.origin.x + o.x}, part.size};
    const VoxelView counts{recorded, counts_.pixel_type(), part.size};
    camera_.apply(at, {photons.row(o.z, o.y) + o.x, part.size, photons.pitch()}, counts);
    counts_.write(at, counts);
  });
}

void RecordingSink::write_both(const Box3& box, ConstVoxelView photons, ConstVoxelView counts) {
  photons_.write(box, photons);
  counts_.write(box, counts);
}

void RecordingSink::close() {
  photons_.close();
  counts_.close();
}

}  // namespace synthoscope::simulator
