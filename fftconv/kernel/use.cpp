// SPDX-License-Identifier: MIT
#include "fftconv/kernel/use.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include "core/base/error.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::fftconv {
namespace {

Index3 center_of(const NamedKernel& given, const KernelUse& use, const KernelSummary& summary,
                 Log& log) {
  Index3 center;
  if (use.center && std::holds_alternative<Index3>(*use.center)) {
    center = std::get<Index3>(*use.center);
  } else if (!use.center && given.center) {
    center = *given.center;
    log.note(fmt::format("the kernel centre is {}, as stored in {}", center, given.name));
  } else {
    const auto rule = use.center ? std::get<CenterRule>(*use.center) : CenterRule::scipy;
    return kernel_center(rule, summary, use.correlate);
  }
  if (!contains(summary.extent, {center, {1, 1, 1}}))
    throw InvalidSpec(
        fmt::format("use kernel centre {}: the kernel {} has {} voxels; choose a voxel inside it",
                    center, given.name, summary.extent));
  return center;
}

/// The centre of mass, z, y, x, of the voxels above half of the peak.
std::array<double, 3> core_of(Source& kernel, const KernelSummary& summary, const StopFlag& stop) {
  double light = 0;
  std::array<double, 3> moments{};
  for_each_row(kernel, stop, [&](std::int64_t z, std::int64_t y, const auto* row) {
    for (std::int64_t x = 0; x < summary.extent.x; ++x) {
      const double value = static_cast<double>(row[x]) - summary.background;
      if (value < summary.peak / 2) continue;
      light += value;
      moments[0] += value * static_cast<double>(z);
      moments[1] += value * static_cast<double>(y);
      moments[2] += value * static_cast<double>(x);
    }
  });
  for (double& moment : moments) moment /= light;
  return moments;
}

void warn_of_border(const NamedKernel& given, const KernelUse& use, const KernelSummary& summary,
                    const StopFlag& stop, Log& log) {
  if (given.center) return;  // a PSF of ours: its own record says how much light its window omits
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

std::optional<std::string> off_center_warning(const NamedKernel& given,
                                              const KernelSummary& summary, const Index3& center,
                                              bool correlate, std::string_view remedy,
                                              const StopFlag& stop) {
  constexpr double kMinPositive = 0.5;  // of a PSF, over all magnitudes
  constexpr double kRounding = 1e-3;    // voxels
  if (summary.peak_index == center || summary.sum < kMinPositive * summary.abs_sum)
    return std::nullopt;
  const std::array<double, 3> core = core_of(given.voxels, summary, stop);
  const std::array<std::int64_t, 3> centers{center.z, center.y, center.x};
  std::array<double, 3> off{};
  for (std::size_t i = 0; i < off.size(); ++i) {
    const double apart = core[i] - static_cast<double>(centers[i]);
    // Of three digits, and no negative zero
    off[i] = std::round((correlate ? -apart : apart) / kRounding) * kRounding + 0.0;
  }
  if (std::none_of(off.begin(), off.end(),
                   [](double voxels) { return std::abs(voxels) > 0.5 + kRounding; }))
    return std::nullopt;
  return fmt::format(
      "the bright core of kernel {} is not at the kernel centre {}, so the result is shifted by "
      "({:+.3g}, {:+.3g}, {:+.3g}) voxels along z, y, x; {}",
      given.name, center, off[0], off[1], off[2], remedy);
}

ExaminedKernel examine_kernel(const NamedKernel& given, const KernelUse& use, const StopFlag& stop,
                              Log& log) {
  const double background = background_of(use.background, given.voxels, stop);
  if (use.background.kind == BackgroundRule::Kind::automatic)
    log.note(fmt::format("subtracted a background of {:g} from kernel {}", background, given.name));
  const KernelSummary summary = summarize(given.voxels, stop, background);
  require_usable(summary, given.name);
  warn_of_border(given, use, summary, stop, log);
  warn_of_negative_sum(given, use, summary, log);
  const double scale = normalization_scale(use.normalization, summary);
  const Kernel kernel{&given.voxels, background, scale};
  const Index3 center = center_of(given, use, summary, log);
  if (!use.center && !given.center)
    if (const auto warning = off_center_warning(given, summary, center, use.correlate,
                                                "give --kernel-center peak to keep it in place, or "
                                                "--kernel-center scipy if the shift is intended",
                                                stop))
      log.warn(*warning);
  return {summary, kernel, center, is_product(kernel, stop)};
}

}  // namespace synthoscope::fftconv
