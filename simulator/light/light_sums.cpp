// SPDX-License-Identifier: MIT
// simulator/light/light_sums.cpp — sums of light over the pixels of the camera.
#include "simulator/light/light_sums.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::simulator {

PixelSumSink::PixelSumSink(Sink& pixels, std::int64_t n, Epilogue& finish, TaskPool& pool)
    : pixels_{pixels},
      n_{n},
      finish_{finish},
      pool_{pool},
      plane_(static_cast<std::size_t>(pixels.extent().y * pixels.extent().x)) {
  const StreamFormat format = finish.format(pixels.extent());
  SYNTHOSCOPE_ASSERT(format.extent, ==, pixels.extent());
  SYNTHOSCOPE_ASSERT(name_of(format.type), ==, name_of(PixelType::float32));
  SYNTHOSCOPE_ASSERT(name_of(pixels.pixel_type()), ==, name_of(PixelType::float32));
}

std::int64_t PixelSumSink::bytes(const Extent3& pixels) {
  return pixels.y * pixels.x * std::int64_t{sizeof(float)};
}

Extent3 PixelSumSink::extent() const {
  const Extent3 e = pixels_.extent();
  return {e.z, e.y * n_, e.x * n_};
}

void PixelSumSink::add_up(HostView3<const float> fine, std::int64_t z) {
  const std::int64_t width = pixels_.extent().x;
  pool_.for_each(pixels_.extent().y, [&](std::int64_t y) {
    float* const sums = plane_.data() + y * width;
    for (std::int64_t x = 0; x < width; ++x) {
      double sum = 0;
      for (std::int64_t i = 0; i < n_; ++i) {
        const float* const row = fine.row(z, y * n_ + i) + x * n_;
        for (std::int64_t j = 0; j < n_; ++j) sum += static_cast<double>(row[j]);
      }
      sums[x] = static_cast<float>(sum);
    }
  });
}

void PixelSumSink::write(const Box3& box, ConstVoxelView voxels) {
  const auto fine = voxels.as<float>();
  const Extent3 one{1, pixels_.extent().y, pixels_.extent().x};
  const HostView3<float> sums{plane_.data(), one};
  for (std::int64_t z = 0; z < box.size.z; ++z) {
    add_up(fine, z);
    const Box3 at = plane(pixels_.extent(), box.origin.z + z);
    finish_.apply(at, sums, VoxelView{sums});  // pixel by pixel: it may work in place
    pixels_.write(at, ConstVoxelView{sums});
  }
}

}  // namespace synthoscope::simulator
