// SPDX-License-Identifier: MIT
#include "score/images/image_pair.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "core/base/round_up.hpp"

namespace synthoscope::score {
namespace {

[[noreturn]] void refuse_non_finite(const ScoredImage& image, const Box3& box, std::int64_t at,
                                    double value) {
  const Index3 voxel{box.origin.z + at / (box.size.y * box.size.x),
                     box.origin.y + at / box.size.x % box.size.y, box.origin.x + at % box.size.x};
  throw InvalidInput(
      fmt::format("score {}: its voxel {} (z, y, x) holds {}, and scores of images are of finite "
                  "numbers; repair the image",
                  image.name, voxel, value));
}

}  // namespace

void require_same_grid(const ScoredImage& truth, const ScoredImage& result) {
  const Extent3 a = truth.voxels.extent(), b = result.voxels.extent();
  if (a == b) return;
  throw InvalidSpec(
      fmt::format("score {}: it has {} voxels (z, y, x), and the truth {} has {}; give a result on "
                  "the grid of the truth",
                  result.name, b, truth.name, a));
}

RowReader::RowReader(const ScoredImage& image, std::int64_t voxels, MemoryBudget& memory)
    : image_{&image},
      native_{memory, voxels * size_of(image.voxels.pixel_type()), "rows of an image"} {}

void RowReader::read(const Box3& box, double* out) {
  const PixelType type = image_->voxels.pixel_type();
  image_->voxels.read(box, {native_.data(), type, box.size});
  const std::int64_t count = volume(box.size);
  visit_pixel_type(type, [&]<class T>(T) {
    const T* const in = reinterpret_cast<const T*>(native_.data());
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<double>(in[i]);
    if constexpr (std::is_floating_point_v<T>)
      for (std::int64_t i = 0; i < count; ++i)
        if (!std::isfinite(out[i])) refuse_non_finite(*image_, box, i, out[i]);
  });
}

RowBands::RowBands(const Extent3& extent) : extent_{extent} {
  constexpr std::int64_t kVoxels = std::int64_t{1} << 16;
  rows_ = std::clamp<std::int64_t>(kVoxels / extent.x, 1, extent.y);
  in_plane_ = parts_of(extent.y, rows_);
}

Box3 RowBands::at(std::int64_t i) const {
  const std::int64_t y = i % in_plane_ * rows_;
  return {{i / in_plane_, y, 0}, {1, std::min(rows_, extent_.y - y), extent_.x}};
}

}  // namespace synthoscope::score
