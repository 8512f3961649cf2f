// SPDX-License-Identifier: MIT
#include "fftconv/kernel_use.hpp"
#include <fmt/format.h>
#include "core/error.hpp"
#include "fftconv/sums.hpp"

namespace synthoscope::fftconv {
namespace {

Index3 center_of(const NamedKernel& given, const KernelUse& use, const KernelSummary& summary,
                 Log& log) {
  Index3 center;
  if (use.center && std::holds_alternative<Index3>(*use.center)) {
    center = std::get<Index3>(*use.center);
  } else if (!use.center && given.center) {
    center = *given.center;
    log.note(fmt::format("use kernel centre {}, which {} names", center, given.name));
  } else {
    const auto rule = use.center ? std::get<CenterRule>(*use.center) : CenterRule::scipy;
    return kernel_center(rule, summary, use.correlate);
  }
  if (!contains(summary.extent, {center, {1, 1, 1}}))
    throw InvalidSpec(
        fmt::format("use kernel centre {}: the kernel {} holds {} voxels; choose a voxel inside it",
                    center, given.name, summary.extent));
  return center;
}

void warn_of_border(const NamedKernel& given, const KernelUse& use, const KernelSummary& summary,
                    const StopFlag& stop, Log& log) {
  if (given.center) return;  // a PSF of ours: who made it said what light its window leaves out
  if (const auto warning = border_warning(given.name, given.voxels, use.background, summary,
                                          BorderFaces::all, "--kernel-background auto", stop))
    log.warn(*warning);
}

void warn_of_negative_sum(const NamedKernel& given, const KernelUse& use,
                          const KernelSummary& summary, Log& log) {
  if (use.normalization == KernelNormalization::sum && summary.sum < 0)
    log.warn(
        fmt::format("the sum of kernel {} is negative, {:.3g}, and dividing by it turns bright "
                    "into dark; choose a smaller --kernel-background",
                    given.name, summary.sum));
}

}  // namespace

ExaminedKernel examine_kernel(const NamedKernel& given, const KernelUse& use, const StopFlag& stop,
                              Log& log) {
  const double background = background_of(use.background, given.voxels, stop);
  if (use.background.kind == BackgroundRule::Kind::automatic)
    log.note(fmt::format("take a background of {:g} off kernel {}", background, given.name));
  const KernelSummary summary = summarize(given.voxels, stop, background);
  require_usable(summary, given.name);
  warn_of_border(given, use, summary, stop, log);
  warn_of_negative_sum(given, use, summary, log);
  const double scale = normalization_scale(use.normalization, summary);
  const Kernel kernel{&given.voxels, background, scale};
  return {summary, kernel, center_of(given, use, summary, log), is_product(kernel, stop)};
}

}  // namespace synthoscope::fftconv
