// SPDX-License-Identifier: MIT
#include "deconvolution/filters/back_projector.hpp"
#include <fmt/format.h>
#include <cmath>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::deconvolution {
namespace {

void require_back_projector(const BackProjectorSpec& spec) {
  const auto refuse = [](std::string_view what, double value, std::string_view accepted) {
    throw InvalidSpec(fmt::format("deconvolve: {} of the back projector is {:.6g}; give {}", what,
                                  value, accepted));
  };
  if (!(spec.alpha > 0) || !std::isfinite(spec.alpha))
    refuse("alpha", spec.alpha, "a number above 0, such as 0.1");
  if (spec.order < 1) refuse("the order", spec.order, "a whole number from 1 on, such as 10");
  if (!(spec.beta > 0 && spec.beta < 1))
    refuse("beta", spec.beta, "a number between 0 and 1, such as 0.1");
  for (const double period : spec.period)
    if (!(period >= 0) || !std::isfinite(period))
      refuse("a period", period, "a number of voxels, or 0 for the half width of the PSF");
}

/// Returns the width at half of voxel `peak` of a line.
double half_width(const std::vector<double>& line, std::int64_t peak) {
  const double half = line[as_index(peak)] / 2;
  double width = 0;
  for (const std::int64_t step : {std::int64_t{-1}, std::int64_t{1}}) {
    std::int64_t at = peak;
    const auto is_inside = [&](std::int64_t i) { return i >= 0 && i < std::ssize(line); };
    while (is_inside(at + step) && line[as_index(at + step)] >= half) at += step;
    width += static_cast<double>(std::abs(at - peak));
    if (!is_inside(at + step))
      width += 0.5;
    else
      width += (line[as_index(at)] - half) / (line[as_index(at)] - line[as_index(at + step)]);
  }
  return width;
}

/// The Butterworth part of B.
class Butterworth {
 public:
  Butterworth(const BackProjectorSpec& spec, const std::array<double, 3>& period,
              const Extent3& extent)
      : order_{spec.order},
        fall_{1 / (spec.beta * spec.beta) - 1},
        z_{squares(extent.z, period[0])},
        y_{squares(extent.y, period[1])},
        x_{squares(extent.x, period[2])} {}

  [[nodiscard]] double at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    const double squared = z_[as_index(z)] + y_[as_index(y)] + x_[as_index(x)];
    return 1 / std::sqrt(1 + fall_ * std::pow(squared, order_));
  }

 private:
  static std::vector<double> squares(std::int64_t length, double period) {
    std::vector<double> all(as_index(length));
    for (std::int64_t k = 0; k < length; ++k)
      all[as_index(k)] = std::pow(frequency_of(k, length) * period, 2);
    return all;
  }

  int order_;
  double fall_;
  std::vector<double> z_, y_, x_;
};

}  // namespace

std::array<double, 3> half_widths(const fftconv::Kernel& psf, const RunContext& context) {
  const fftconv::KernelSummary summary =
      fftconv::summarize(*psf.voxels, context.stop, psf.background);
  fftconv::require_usable(summary, "of the PSF");
  const Index3& p = summary.peak_index;
  const Extent3& e = summary.extent;
  const auto along = [&](const Box3& box, std::int64_t peak) {
    std::vector<double> line;
    fftconv::for_each_row(*psf.voxels, box, context.stop, [&](auto, auto, const auto* row) {
      for (std::int64_t x = 0; x < box.size.x; ++x)
        line.push_back(static_cast<double>(row[x]) - psf.background);
    });
    return half_width(line, peak);
  };
  return {along({{0, p.y, p.x}, {e.z, 1, 1}}, p.z), along({{p.z, 0, p.x}, {1, e.y, 1}}, p.y),
          along({{p.z, p.y, 0}, {1, 1, e.x}}, p.x)};
}

FilterKernel make_back_projector(const fftconv::Kernel& psf, const Index3& center,
                                 const BackProjectorSpec& spec, const RunContext& context) {
  require_back_projector(spec);
  std::array<double, 3> period = half_widths(psf, context);
  for (std::size_t axis = 0; axis < period.size(); ++axis)
    if (spec.period[axis] > 0) period[axis] = spec.period[axis];

  const Extent3 k = psf.voxels->extent();
  FourierVolume spectrum =
      transfer_of(psf, center,
                  {transform_length_from(2 * k.z - 1), transform_length_from(2 * k.y - 1),
                   transform_length_from(2 * k.x - 1)},
                  context);
  const Butterworth butterworth{spec, period, spectrum.extent()};
  spectrum.for_each(
      [&](std::complex<double>& value, std::int64_t z, std::int64_t y, std::int64_t x) {
        value *= (1 + spec.alpha) / (std::norm(value) + spec.alpha) * butterworth.at(z, y, x);
      });
  spectrum.inverse();
  FilterKernel kernel = cut_out(spectrum, k, center, context);

  // What lies beyond the PSF's voxels is put back as a part of the PSF, so that the sum is 1
  const double sum = sum_of(kernel),
               of_psf = fftconv::summarize(*psf.voxels, context.stop, psf.background).sum;
  fftconv::for_each_row(
      *psf.voxels, context.stop, [&](std::int64_t z, std::int64_t y, const auto* row) {
        float* const to = kernel.view().row(z, y);
        for (std::int64_t x = 0; x < k.x; ++x)
          to[x] += static_cast<float>((1 - sum) * (static_cast<double>(row[x]) - psf.background) /
                                      of_psf);
      });
  return kernel;
}

}  // namespace synthoscope::deconvolution
