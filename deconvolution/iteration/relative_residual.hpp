// SPDX-License-Identifier: MIT
// deconvolution/iteration/relative_residual.hpp — what was recorded and the estimate does not
// explain, relative to what it explains.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/stream.hpp"

namespace synthoscope::deconvolution {

/// Turns the light H u that an estimate brings to the field into the residual
///
///     d = (f - e) / e,      e = max(H u + b, least)
///
/// with the image f and the background b, and adds up the logarithm of the likelihood of f under
/// Poisson noise, but for what does not depend on u: the sum of f ln(e) - e.
class RelativeResidual final : public Epilogue {
 public:
  /// @param image       float32, not negative; must outlive this
  /// @param background  in the units of the image
  /// @param least       above 0: rounding may make light that is 0 slightly negative
  RelativeResidual(Source& image, double background, double least);

  [[nodiscard]] StreamFormat format(const Extent3& computed) const override {
    return {computed, PixelType::float32, {1, 1, 1}};
  }
  void apply(const Box3& core, HostView3<const float> in, VoxelView out) override;
  void apply(const Box3& core, HostView3<const double> in, VoxelView out) override;

  /// Returns the logarithm of the likelihood of what was applied since the last call. Depends on
  /// the order of boxes in a row alone, not on threads.
  double take_log_likelihood();

 private:
  template <class Real>
  void find_residual(const Box3& core, HostView3<const Real> in, VoxelView out);
  [[nodiscard]] std::size_t row_number(const Box3& core, std::int64_t z, std::int64_t y) const;

  Source& image_;
  double background_, least_;
  std::vector<double> of_rows_;  ///< logarithms of likelihoods of the field's rows
};

}  // namespace synthoscope::deconvolution
