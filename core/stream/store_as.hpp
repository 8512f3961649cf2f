// SPDX-License-Identifier: MIT
// core/stream/store_as.hpp — what happens to finished voxels before they are stored.
#pragma once
#include <atomic>
#include <cstdint>
#include "core/stream/stream.hpp"

namespace synthoscope {

/// Stores what was computed. Integer types are rounded to nearest (ties to even) and clipped to
/// their range; how many voxels were clipped is counted.
class StoreAs final : public Epilogue {
 public:
  explicit StoreAs(PixelType type) : type_{type} {}
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, type_, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

  [[nodiscard]] bool only_converts() const override { return true; }
  void count(const StoredCounts& counts) override;

  [[nodiscard]] std::int64_t clipped() const { return clipped_.load(); }
  /// NaN or infinite voxels that came in: single precision overflows beyond 3e38.
  [[nodiscard]] std::int64_t non_finite() const { return non_finite_.load(); }

 private:
  PixelType type_;
  std::atomic<std::int64_t> clipped_{0}, non_finite_{0};
};

}  // namespace synthoscope
