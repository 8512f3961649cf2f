// SPDX-License-Identifier: MIT
#include "tools/kernel_options.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include "fftconv/sums.hpp"
#include "tools/option_rows.hpp"

namespace synthoscope::tools {
namespace {

using fftconv::CenterRule;
using fftconv::KernelNormalization;

constexpr double kPitchTolerance = 0.01;  // relative

std::variant<CenterRule, Index3> parse_center(std::string_view text) {
  if (const auto rule = fftconv::center_rule_named(text)) return *rule;
  if (text.find(',') == std::string_view::npos)
    throw InvalidSpec(fmt::format(
        "'{}' will not do; write scipy, middle, peak, centroid, or a voxel as Z,Y,X", text));
  const Extent3 voxel = parse_triple(text, 0);
  return Index3{voxel.z, voxel.y, voxel.x};
}

Index3 center_of(const imageio::ImageInfo& file, const KernelOptions& options,
                 const fftconv::KernelSummary& summary, Log& log) {
  Index3 center;
  if (options.center && std::holds_alternative<Index3>(*options.center)) {
    center = std::get<Index3>(*options.center);
  } else if (!options.center && file.kernel_center) {
    center = *file.kernel_center;
    log.note(fmt::format("use kernel centre {}, which {} names", center, file.path.string()));
  } else {
    const auto rule = options.center ? std::get<CenterRule>(*options.center) : CenterRule::scipy;
    return fftconv::kernel_center(rule, summary, options.correlate);
  }
  if (!contains(summary.extent, {center, {1, 1, 1}}))
    throw InvalidSpec(
        fmt::format("use kernel centre {}: the kernel {} holds {} voxels; choose a voxel inside it",
                    center, file.path.string(), summary.extent));
  return center;
}

void warn_of_border(const imageio::OpenImage& file, const KernelOptions& options,
                    const fftconv::KernelSummary& summary, const StopFlag& stop, Log& log) {
  // A PSF that names its centre was made by `psf`, which said what light its window leaves out
  if (file.info.kernel_center) return;
  if (const auto warning =
          border_warning(file.info.path.string(), *file.source, options.background, summary,
                         fftconv::BorderFaces::all, "--kernel-background auto", stop))
    log.warn(*warning);
}

void warn_of_negative_sum(const imageio::ImageInfo& file, const KernelOptions& options,
                          const fftconv::KernelSummary& summary, Log& log) {
  if (options.normalization == KernelNormalization::sum && summary.sum < 0)
    log.warn(
        fmt::format("the sum of kernel {} is negative, {:.3g}, and dividing by it turns bright "
                    "into dark; choose a smaller --kernel-background",
                    file.path.string(), summary.sum));
}

}  // namespace

void KernelOptions::describe(OptionTable& table) {
  table.group("Kernel");
  table.add(switch_row("correlate", correlate, "correlate instead of convolving"));
  table.add(
      choice_row("normalize-kernel", normalization,
                 {KernelNormalization::none, KernelNormalization::sum, KernelNormalization::peak},
                 "divide the kernel by its sum or its peak"));
  table.add({"kernel-background", "N|auto|none", "none", "",
             "take this off every voxel of the kernel; auto is the median of its border or of all "
             "of it, whichever is smaller",
             [this](std::string_view text) { background = fftconv::parse_background(text); }});
  table.add({"kernel-center", "scipy|middle|peak|centroid|Z,Y,X",
             "what the kernel's file says, else scipy", "",
             "voxel of the kernel that lies on the result's voxel: scipy is (K-1)/2, with "
             "--correlate K/2; middle is K/2",
             [this](std::string_view text) { center = parse_center(text); }});
}

ExaminedKernel examine_kernel(const imageio::OpenImage& file, const KernelOptions& options,
                              const StopFlag& stop, Log& log) {
  const double background = background_of(options.background, *file.source, stop);
  if (options.background.kind == fftconv::BackgroundRule::Kind::automatic)
    log.note(fmt::format("take a background of {:g} off kernel {}", background,
                         file.info.path.string()));
  const fftconv::KernelSummary summary = fftconv::summarize(*file.source, stop, background);
  fftconv::require_usable(summary, file.info.path.string());
  warn_of_border(file, options, summary, stop, log);
  warn_of_negative_sum(file.info, options, summary, log);
  const double scale = fftconv::normalization_scale(options.normalization, summary);
  const fftconv::Kernel kernel{file.source.get(), background, scale};
  return {summary, kernel, center_of(file.info, options, summary, log),
          fftconv::is_product(kernel, stop)};
}

void warn_of_pitch_mismatch(const imageio::ImageInfo& image, const imageio::ImageInfo& kernel,
                            Log& log) {
  struct Axis {
    const char* name = nullptr;
    std::optional<double> image, kernel;
  };
  for (const Axis& axis : {Axis{"z", image.z_um, kernel.z_um}, Axis{"y", image.y_um, kernel.y_um},
                           Axis{"x", image.x_um, kernel.x_um}})
    if (axis.image && axis.kernel &&
        std::abs(*axis.image - *axis.kernel) > kPitchTolerance * *axis.image)
      log.warn(fmt::format(
          "voxels of image {} are {:g} um along {}, those of kernel {} are {:g} um; the kernel is "
          "used voxel by voxel all the same",
          image.path.string(), *axis.image, axis.name, kernel.path.string(), *axis.kernel));
}

}  // namespace synthoscope::tools
