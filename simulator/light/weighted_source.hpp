// SPDX-License-Identifier: MIT
// simulator/light/weighted_source.hpp — weights of light, voxel by voxel, and light that is
// multiplied by them.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>
#include "core/stream/stream.hpp"
#include "core/volume/interval.hpp"

namespace synthoscope::simulator {

/// Factors z[z] * (y[y] * x[x]) of voxels (z, y, x); an axis without weights counts as 1.
struct VoxelWeights {
  std::vector<double> z, y, x;
  [[nodiscard]] bool is_one() const { return z.empty() && y.empty() && x.empty(); }
};

/// Returns linear interpolation weights of values between ascending nodes: one vector per node, one
/// weight per value; the weights of all nodes add up to 1. A single node has weight 1. A value
/// beyond the ends belongs to the end alone.
std::vector<std::vector<double>> weights_between(const std::vector<double>& nodes,
                                                 const std::vector<double>& values);

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
