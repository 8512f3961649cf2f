// SPDX-License-Identifier: MIT
// kernels/device/correlate/separable_passes.hpp — which passes over a volume sum along the axes,
// and the volumes between them. Needs no device.
#pragma once
#include <vector>
#include "core/volume/box.hpp"
#include "kernels/correlate/device_correlation.hpp"

namespace synthoscope::kernels::device {

/// A pass, which makes a volume from another along some axes; the next pass reads it.
struct Pass {
  enum class Kind { rows_and_columns, columns, axis };
  Kind kind = Kind::axis;
  bool z = false, y = false, x = false;  ///< axes that it sums along
};

/// Products of weights along the axes, and the passes that apply them.
class SeparablePasses {
 public:
  /// Weights along the axes of one of the products.
  struct Factors {
    std::vector<float> z, y, x;
  };

  SeparablePasses(const SeparableStencil& stencil, SeparableStrategy strategy);

  /// Returns the passes of every product, at least one.
  [[nodiscard]] const std::vector<Pass>& passes() const { return passes_; }
  [[nodiscard]] const std::vector<Factors>& products() const { return products_; }
  [[nodiscard]] const Extent3& extent() const { return extent_; }
  [[nodiscard]] const Index3& centre() const { return centre_; }

  /// Returns true for one product whose passes all slide: one sweep may replace them
  /// (volume_kernel.hpp).
  [[nodiscard]] bool may_be_one() const;

  /// Returns the box that pass `i`, which is not the last one, makes from a window for `box`: along
  /// axes that later passes sum, it is as long as the window.
  [[nodiscard]] Box3 made_by(std::size_t i, const Box3& window, const Box3& box) const;
  /// Returns the most voxels that made_by gives for boxes no larger than `box`.
  [[nodiscard]] std::int64_t voxels_made_by(std::size_t i, const Extent3& box) const;

  /// Returns the number of weights of all axes of all products.
  [[nodiscard]] std::int64_t weights() const {
    return static_cast<std::int64_t>(products_.size()) * (extent_.z + extent_.y + extent_.x);
  }

 private:
  Extent3 extent_;
  Index3 centre_;
  std::vector<Factors> products_;
  std::vector<Pass> passes_;
};

}  // namespace synthoscope::kernels::device
