// SPDX-License-Identifier: MIT
// jobs/light/simulated_image.hpp — electrons that a camera would record of given light.
#pragma once
#include <cstdint>
#include "core/math/random.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::jobs {

/// Turns light that reaches the field into Poisson numbers of electrons, with the mean light +
/// background. Each voxel has its own random draws, so the result does not depend on boxes.
class SimulatedImage final : public Epilogue {
 public:
  /// @param field       extent of the image
  /// @param background  electrons
  SimulatedImage(const Extent3& field, double background, std::uint64_t seed);

  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

 private:
  template <class Real>
  void draw(const Box3& core, HostView3<const Real> in, VoxelView out) const;

  Extent3 field_;
  double background_;
  RandomStream draws_;
};

}  // namespace synthoscope::jobs
