// SPDX-License-Identifier: MIT
// fftconv/planes/mean_removal.hpp — a constant is taken out of the image, and its response, from
// sums of the kernel over boxes, put back after.
#pragma once
#include <memory>
#include <span>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::fftconv {

/// The result for an image that is 1 where it is loaded and zero outside: a box sum of the kernel,
/// from a summed-area table in double. With boundaries that extend the image the box is the whole
/// kernel everywhere.
/// @source Crow, Summed-area tables for texture mapping, SIGGRAPH 1984, in three dimensions.
class BoxSums {
 public:
  /// Reads the whole kernel once. @throws PlanError beyond the budget. @throws Interrupted
  BoxSums(const Kernel& kernel, const Problem& work, const WorkAxes& axes,
          const RunContext& context);

  /// Response at result voxel (z, y, x) of the work problem.
  [[nodiscard]] double at(std::int64_t z, std::int64_t y, std::int64_t x) const;

  /// The same at (z, y, x), (z, y, x + 1), ...: a few operations for each.
  void fill_row(std::int64_t z, std::int64_t y, std::int64_t x, std::span<double> sums) const;

 private:
  /// Kernel indices [begin, end) of one axis that meet the image from result voxel `v`.
  struct Span {
    std::int64_t begin, end;
  };
  static Span met(const AxisGeometry& axis, std::int64_t v);
  [[nodiscard]] double corner(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return table_.data()[(z * (extent_.y + 1) + y) * (extent_.x + 1) + x];
  }

  AxisGeometry z_, y_, x_;
  Extent3 extent_;
  HostBuffer<double> table_;  ///< (K + 1)^3; only with boundary zero, else one number
};

/// The constant that is subtracted, and the kernel's response to it; nothing if the problem does
/// not request it.
struct MeanRemoval {
  double mean = 0;
  std::unique_ptr<BoxSums> response;
};

/// Reads the kernel and a sample of the image if `work` asks for it.
/// @throws PlanError beyond the budget. @throws Interrupted
MeanRemoval prepare_mean_removal(const Term& term, const Problem& work, const WorkAxes& axes,
                                 const RunContext& context);

}  // namespace synthoscope::fftconv
