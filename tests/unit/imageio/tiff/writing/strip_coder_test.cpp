// SPDX-License-Identifier: MIT
// Strips of TIFF are packed as thoroughly as chunks of other formats.
#include "imageio/tiff/writing/strip_coder.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <cstdint>
#include <random>
#include "imageio/chunks/codec.hpp"

namespace synthoscope::imageio {
namespace {

constexpr Extent3 kPlane{1, 256, 512};

/// A bright band with noise.
std::vector<std::uint16_t> band() {
  std::mt19937 bits{7};
  std::vector<std::uint16_t> voxels;
  for (std::int64_t y = 0; y < kPlane.y; ++y)
    for (std::int64_t x = 0; x < kPlane.x; ++x) {
      const auto from_middle = static_cast<double>(y - kPlane.y / 2);
      const double light = 2000 * std::exp(-1e-4 * from_middle * from_middle);
      const auto noise = static_cast<double>(bits() % 16 + bits() % 16);
      voxels.push_back(static_cast<std::uint16_t>(100 + light + noise));
    }
  return voxels;
}

TEST(Strip, IsPackedByZstdAtTheLevelOfChunks) {
  if (!can_compress(Compression::zstd)) GTEST_SKIP() << "this libtiff has no zstd";
  ImageSpec spec;
  spec.extent = kPlane;
  spec.type = PixelType::uint16;
  spec.compression = Compression::zstd;
  auto voxels = band();
  std::vector<std::byte> strip, chunk;
  auto given = voxels;
  compress_strip(spec, kPlane.y, std::as_writable_bytes(std::span{given}), strip);
  // TIFF stores differences along rows
  for (std::int64_t y = 0; y < kPlane.y; ++y)
    for (std::int64_t x = kPlane.x - 1; x > 0; --x) {
      const auto at = static_cast<std::size_t>(y * kPlane.x + x);
      voxels[at] = static_cast<std::uint16_t>(voxels[at] - voxels[at - 1]);
    }
  pack_chunk(ChunkCodec::zstd, std::as_bytes(std::span{voxels}), 2, chunk);
  // libtiff tells zstd no size, which costs 3 % here; level 5 gives less than the chunk has
  EXPECT_GT(strip.size(), chunk.size());
  EXPECT_LT(static_cast<double>(strip.size()), 1.05 * static_cast<double>(chunk.size()));
}

}  // namespace
}  // namespace synthoscope::imageio
