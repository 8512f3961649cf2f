// SPDX-License-Identifier: MIT
// tests/unit/textures/two_sample/made_images.hpp — images whose statistics are drawn.
#pragma once
#include "core/math/random.hpp"
#include "textures/patches/statistic_table.hpp"
#include "textures/two_sample/measured_image.hpp"

namespace synthoscope::textures {

/// An image with one row of each value, in one column, whose patches lie side by side.
inline MeasuredImage image_of(const std::vector<double>& values) {
  MeasuredImage image;
  image.side = 1;
  image.statistics.columns = 1;
  image.statistics.values = values;
  for (std::int64_t i = 0; i < std::ssize(values); ++i) image.corners.push_back({0, i});
  return image;
}

/// Images of `patches` patches with all statistics: near normal numbers, moved by `shift` in the
/// first three.
inline std::vector<MeasuredImage> drawn_images(std::uint64_t seed, std::size_t count,
                                               std::int64_t patches, double shift) {
  const RandomStream draws{seed, RandomStage::texture};
  std::vector<MeasuredImage> images;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    MeasuredImage image;
    image.side = 32;
    image.statistics.columns = kPatchStatisticCount;
    for (std::int64_t p = 0; p < patches; ++p) {
      image.corners.push_back({8 * (p / 8), 16 * (p % 8)});
      for (std::size_t j = 0; j < kPatchStatisticCount; ++j) {
        const PhiloxBlock words = draws.block(next++);
        double sum = -2;
        for (const std::uint32_t word : words) sum += uniform32(word);
        image.statistics.values.push_back(sum + (j < 3 ? shift : 0));
      }
    }
    images.push_back(std::move(image));
  }
  return images;
}

inline ImageList list_of(const std::vector<MeasuredImage>& images) {
  ImageList list;
  for (const MeasuredImage& image : images) list.push_back(&image);
  return list;
}

}  // namespace synthoscope::textures
