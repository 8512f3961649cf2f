// SPDX-License-Identifier: MIT
// simulator/expected_photons.hpp — finishes the blur: noise-free photons per pixel and exposure.
#pragma once
#include "core/stream.hpp"

namespace synthoscope::simulator {

/// Stores max(blurred, 0) + background as float32. A transform leaves rounding errors around zero
/// where no light is; photons are never negative. A uniform background is added here because no
/// blur changes it.
class ExpectedPhotons final : public Epilogue {
 public:
  /// `background` in photons per pixel and exposure, >= 0.
  explicit ExpectedPhotons(double background) : background_{background} {}
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

 private:
  double background_;
};

}  // namespace synthoscope::simulator
