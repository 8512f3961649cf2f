// SPDX-License-Identifier: MIT
// textures/models/feature_samples.hpp — features of some voxels of an image: what words are learned
// from.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/stream.hpp"

namespace synthoscope::textures {

/// `count` voxels of an image of `extent`, by their index, in ascending order: all of them where
/// there are no more; else independent draws of (seed, image), so that one may be there twice.
std::vector<std::int64_t> drawn_voxels(const Extent3& extent, std::int64_t count,
                                       std::uint64_t seed, std::uint32_t image);

/// A sink of a volume of features (plane p * F + f is feature f of plane p) that keeps the features
/// of some voxels.
class FeaturePicker final : public Sink {
 public:
  /// @param voxels  ascending indices into `image`
  /// @param first   feature f of voxels[i] goes to first[f * pitch + i]
  FeaturePicker(const Extent3& image, std::int64_t features,
                const std::vector<std::int64_t>& voxels, float* first, std::int64_t pitch)
      : image_{image}, features_{features}, voxels_{voxels}, first_{first}, pitch_{pitch} {}
  [[nodiscard]] Extent3 extent() const override {
    return {image_.z * features_, image_.y, image_.x};
  }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override {}

 private:
  Extent3 image_;
  std::int64_t features_;
  const std::vector<std::int64_t>& voxels_;
  float* first_;
  std::int64_t pitch_;
};

}  // namespace synthoscope::textures
