// SPDX-License-Identifier: MIT
#include "score/pages/image_page.hpp"
#include <fmt/format.h>
#include <cmath>
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::score {
namespace {

using simulator::PlotSeries;
using Mark = PlotSeries::Mark;

std::string significant(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "undefined";
}

std::string resolution_text(const Crossing& crossing) {
  if (crossing.state == CrossingState::crossed) return fmt::format("{:.4g} um", crossing.um);
  return crossing.state == CrossingState::above ? "finer than the voxels" : "none";
}

const FourierCurve& curve_of(const ImageScores& scores) {
  return scores.shells ? *scores.shells : scores.rings.all;
}

std::vector<std::vector<std::string>> flux_rows(const ImageScores& scores) {
  if (!scores.objects) return {};
  const FluxQuantiles flux = quantiles_of(*scores.objects);
  return {{"light of objects",
           fmt::format("{} ({} to {})", significant(flux.median), significant(flux.q05),
                       significant(flux.q95)),
           "sum of the result over sum of the truth in the mask of an object: median, and 5 % and "
           "95 % quantiles"}};
}

std::string table_of_images(const ImageScores& s) {
  const Resolution& resolution = curve_of(s).resolution;
  const std::string name = s.shells ? "FSC" : "FRC";
  std::vector<std::vector<std::string>> rows{
      {"score", "as it is", "best gain and offset", "definition"},
      {"NRMSE", significant(s.raw.nrmse), significant(s.fitted.nrmse),
       "root of the sum of squared errors over that of squares of the truth"},
      {"PSNR", significant(s.raw.psnr), significant(s.fitted.psnr),
       "10 log10 of the squared range of the truth over the mean squared error, in dB"},
      {"SSIM", significant(s.raw.ssim), significant(s.fitted.ssim),
       "structural similarity with a Gaussian window of 1.5 pixels, mean over planes"},
      {"SSIM, 3-D", significant(s.raw.ssim_3d), significant(s.fitted.ssim_3d),
       "the same with a window along all axes"},
      {"Pearson", significant(s.pearson), "", "correlation of all voxels"},
      {"gain, offset", "",
       fmt::format("{}, {}", significant(s.fit.gain), significant(s.fit.offset)),
       "gain times the result plus offset is nearest to the truth"},
      {name + " 1/7", resolution_text(resolution.seventh), "",
       "length at which the Fourier correlation with the truth falls below 1/7"},
      {name + " 1/2", resolution_text(resolution.half), "",
       "the same below 1/2, which for a noise-free truth answers to 1/7 between two noisy images"},
      {name + " half bit", resolution_text(resolution.half_bit), "",
       "the same below half a bit of information per ring"}};
  for (auto& row : flux_rows(s)) rows.push_back({row[0], row[1], "", row[2]});
  return simulator::table(rows);
}

std::string correlation_plot(const ImageScores& scores) {
  const FourierCurve& curve = curve_of(scores);
  PlotSeries correlation{
      scores.shells ? "Fourier shells" : "Fourier rings", "#2f6fb3", Mark::line, {}};
  PlotSeries seventh{"1/7", "#9aa3b0", Mark::line, {}}, half{"1/2", "#d9772b", Mark::line, {}};
  for (std::size_t i = 0; i < curve.correlation.size(); ++i) {
    const double frequency = static_cast<double>(i + 1) * curve.step_per_um;
    correlation.points.emplace_back(frequency, curve.correlation[i]);
    seventh.points.emplace_back(frequency, 1.0 / 7);
    half.points.emplace_back(frequency, 0.5);
  }
  return simulator::svg_plot({"spatial frequency / (1/um)"},
                             {"correlation", simulator::Scale::linear, 1},
                             {correlation, seventh, half});
}

std::string depth_plot(const ImageScores& scores) {
  if (scores.planes.size() < 2) return "";
  PlotSeries nrmse{"NRMSE", "#d9772b", Mark::line, {}}, ssim{"SSIM", "#2f6fb3", Mark::line, {}};
  for (std::size_t z = 0; z < scores.planes.size(); ++z) {
    const double depth = static_cast<double>(z) * scores.voxel.z_um;
    nrmse.points.emplace_back(depth, scores.planes[z].raw.nrmse);
    ssim.points.emplace_back(depth, scores.planes[z].raw.ssim);
  }
  return simulator::section(
      "By depth",
      simulator::svg_plot({"depth / um"}, {"score", simulator::Scale::linear, 1}, {nrmse, ssim}));
}

}  // namespace

std::string image_sections(const ImageScores& scores) {
  return simulator::section("Scores", table_of_images(scores)) +
         simulator::section("Fourier correlation with the truth", correlation_plot(scores)) +
         depth_plot(scores);
}

}  // namespace synthoscope::score
