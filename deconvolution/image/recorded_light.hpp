// SPDX-License-Identifier: MIT
// deconvolution/image/recorded_light.hpp — what a camera recorded, as light.
#pragma once
#include <atomic>
#include <cstdint>
#include <limits>
#include "core/stream/stream.hpp"

namespace synthoscope::deconvolution {

/// What the grey levels of a camera stand for: level = offset + gain n, where n is a Poisson number
/// of electrons, of light and of dark current, plus the noise of reading.
struct CameraResponse {
  double offset = 0;      ///< grey level without light
  double gain = 1;        ///< grey levels per electron, above 0
  double per_photon = 1;  ///< electrons
  double read_noise = 0;  ///< standard deviation in electrons
  double dark = 0;        ///< electrons of dark current
};

/// Counts of voxels that do not say how much light there was.
struct UnusableVoxels {
  std::int64_t negative = 0;   ///< below 0 light; taken as 0
  std::int64_t saturated = 0;  ///< at the highest level that the image can hold
};

/// Turns grey levels into electrons (level - offset) / gain, as float32.
///
/// Noise of reading, of the variance s^2, is added as light s^2: the sum of Poisson and Gaussian
/// noise has then nearly the distribution of Poisson noise with a mean that is larger by s^2.
/// @source Snyder, Hammoud, White, J. Opt. Soc. Am. A 10 (1993) 1014, doi:10.1364/JOSAA.10.001014
class RecordedLight final : public Epilogue {
 public:
  /// @param highest  level from which a voxel counts as saturated
  explicit RecordedLight(const CameraResponse& camera = {},
                         double highest = std::numeric_limits<double>::infinity());

  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

  [[nodiscard]] UnusableVoxels unusable() const { return {negative_.load(), saturated_.load()}; }

 private:
  template <class Real>
  void record(HostView3<const Real> in, VoxelView out);

  double offset_, per_level_, added_, highest_;
  std::atomic<std::int64_t> negative_{0}, saturated_{0};
};

/// Returns the electrons that are recorded where the object is dark, as RecordedLight counts them.
/// @param background  grey level there; what is below the offset and the dark current adds nothing
double background_light(const CameraResponse& camera, double background);

}  // namespace synthoscope::deconvolution
