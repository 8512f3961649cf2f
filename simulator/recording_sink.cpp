// SPDX-License-Identifier: MIT
#include "simulator/recording_sink.hpp"
#include <cstddef>
#include <vector>

namespace synthoscope::simulator {

RecordingSink::RecordingSink(Sink& photons, Epilogue& camera, Sink& counts)
    : photons_{photons}, camera_{camera}, counts_{counts} {
  const StreamFormat format = camera.format(photons.extent());
  SYNTHOSCOPE_ASSERT(name_of(photons.pixel_type()), ==, name_of(PixelType::float32));
  SYNTHOSCOPE_ASSERT(format.extent, ==, counts.extent());
  SYNTHOSCOPE_ASSERT(name_of(format.type), ==, name_of(counts.pixel_type()));
}

BoxOrder RecordingSink::accepts() const {
  const bool any = photons_.accepts() == BoxOrder::any && counts_.accepts() == BoxOrder::any;
  return any ? BoxOrder::any : BoxOrder::planes_in_order;
}

void RecordingSink::write(const Box3& box, ConstVoxelView voxels) {
  photons_.write(box, voxels);
  std::vector<std::byte> recorded(
      static_cast<std::size_t>(volume(box.size) * size_of(counts_.pixel_type())));
  const VoxelView counts{recorded.data(), counts_.pixel_type(), box.size};
  camera_.apply(box, voxels.as<float>(), counts);
  counts_.write(box, counts);
}

void RecordingSink::close() {
  photons_.close();
  counts_.close();
}

}  // namespace synthoscope::simulator
