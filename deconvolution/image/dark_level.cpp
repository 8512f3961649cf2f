// SPDX-License-Identifier: MIT
#include "deconvolution/image/dark_level.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/stream/carry.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kBlock = 16, kMostPlanes = 64;

/// Part of the blocks that may be darker than the background for reasons other than noise.
constexpr double kIgnored = 0.01;
/// Part of the blocks, the darkest, whose noise is measured.
constexpr double kNoiseFrom = 0.1;
/// Blocks that lie so many standard deviations below the ignored part are left out altogether.
constexpr double kFarBelow = 2;

/// A block of pixels: their mean, and the variance of that mean by noise.
struct Block {
  double mean = 0, variance = 0;
};

Block block_at(HostView3<const float> plane, std::int64_t top, std::int64_t left,
               const Extent3& size) {
  double sum = 0, squares = 0;
  for (std::int64_t y = top; y < top + size.y; ++y)
    for (std::int64_t x = left; x < left + size.x; ++x) {
      const auto level = static_cast<double>(plane(0, y, x));
      sum += level;
      if (x > left) {
        const double step = level - static_cast<double>(plane(0, y, x - 1));
        squares += step * step;
      }
    }
  const auto pixels = static_cast<double>(size.y * size.x);
  const auto steps = static_cast<double>(size.y * std::max<std::int64_t>(size.x - 1, 1));
  return {sum / pixels, squares / steps / 2 / pixels};
}

/// Appends all whole blocks of a plane; the plane itself if it is smaller.
void add_blocks(HostView3<const float> plane, std::vector<Block>& blocks) {
  const Extent3 e = plane.extent(), size{1, std::min(kBlock, e.y), std::min(kBlock, e.x)};
  for (std::int64_t y = 0; y + size.y <= e.y; y += size.y)
    for (std::int64_t x = 0; x + size.x <= e.x; x += size.x)
      blocks.push_back(block_at(plane, y, x, size));
}

/// Returns the standard deviation of the mean of a dark block.
/// @param blocks  by their mean
double noise_of(std::span<const Block> blocks) {
  const auto count = static_cast<std::size_t>(kNoiseFrom * static_cast<double>(blocks.size()));
  const std::span<const Block> darkest = blocks.first(std::max<std::size_t>(count, 1));
  double sum = 0;
  for (const Block& block : darkest) sum += block.variance;
  return std::sqrt(sum / static_cast<double>(darkest.size()));
}

/// @param blocks  by their mean
double level_of(std::span<const Block> blocks) {
  const auto ignored = static_cast<std::size_t>(kIgnored * static_cast<double>(blocks.size() - 1));
  const double noise = noise_of(blocks), least = blocks[ignored].mean;
  const double shortfall = std::sqrt(2 / std::numbers::pi) * noise;
  double sum = 0;
  std::int64_t below = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const double mean = blocks[i].mean;
    // The level that the blocks so far belong to, unless it would have this one below it as well
    if (i > ignored && sum / static_cast<double>(below) + shortfall <= mean) break;
    if (mean < least - kFarBelow * noise) continue;
    sum += mean;
    ++below;
  }
  return std::max(least, sum / static_cast<double>(below) + shortfall);
}

}  // namespace

double dark_level(Source& image, const RunContext& context) {
  const Extent3 e = image.extent(), one{1, e.y, e.x};
  const std::int64_t planes = std::min(e.z, kMostPlanes);
  const HostBuffer<std::byte> native{context.memory, volume(one) * size_of(image.pixel_type()),
                                     "a plane to find the background of"};
  const HostBuffer<float> levels{context.memory, volume(one), "a plane to find the background of"};
  std::vector<Block> blocks;
  for (std::int64_t i = 0; i < planes; ++i) {
    context.stop.check();
    const VoxelView voxels{native.data(), image.pixel_type(), one};
    image.read(plane(e, i * e.z / planes), voxels);
    to_float32(voxels, levels.data());
    add_blocks(HostView3<const float>{levels.data(), one}, blocks);
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.mean < b.mean; });
  return level_of(blocks);
}

}  // namespace synthoscope::deconvolution
