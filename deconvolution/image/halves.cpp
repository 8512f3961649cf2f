// SPDX-License-Identifier: MIT
#include "deconvolution/image/halves.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>
#include "core/math/random.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::deconvolution {
namespace {

constexpr std::int64_t kMostBits = 1024, kBlockBits = 128;

/// How many of `bits` random bits, at most kMostBits, are set.
std::int64_t heads_of(std::int64_t bits, const RandomStream& coins, std::uint64_t voxel) {
  std::int64_t heads = 0;
  for (std::int64_t done = 0; done < bits; done += kBlockBits) {
    const auto draw = static_cast<std::uint16_t>(done / kBlockBits);
    std::int64_t left = bits - done;
    for (const std::uint32_t word : coins.block(voxel, draw)) {
      const std::int64_t taken = std::clamp<std::int64_t>(left, 0, 32);
      heads += taken == 32 ? std::popcount(word)
                           : std::popcount(word & ((std::uint32_t{1} << taken) - 1));
      left -= taken;
    }
  }
  return heads;
}

std::int64_t heads_among(std::int64_t count, const RandomStream& coins, std::uint64_t voxel) {
  if (count <= kMostBits) return heads_of(count, coins, voxel);
  const PhiloxBlock words = coins.block(voxel, static_cast<std::uint16_t>(kMostBits / kBlockBits));
  const double fraction = uniform32(words[0]) - 0.5;  // between two numbers of heads
  const double deviation =
      static_cast<double>(heads_of(kMostBits, coins, voxel) - kMostBits / 2) + fraction;
  const auto all = static_cast<double>(count);
  const double heads = all / 2 + deviation * std::sqrt(all / static_cast<double>(kMostBits));
  return std::clamp<std::int64_t>(std::llround(heads), 0, count);
}

}  // namespace

std::int64_t first_half(std::int64_t count, std::uint64_t seed, std::int64_t voxel) {
  return heads_among(count, RandomStream{seed, RandomStage::halves},
                     static_cast<std::uint64_t>(voxel));
}

void divide(Source& image, ScratchVolume& half, std::uint64_t seed, const RunContext& context) {
  const RandomStream coins{seed, RandomStage::halves};
  const Extent3 e = image.extent(), one{1, e.y, e.x};
  context.pool.for_each(e.z, [&](std::int64_t z) {
    context.stop.check();
    const HostBuffer<float> voxels{context.memory, volume(one), "a plane to divide"};
    const HostView3<float> view{voxels.data(), one};
    image.read(plane(e, z), view);
    const auto first = static_cast<std::uint64_t>(z * volume(one));
    for (std::int64_t i = 0; i < voxels.count(); ++i) {
      float& voxel = voxels.data()[i];
      voxel = static_cast<float>(
          heads_among(std::llround(voxel), coins, first + static_cast<std::uint64_t>(i)));
    }
    half.write(plane(e, z), HostView3<const float>{view});
  });
}

void OtherHalf::read(const Box3& box, VoxelView out) {
  image_.read(box, out);
  const HostView3<float> rest = out.as<float>();
  std::vector<float> row(static_cast<std::size_t>(box.size.x));
  const Extent3 of_row{1, 1, box.size.x};
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      const Box3 place{{box.origin.z + z, box.origin.y + y, box.origin.x}, of_row};
      half_.read(place, HostView3<float>{row.data(), of_row});
      float* const voxels = rest.row(z, y);
      std::transform(row.begin(), row.end(), voxels, voxels,
                     [](float taken, float all) { return std::max(all - taken, 0.0F); });
    }
}

}  // namespace synthoscope::deconvolution
