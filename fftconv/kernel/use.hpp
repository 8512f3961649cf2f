// SPDX-License-Identifier: MIT
// fftconv/kernel/use.hpp — how a kernel is to be understood, and what it turned out to be.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include "core/base/log.hpp"
#include "core/run/stop.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

struct KernelUse {
  KernelNormalization normalization = KernelNormalization::none;
  BackgroundRule background;
  /// A rule or a voxel; absent, the centre that the file names, else rule `scipy`.
  std::optional<std::variant<CenterRule, Index3>> center;
  bool correlate = false;
};

/// A kernel and what is known of it apart from its voxels. The caller keeps everything alive.
struct NamedKernel {
  std::string name;  ///< for people, such as its file
  Source& voxels;
  std::optional<Index3> center;  ///< named by the kernel's file, as in a PSF of ours
};

/// A kernel after one look at all of it.
struct ExaminedKernel {
  KernelSummary summary;
  Kernel kernel;  ///< refers to the voxels that were examined
  Index3 center;
  bool is_product = false;  ///< of weights along its axes
};

/// A warning about a kernel, such as a PSF, whose bright core lies off its centre: results are
/// moved by that distance. The core is the centre of mass of the voxels above half of the peak; a
/// kernel that is largely negative has none. Nothing if the core is at most half a voxel away, or
/// the peak lies on the centre.
/// @param remedy  what to give so that nothing moves
std::optional<std::string> off_center_warning(const NamedKernel& given,
                                              const KernelSummary& summary, const Index3& center,
                                              bool correlate, std::string_view remedy,
                                              const StopFlag& stop);

/// Reads the kernel once, or twice if its background is to be found or its peak is not at its
/// centre. Warns if its border carries more than 1 % of its sum, unless the file names a centre
/// (the program that made it has warned), and by off_center_warning if neither the file nor the
/// caller names a centre.
/// @throws InvalidSpec   a centre outside the kernel.
/// @throws InvalidInput  NaN, infinity, only zeros, or a sum that cannot be divided by.
/// @throws Interrupted   `stop` was set.
ExaminedKernel examine_kernel(const NamedKernel& given, const KernelUse& use, const StopFlag& stop,
                              Log& log);

}  // namespace synthoscope::fftconv
