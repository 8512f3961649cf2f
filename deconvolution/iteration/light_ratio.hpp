// SPDX-License-Identifier: MIT
// deconvolution/iteration/light_ratio.hpp — what was recorded, over what the estimate explains.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/stream.hpp"

namespace synthoscope::deconvolution {

/// The ratio r itself, or r - 1.
enum class RatioForm { whole, excess };

/// Turns the light e = H u that an estimate brings to the field into the ratio
///
///     r = f / max(e + b, least)
///
/// or r - 1, with the image f and the background b, and adds up the logarithm of the likelihood of
/// f under Poisson noise, but for what does not depend on u: the sum of f ln(e + b) - (e + b). It
/// does the same for a second image of the same light, from which u was not made.
class LightRatio final : public Epilogue {
 public:
  /// @param image       float32, not negative; must outlive this
  /// @param background  in the units of the image
  /// @param least       above 0: rounding may make light that is 0 slightly negative
  /// @param held_out    the second image, as the first; or null
  LightRatio(Source& image, double background, double least, RatioForm form = RatioForm::whole,
             Source* held_out = nullptr);

  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

  /// Returns the logarithm of the likelihood of what was applied since the last call. Depends on
  /// the order of boxes in a row alone, not on threads.
  double take_log_likelihood();
  /// The same of the second image.
  double take_held_out();

 private:
  template <class Real>
  void make_ratio(const Box3& core, HostView3<const Real> in, VoxelView out);
  template <class Real>
  [[nodiscard]] double held_out_likelihood(const Box3& row, const Real* light) const;
  [[nodiscard]] std::size_t row_number(const Box3& core, std::int64_t z, std::int64_t y) const;

  Source& image_;
  double background_, least_;
  RatioForm form_;
  Source* held_out_;
  std::vector<double> of_rows_, held_out_rows_;  ///< logarithms of likelihoods of the field's rows
};

}  // namespace synthoscope::deconvolution
