// SPDX-License-Identifier: MIT
#include "deconvolution/image/dark_level.hpp"
#include <algorithm>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/stream/carry.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kBlock = 16, kMostPlanes = 64;
constexpr double kDarkShare = 0.01;

/// Appends the means of all whole blocks of a plane; of the plane itself where it is smaller.
void add_means(HostView3<const float> plane, std::vector<double>& means) {
  const Extent3 e = plane.extent();
  const std::int64_t rows = std::min(kBlock, e.y), columns = std::min(kBlock, e.x);
  for (std::int64_t y = 0; y + rows <= e.y; y += rows)
    for (std::int64_t x = 0; x + columns <= e.x; x += columns) {
      double sum = 0;
      for (std::int64_t row = y; row < y + rows; ++row)
        for (std::int64_t column = x; column < x + columns; ++column)
          sum += static_cast<double>(plane(0, row, column));
      means.push_back(sum / static_cast<double>(rows * columns));
    }
}

}  // namespace

double dark_level(Source& image, const RunContext& context) {
  const Extent3 e = image.extent(), one{1, e.y, e.x};
  const std::int64_t planes = std::min(e.z, kMostPlanes);
  const HostBuffer<std::byte> native{context.memory, volume(one) * size_of(image.pixel_type()),
                                     "a plane to find the background of"};
  const HostBuffer<float> levels{context.memory, volume(one), "a plane to find the background of"};
  std::vector<double> means;
  for (std::int64_t i = 0; i < planes; ++i) {
    context.stop.check();
    const VoxelView voxels{native.data(), image.pixel_type(), one};
    image.read(plane(e, i * e.z / planes), voxels);
    to_float32(voxels, levels.data());
    add_means(HostView3<const float>{levels.data(), one}, means);
  }
  const auto at = means.begin() +
                  static_cast<std::ptrdiff_t>(kDarkShare * static_cast<double>(means.size() - 1));
  std::nth_element(means.begin(), at, means.end());
  return *at;
}

}  // namespace synthoscope::deconvolution
