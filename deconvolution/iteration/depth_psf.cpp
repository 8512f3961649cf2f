// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/depth_psf.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/stream/partial_sums.hpp"
#include "core/stream/store_as.hpp"

namespace synthoscope::deconvolution {
namespace {

float weight_of(const WeightedPsf& psf, std::int64_t z) {
  return psf.weights.empty() ? 1 : static_cast<float>(psf.weights[static_cast<std::size_t>(z)]);
}

/// Light times the weights of its planes.
class WeightedLight final : public Source {
 public:
  WeightedLight(Source& light, const WeightedPsf& psf) : light_{light}, psf_{psf} {}
  [[nodiscard]] Extent3 extent() const override { return light_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override {
    light_.read(box, out);
    const HostView3<float> voxels = out.as<float>();
    for (std::int64_t z = 0; z < box.size.z; ++z)
      for (std::int64_t y = 0; y < box.size.y; ++y)
        std::for_each(
            voxels.row(z, y), voxels.row(z, y) + box.size.x,
            [weight = weight_of(psf_, box.origin.z + z)](float& voxel) { voxel *= weight; });
  }

 private:
  Source& light_;
  const WeightedPsf& psf_;
};

/// Stores what is computed times the weights of its planes.
class StoreWeighted final : public Epilogue {
 public:
  explicit StoreWeighted(const WeightedPsf& psf) : psf_{psf} {}
  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override {
    store(core, in, out);
  }
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override {
    store(core, in, out);
  }

 private:
  template <class Real>
  void store(const Box3& core, HostView3<const Real> in, VoxelView out) {
    const HostView3<float> to = out.as<float>();
    for (std::int64_t z = 0; z < core.size.z; ++z)
      for (std::int64_t y = 0; y < core.size.y; ++y)
        std::transform(in.row(z, y), in.row(z, y) + core.size.x, to.row(z, y),
                       [weight = weight_of(psf_, core.origin.z + z)](Real voxel) {
                         return weight * static_cast<float>(voxel);
                       });
  }

  const WeightedPsf& psf_;
};

}  // namespace

template <class Convolve>
void DepthConvolution::for_each_psf(ScratchVolume& sum, Convolve&& convolve) {
  PartialSums sums{sum};
  for (std::size_t j = 0; j < psfs_.size(); ++j) {
    LabelledProgress progress{context_.progress, fmt::format("psf {}/{}", j + 1, psfs_.size())};
    sums.begin(j == 0);
    convolve(psfs_[j], sums, with_progress(progress, context_));
  }
}

void DepthConvolution::blur(const fftconv::Plan& plan, Source& light, ScratchVolume& sum) {
  for_each_psf(sum, [&](const WeightedPsf& psf, PartialSums& sums, const RunContext& context) {
    WeightedLight weighted{light, psf};
    StoreAs stored{PixelType::float32};
    const fftconv::Term term{&weighted, psf.kernel, {}};
    executor_.run(plan, {&term, 1}, stored, sums, context);
  });
}

void DepthConvolution::adjoint(const fftconv::Plan& plan, Source& residuals, ScratchVolume& sum) {
  for_each_psf(sum, [&](const WeightedPsf& psf, PartialSums& sums, const RunContext& context) {
    StoreWeighted weighted{psf};
    const fftconv::Term term{&residuals, psf.kernel, {}};
    executor_.run(plan, {&term, 1}, weighted, sums, context);
  });
}

}  // namespace synthoscope::deconvolution
