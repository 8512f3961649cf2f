// SPDX-License-Identifier: MIT
// fftconv/kernel_use.hpp — how a kernel is to be understood, and what it turned out to be.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include "core/log.hpp"
#include "core/stop.hpp"
#include "core/stream.hpp"
#include "fftconv/kernel_background.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

struct KernelUse {
  KernelNormalization normalization = KernelNormalization::none;
  BackgroundRule background;
  /// A rule or a voxel; absent, the centre that the file names, else rule `scipy`.
  std::optional<std::variant<CenterRule, Index3>> center;
  bool correlate = false;
};

/// A kernel, and what is known of it beside its voxels. All is kept alive by the caller.
struct NamedKernel {
  std::string name;  ///< for people, such as its file
  Source& voxels;
  std::optional<Index3> center;  ///< that its file names, as that of a PSF of ours does
};

/// A kernel after one look at all of it.
struct ExaminedKernel {
  KernelSummary summary;
  Kernel kernel;  ///< refers to the voxels that were examined
  Index3 center;
  bool is_product = false;  ///< of weights along its axes
};

/// Reads the kernel once, or twice where its background is to be found, and warns when its border
/// carries more than 1 % of its sum, unless it names a centre: who made it has said so.
/// @throws InvalidSpec   a centre outside the kernel.
/// @throws InvalidInput  NaN, infinity, nothing but zeros, or a sum that cannot be divided by.
/// @throws Interrupted   `stop` was set.
ExaminedKernel examine_kernel(const NamedKernel& given, const KernelUse& use, const StopFlag& stop,
                              Log& log);

}  // namespace synthoscope::fftconv
