// SPDX-License-Identifier: MIT
// deconvolution/image/halves.hpp — an image divided into two that are independent.
#pragma once
#include <cstdint>
#include "core/run/run_context.hpp"
#include "core/stream/scratch_volume.hpp"

namespace synthoscope::deconvolution {

/// Returns how many of `count` electrons come to the first half: each does with the probability
/// 1/2. Of more than 1024, the deviation from the mean is that of 1024, scaled.
std::int64_t first_half(std::int64_t count, std::uint64_t seed, std::int64_t voxel);

/// Writes a half of `image` to `half`. If the electrons of the image are Poisson numbers, those of
/// both halves are, with half the mean each, and neither half says anything of the noise in the
/// other. The result depends on the seed and the image alone.
/// @param image  electrons, float32, not negative; fractions are rounded
/// @source thinning of a Poisson process: Kingman, Poisson Processes, 1993, section 5.1
/// @throws PlanError  a plane for each thread is beyond the budget.  @throws Interrupted
void divide(Source& image, ScratchVolume& half, std::uint64_t seed, const RunContext& context);

/// What `divide` left of the image: image - half, not below 0.
class OtherHalf final : public Source {
 public:
  /// Both float32, and must outlive this.
  OtherHalf(Source& image, Source& half) : image_{image}, half_{half} {}
  [[nodiscard]] Extent3 extent() const override { return image_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override;

 private:
  Source &image_, &half_;
};

}  // namespace synthoscope::deconvolution
