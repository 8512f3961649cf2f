// SPDX-License-Identifier: MIT
// deconvolution/estimate_update.hpp — the estimate times what the ratios say of each voxel.
#pragma once
#include "core/stream/scratch_volume.hpp"
#include "deconvolution/seen_share.hpp"

namespace synthoscope::deconvolution {

/// Turns v = H^T r into u v / (H^T 1), the next estimate; 0 for voxels that take no part. Reads
/// each voxel of u before it gives its successor, so that this may replace it.
///
/// With momentum u is a point y beyond the last estimate x, in the direction of the last step, and
/// both follow:
///
///     x' = y v / (H^T 1),     y' = x' (x' / x)^w
///
/// The step is taken in logarithms: it stays positive, and what was close to 0 can grow again. A
/// step in the light itself, as deconwolf takes it, has to be cut at 0.
/// @source Wang, Miller, IEEE Trans. Image Process. 23 (2014) 848, doi:10.1109/TIP.2013.2291324
///         (scaled heavy ball)
class EstimateUpdate final : public Epilogue {
 public:
  /// @param estimate  u, float32
  /// @param last      x, float32, which is replaced; null without momentum. All must outlive this.
  EstimateUpdate(Source& estimate, const SeenShare& share, ScratchVolume* last = nullptr)
      : estimate_{estimate}, share_{share}, last_{last} {}

  /// Sets the weight w of the last step, 0 ... 1.
  void set_momentum(double weight) { weight_ = static_cast<float>(weight); }

  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

 private:
  template <class Real>
  void update(const Box3& core, HostView3<const Real> in, VoxelView out);
  void go_beyond(const Box3& core, VoxelView next);

  Source& estimate_;
  const SeenShare& share_;
  ScratchVolume* last_;
  float weight_ = 0;
};

}  // namespace synthoscope::deconvolution
