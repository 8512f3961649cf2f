// SPDX-License-Identifier: MIT
// textures/models/texture_spec.hpp — how a texture is measured: plain data, kept with the words.
#pragma once
#include <cstdint>
#include <optional>
#include "core/volume/box.hpp"
#include "kernels/visual_words/histogram_distance.hpp"
#include "kernels/visual_words/texture_features.hpp"
#include "textures/images/grey_image.hpp"

namespace synthoscope::textures {

struct TextureSpec {
  kernels::FeatureSpec features;
  int levels = 0;  ///< of the spatial pyramid; 0: one histogram of all
  kernels::HistogramDistance distance = kernels::HistogramDistance::chi_square;
  Planes planes = Planes::all;
  /// Every image is cut into such patches, each of them a texture; z is 0 for all planes.
  std::optional<Extent3> patch;
};

/// @throws InvalidSpec  the tolerance, levels or patches are out of range.
void require_usable(const TextureSpec& spec);

/// The whole patches that an image has, row by row from its first voxel on; without a size, all of
/// it. What is left over at the far faces is in none.
class Patches {
 public:
  /// @throws InvalidSpec  the image is smaller than a patch.
  Patches(const Extent3& image, const std::optional<Extent3>& patch);
  [[nodiscard]] const Extent3& size() const { return size_; }  ///< of each
  [[nodiscard]] std::int64_t count() const { return volume(counts_); }
  [[nodiscard]] Box3 operator[](std::int64_t which) const;

 private:
  Extent3 size_, counts_;
};

}  // namespace synthoscope::textures
