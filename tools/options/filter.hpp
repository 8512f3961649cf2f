// SPDX-License-Identifier: MIT
// tools/options/filter.hpp — which kernel an image is filtered with: from a file, by its
// measures, or by its name.
#pragma once
#include <filesystem>
#include <optional>
#include "core/base/json_fwd.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "kernels/banks/filter_banks.hpp"
#include "kernels/filters/named_filters.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// Filters that are called by their name.
enum class NamedFilter { sobel, prewitt, scharr, laplacian, log, dog, gabor };
/// The axis of a slope.
enum class SlopeAxis { z, y, x };

struct FilterOptions {
  std::filesystem::path kernel;
  fftconv::KernelNormalization normalization = fftconv::KernelNormalization::none;
  bool correlate = false;
  /// One value for all axes longer than 1, or one for each of z, y, x; empty if not given.
  std::vector<double> gaussian, order, box, sigma;
  std::optional<NamedFilter> named;
  std::optional<kernels::FilterBank> bank;
  double truncate = 4;
  SlopeAxis axis = SlopeAxis::x;
  double ratio = 1.6;  ///< of a difference of Gaussians
  kernels::GaborSpec gabor;

  void describe(OptionTable& table);

  /// @throws InvalidSpec  not exactly one of --kernel, --gaussian, --box, --named and --bank, or
  ///                      one without the width that it has.
  void require_consistent() const;

  /// Returns the kernel for an image of `extent`, unless it belongs to a bank.
  /// @param weights  the weights of --kernel as a correlation uses them, nothing else
  [[nodiscard]] kernels::FilterKernel kernel_for(
      const Extent3& extent, const std::optional<kernels::Stencil>& weights) const;

  /// Returns whether results have the image's scale: weights are positive, their sum 1.
  [[nodiscard]] bool keeps_scale() const;

  /// What determines the kernel, for the record.
  [[nodiscard]] Json asked() const;

 private:
  void describe_details(OptionTable& table);
  /// Returns whether the filter has a name and a width.
  [[nodiscard]] bool is_sized() const;
};

}  // namespace synthoscope::tools
