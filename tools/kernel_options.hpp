// SPDX-License-Identifier: MIT
// tools/kernel_options.hpp — how a kernel file is to be understood, and what it turned out to be.
#pragma once
#include <optional>
#include <string_view>
#include <variant>
#include "core/log.hpp"
#include "core/stop.hpp"
#include "fftconv/kernel_background.hpp"
#include "imageio/open.hpp"
#include "tools/option_table.hpp"

namespace synthoscope::tools {

struct KernelOptions {
  fftconv::KernelNormalization normalization = fftconv::KernelNormalization::none;
  fftconv::BackgroundRule background;
  /// A rule or a voxel; absent, the centre that the file names, else rule `scipy`.
  std::optional<std::variant<fftconv::CenterRule, Index3>> center;
  bool correlate = false;

  void describe(OptionTable& table);
};

/// A kernel after one look at all of it.
struct ExaminedKernel {
  fftconv::KernelSummary summary;
  fftconv::Kernel kernel;  ///< refers to the image that was examined
  Index3 center;
  bool is_product = false;  ///< of weights along its axes
};

/// Reads the kernel once, or twice with --kernel-background auto, and warns when its border
/// carries more than 1 % of its sum, unless it is a PSF of `psf`, which has said so.
/// @throws InvalidSpec   a centre outside the kernel.
/// @throws InvalidInput  NaN, infinity, nothing but zeros, or a sum that cannot be divided by.
/// @throws Interrupted   `stop` was set.
ExaminedKernel examine_kernel(const imageio::OpenImage& file, const KernelOptions& options,
                              const StopFlag& stop, Log& log);

/// Warns when image and kernel have different voxel sizes, as far as both are known.
void warn_of_pitch_mismatch(const imageio::ImageInfo& image, const imageio::ImageInfo& kernel,
                            Log& log);

}  // namespace synthoscope::tools
