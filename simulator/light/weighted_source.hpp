// SPDX-License-Identifier: MIT
// simulator/light/weighted_source.hpp — light that is multiplied by a weight in each voxel.
#pragma once
#include <memory>
#include "core/stream/stream.hpp"
#include "core/volume/interval.hpp"
#include "simulator/light/voxel_weights.hpp"

namespace synthoscope::simulator {

/// Float32 voxels of `light` times their weights. Planes of weight 0 at either end are dark and are
/// not read. Both references must outlive it.
class WeightedSource final : public Source {
 public:
  WeightedSource(Source& light, const VoxelWeights& weights);
  [[nodiscard]] Extent3 extent() const override { return light_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override;
  void expect(const Box3& box) override;

  /// Returns a source of the same voxels, bit for bit.
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override;

 private:
  Source& light_;
  const VoxelWeights& weights_;
};

/// Returns the planes of `box`, counted from its first, without planes of weight 0 at its ends.
Interval weighted_planes(const VoxelWeights& weights, const Box3& box);

}  // namespace synthoscope::simulator
