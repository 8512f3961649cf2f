// SPDX-License-Identifier: MIT
#include "tests/fuzz/read_image.hpp"
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "core/volume/box.hpp"
#include "imageio/open.hpp"

namespace synthoscope::fuzz {
namespace {

constexpr Extent3 kCorner{3, 40, 40};
constexpr std::int64_t kLargeBuffer = std::int64_t{64} << 20;  ///< takes seconds to be read twice
constexpr std::int64_t kSmall = std::int64_t{1} << 18;  ///< bytes of a stack that is read whole

std::vector<std::byte> voxels_of(Source& source, const Box3& box, std::byte before) {
  const PixelType type = source.pixel_type();
  std::vector<std::byte> voxels(static_cast<std::size_t>(volume(box.size) * size_of(type)), before);
  source.read(box, {voxels.data(), type, box.size});
  return voxels;
}

/// Whoever reads the same twice, over different bytes, gets the same.
std::vector<std::byte> read_twice(Source& source, const Box3& box) {
  auto first = voxels_of(source, box, std::byte{0x00});
  const bool is_filled = first == voxels_of(source, box, std::byte{0xA5});
  SYNTHOSCOPE_ASSERT(is_filled, ==, true);
  return first;
}

void read_stack(const std::filesystem::path& path, std::optional<std::int64_t> channel,
                std::optional<std::int64_t> frame) {
  imageio::OpenOptions options;
  options.channel = channel;
  options.frame = frame;
  options.cache_bytes = std::int64_t{1} << 20;
  const auto image = imageio::open_image(path, options);
  Source& source = *image.source;
  const Extent3 all = source.extent();
  for (const std::int64_t size : {all.z, all.y, all.x}) SYNTHOSCOPE_ASSERT(size, >=, 1);
  const Extent3 corner{std::min(all.z, kCorner.z), std::min(all.y, kCorner.y),
                       std::min(all.x, kCorner.x)};
  const Box3 near{{}, corner};
  const Box3 far{{all.z - corner.z, all.y - corner.y, all.x - corner.x}, corner};
  if (image.buffer_bytes > kLargeBuffer) return;
  source.expect(far);
  const auto near_voxels = read_twice(source, near);
  read_twice(source, far);

  // The same voxels, whichever box they are read in
  if (volume(all) > kSmall / size_of(source.pixel_type())) return;
  const auto whole_voxels = read_twice(source, whole(all));
  const std::int64_t row = corner.x * size_of(source.pixel_type());
  for (std::int64_t z = 0; z < corner.z; ++z)
    for (std::int64_t y = 0; y < corner.y; ++y) {
      const auto* in_corner = near_voxels.data() + (z * corner.y + y) * row;
      const auto* in_whole =
          whole_voxels.data() + (z * all.y + y) * all.x * size_of(source.pixel_type());
      SYNTHOSCOPE_ASSERT(std::equal(in_corner, in_corner + row, in_whole), ==, true);
    }
}

}  // namespace

void read_image(const std::filesystem::path& path) {
  try {
    return read_stack(path, std::nullopt, std::nullopt);
  } catch (const InvalidSpec&) {
    // There are several to choose from
  }
  const auto info = imageio::inspect(path);
  read_stack(path, 0, 0);
  read_stack(path, info.channels - 1, info.frames - 1);
}

}  // namespace synthoscope::fuzz
