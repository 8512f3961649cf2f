// SPDX-License-Identifier: MIT
// textures/two_sample/measured_image.hpp — the statistics of the patches of images, which are
// sampled whole.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "textures/patches/grey_plane.hpp"

namespace synthoscope::textures {

/// Rows of numbers, contiguous.
struct Rows {
  std::size_t columns = 0;
  std::vector<double> values;

  [[nodiscard]] std::size_t count() const { return columns > 0 ? values.size() / columns : 0; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span{values}.subspan(i * columns, columns);
  }
  void add(std::span<const double> row) { values.insert(values.end(), row.begin(), row.end()); }
  void add(const Rows& rows) { add(std::span{rows.values}); }
};

/// One image: patches of an image depend on each other, so that images are what is sampled.
struct MeasuredImage {
  std::string name;
  std::int64_t side = 0;                             ///< of its patches, pixels
  std::vector<std::array<std::int64_t, 2>> corners;  ///< (y, x) of each patch
  Rows statistics;                                   ///< a row for each patch
  std::vector<GreyPlane> shown;                      ///< some of its patches, for pictures

  [[nodiscard]] std::size_t patches() const { return corners.size(); }
};

using ImageList = std::vector<const MeasuredImage*>;

/// Returns the patches in both halves of an image along its longer side. No patch of one half
/// shares a pixel with one of the other; patches in between are left out.
std::array<Rows, 2> halves_of(const MeasuredImage& image);

/// Rows to learn from and rows to test with; `is_synthetic` of each.
struct LearningTask {
  Rows train, test;
  std::vector<char> train_is_synthetic, test_is_synthetic;

  /// Whether both parts have at least two rows of each kind.
  [[nodiscard]] bool is_possible() const;
};

/// Returns tasks in which no image is both learned from and tested: one for each of up to four
/// groups of real images. A set of a single image is divided into its halves.
std::vector<LearningTask> learning_tasks(const ImageList& real, const ImageList& synthetic);

}  // namespace synthoscope::textures
