// SPDX-License-Identifier: MIT
// fit/texture/texture_distance.hpp — how far the texture of simulated images is from that of real
// ones.
#pragma once
#include "core/run/run_context.hpp"
#include "fit/images/labelled_image.hpp"
#include "textures/two_sample/measure_images.hpp"

namespace synthoscope::fit {

/// Energy distances to the patches of real images: statistics of patches (patch_statistics), in
/// standard deviations of the real ones, at levels relative to those of the objects.
class TextureDistance {
 public:
  /// Measures patches inside objects, as large as their objects allow: 32, 24 or 16 pixels. If too
  /// few fit into objects, those at their edges are measured too.
  /// @throws InvalidSpec  no image has enough patches of 16 pixels.
  TextureDistance(const LabelledImages& real, const RunContext& context);

  /// Returns the distance of simulated images, 0 to 1; 1 if they have too few patches.
  [[nodiscard]] double to(const LabelledImages& simulated) const;

  [[nodiscard]] const textures::PatchSpec& patch() const { return spec_.patch; }
  [[nodiscard]] std::size_t patches() const;

 private:
  textures::MeasureSpec spec_;
  bool use_labels_;
  const RunContext& context_;
  textures::MeasuredSet real_;
};

}  // namespace synthoscope::fit
