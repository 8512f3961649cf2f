// SPDX-License-Identifier: MIT
// simulator/light/expected_photons.hpp — finishes the blur: noise-free photons per pixel and
// exposure.
#pragma once
#include <memory>
#include "core/stream/stream.hpp"
#include "simulator/light/background.hpp"
#include "simulator/light/illumination.hpp"

namespace synthoscope::simulator {

/// An epilogue that stores illumination * (max(blurred, 0) + background) as float32. A transform
/// leaves rounding errors around zero where there is no light; photons are never negative. The
/// background is added after the blur: an even one is not changed by a blur, and an uneven one is
/// described as it appears in the image. The illumination multiplies here because it hardly changes
/// over the width of a PSF.
class ExpectedPhotons final : public Epilogue {
 public:
  /// `background` in photons per pixel and exposure. `illumination` must outlive this.
  ExpectedPhotons(Background background, const Illumination& illumination);
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

  /// Returns an epilogue with the same results, bit for bit; it may work in place.
  [[nodiscard]] std::unique_ptr<cuda::DeviceEpilogue> make_on_device() override;

 private:
  Background background_;
  const Illumination& illumination_;
};

}  // namespace synthoscope::simulator
