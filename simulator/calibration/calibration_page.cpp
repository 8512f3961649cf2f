// SPDX-License-Identifier: MIT
#include "simulator/calibration/calibration_page.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"

namespace synthoscope::simulator {
namespace {

using Mark = PlotSeries::Mark;
constexpr const char *kUsedColour = "#2f6fb3", *kLineColour = "#d9772b",
                     *kLeftOutColour = "#7a8494";

struct Figure {
  std::string name, value;
};

std::string measured(const Measured& figure, std::string_view unit) {
  return fmt::format("{:.4g} +- {:.2g} {}", figure.value, figure.error, unit);
}

std::vector<Figure> figures_of(const Calibration& found) {
  const CameraSpec& camera = found.camera;
  std::vector<Figure> figures{
      {"gain", measured(found.gain, "DN per electron")},
      {"read noise", fmt::format("{}, spread {:.3g}", measured(found.read_noise, "electrons"),
                                 camera.read_noise_spread)},
      {"offset",
       fmt::format("{}, spread {:.3g} DN", measured(found.offset, "DN"), found.offset_spread_dn)},
      {"response spread", fmt::format("{:.3g} % over pixels", 100 * found.response_spread)},
      {"dark current", found.dark_current ? measured(*found.dark_current, "electrons per second")
                                          : "not measured: give darks of several exposures"},
      {"saturation",
       found.saturation_dn
           ? fmt::format("{:.5g} DN, {:.4g} electrons", *found.saturation_dn,
                         (*found.saturation_dn - camera.offset_dn) / camera.gain_dn_per_electron)
           : "not reached"},
  };
  if (found.nonlinearity)
    figures.push_back({"nonlinearity", fmt::format("{:.2g} % at most, of the mean over exposures",
                                                   100 * *found.nonlinearity)});
  double worst = 0;
  for (const auto& point : found.points)
    if (point.left_out.empty()) worst = std::max(worst, std::abs(point.off_line));
  figures.push_back({"off the line", fmt::format("{:.2g} % of the variance at most", 100 * worst)});
  return figures;
}

std::string figures_table(const Calibration& found) {
  std::vector<std::vector<std::string>> rows{{"figure", "value"}};
  for (const auto& [name, value] : figures_of(found)) rows.push_back({name, value});
  return section("Figures", table(rows));
}

std::string transfer_plot(const Calibration& found) {
  PlotSeries used{"on the line", kUsedColour, Mark::points, {}};
  PlotSeries left_out{"left out", kLeftOutColour, Mark::points, {}};
  PlotSeries line{"fitted", kLineColour, Mark::line, {}};
  double longest = 0;
  for (const auto& point : found.points) {
    (point.left_out.empty() ? used : left_out)
        .points.emplace_back(point.signal_dn, point.variance_dn2);
    longest = std::max(longest, point.signal_dn);
  }
  for (int i = 0; i <= 100; ++i) {
    const double x = longest * std::pow(10, -4 * (1 - i / 100.0));
    line.points.emplace_back(x, found.line.at(x));
  }
  return section("Photon transfer",
                 svg_plot({"signal / DN", Scale::logarithmic},
                          {"variance / DN²", Scale::logarithmic}, {line, used, left_out}));
}

std::string residual_plot(const Calibration& found) {
  PlotSeries off{"off the line", kUsedColour, Mark::points, {}};
  PlotSeries above{"one standard error", kLineColour, Mark::points, {}};
  for (const auto& point : found.points)
    if (point.left_out.empty()) {
      const double error = 100 * point.error_dn2 / point.variance_dn2;
      off.points.emplace_back(point.signal_dn, 100 * point.off_line);
      above.points.emplace_back(point.signal_dn, 100 * point.off_line + error);
      above.points.emplace_back(point.signal_dn, 100 * point.off_line - error);
    }
  return section("Off the line",
                 svg_plot({"signal / DN"}, {"variance off the line / %"}, {above, off}));
}

std::string levels_table(const Calibration& found) {
  std::vector<std::vector<std::string>> rows{
      {"stack", "mean / DN", "variance / DN²", "drift / DN", "off the line / %", "left out"}};
  for (const auto& point : found.points)
    rows.push_back({point.name, fmt::format("{:.5g}", point.mean_dn),
                    fmt::format("{:.5g} ± {:.2g}", point.variance_dn2, point.error_dn2),
                    fmt::format("{:.2g}", point.drift_dn),
                    fmt::format("{:.2g}", 100 * point.off_line), std::string{point.left_out}});
  return section("Levels", table(rows));
}

}  // namespace

std::string calibration_page(const Calibration& found) {
  std::string notes;
  for (const auto& warning : found.warnings)
    notes += fmt::format("<p class='note'>{}</p>", escaped(warning));
  return page("Camera by photon transfer", figures_table(found) + notes + transfer_plot(found) +
                                               residual_plot(found) + levels_table(found));
}

std::string calibration_text(const Calibration& found) {
  std::string text;
  for (const auto& [name, value] : figures_of(found))
    text += fmt::format("{}{:<16} {}", text.empty() ? "" : "\n", name, value);
  return text;
}

}  // namespace synthoscope::simulator
