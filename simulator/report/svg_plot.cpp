// SPDX-License-Identifier: MIT
#include "simulator/report/svg_plot.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "simulator/report/markup.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kWidth = 560, kHeight = 340;
constexpr double kLeft = 72, kRight = 16, kTop = 30, kBottom = 50;

/// A mapping of numbers to pixels along one axis.
struct Mapping {
  Scale scale;
  double low, high;   ///< numbers at the ends
  double begin, end;  ///< pixels there

  [[nodiscard]] double linear(double number) const {
    return scale == Scale::logarithmic ? std::log10(number) : number;
  }
  [[nodiscard]] double operator()(double number) const {
    const double share = (linear(number) - linear(low)) / (linear(high) - linear(low));
    return begin + share * (end - begin);
  }
};

bool is_shown(double number, Scale scale) {
  return std::isfinite(number) && (scale == Scale::linear || number > 0);
}

/// The range of all points that both axes can show; empty ranges are widened.
struct Ranges {
  double x_low = std::numeric_limits<double>::infinity(), x_high = -x_low;
  double y_low = x_low, y_high = x_high;

  Ranges(const std::vector<PlotSeries>& series, const PlotAxis& across, const PlotAxis& up) {
    for (const auto& one : series)
      for (const auto& [x, y] : one.points)
        if (is_shown(x, across.scale) && is_shown(y, up.scale)) {
          x_low = std::min(x_low, x), x_high = std::max(x_high, x);
          y_low = std::min(y_low, y), y_high = std::max(y_high, y);
        }
    if (empty()) return;
    if (across.reaches) x_high = std::max(x_high, *across.reaches);
    if (up.reaches) y_high = std::max(y_high, *up.reaches);
    widen(x_low, x_high, across.scale);
    if (up.scale == Scale::linear) y_low = std::min(y_low, 0.0);
    widen(y_low, y_high, up.scale);
  }
  [[nodiscard]] bool empty() const { return x_low > x_high; }

 private:
  static void widen(double& low, double& high, Scale scale) {
    if (low != high) return;
    if (scale == Scale::logarithmic) low /= 2, high *= 2;
    if (scale == Scale::linear) low -= 0.5, high += 0.5;
  }
};

std::string tick_text(double number) {
  const double size = std::abs(number);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) return fmt::format("{:.0e}", number);
  return fmt::format("{:g}", number);
}

std::string axes(const Mapping& x, const Mapping& y, const PlotAxis& across, const PlotAxis& up) {
  std::string svg;
  for (const double tick : ticks_between(x.low, x.high, x.scale, 8))
    svg += fmt::format(
        "<line class='grid' x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}'/>"
        "<text class='tick' x='{0:.1f}' y='{3:.1f}' text-anchor='middle'>{4}</text>",
        x(tick), y.begin, y.end, y.begin + 17, tick_text(tick));
  for (const double tick : ticks_between(y.low, y.high, y.scale, 6))
    svg += fmt::format(
        "<line class='grid' x1='{1:.1f}' y1='{0:.1f}' x2='{2:.1f}' y2='{0:.1f}'/>"
        "<text class='tick' x='{3:.1f}' y='{4:.1f}' text-anchor='end'>{5}</text>",
        y(tick), x.begin, x.end, x.begin - 7, y(tick) + 4, tick_text(tick));
  svg += fmt::format("<rect class='frame' x='{}' y='{}' width='{}' height='{}'/>", x.begin, y.end,
                     x.end - x.begin, y.begin - y.end);
  svg += fmt::format("<text class='label' x='{}' y='{}' text-anchor='middle'>{}</text>",
                     (x.begin + x.end) / 2, kHeight - 10, escaped(across.label));
  svg += fmt::format(
      "<text class='label' transform='translate(16 {}) rotate(-90)' text-anchor='middle'>{}</text>",
      (y.begin + y.end) / 2, escaped(up.label));
  return svg;
}

std::string drawn(const PlotSeries& series, const Mapping& x, const Mapping& y) {
  std::string points, dots;
  double last = 0;
  for (const auto& [a, b] : series.points) {
    const bool is_bar = series.mark == PlotSeries::Mark::steps;
    const bool is_seen = is_shown(b, y.scale);
    if (!is_shown(a, x.scale) || !(is_seen || is_bar)) continue;
    if (series.mark == PlotSeries::Mark::points) {
      dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.2' fill='{}'/>", x(a), y(b),
                          series.colour);
      continue;
    }
    if (is_bar && !points.empty()) points += fmt::format("{:.1f},{:.1f} ", x(a), last);
    last = is_seen ? y(b) : y.begin;  // an empty bar lies on the axis
    points += fmt::format("{:.1f},{:.1f} ", x(a), last);
  }
  return points.empty() ? dots
                        : fmt::format("<polyline points='{}' stroke='{}'/>", points, series.colour);
}

std::string legend(const std::vector<PlotSeries>& series) {
  std::string svg;
  double left = kLeft;
  for (const auto& one : series) {
    if (one.name.empty()) continue;
    svg += fmt::format(
        "<rect x='{0:.0f}' y='{1:.0f}' width='14' height='4' fill='{2}'/>"
        "<text class='tick' x='{3:.0f}' y='{4:.0f}'>{5}</text>",
        left, kTop - 14, one.colour, left + 19, kTop - 9, escaped(one.name));
    left += 40 + 6.2 * static_cast<double>(one.name.size());
  }
  return svg;
}

}  // namespace

std::vector<double> ticks_between(double low, double high, Scale scale, int count) {
  std::vector<double> ticks;
  if (scale == Scale::logarithmic) {
    const double first = std::ceil(std::log10(low)), last = std::floor(std::log10(high));
    const double step = std::max(1.0, std::ceil((last - first) / count));
    for (double power = first; power <= last; power += step) ticks.push_back(std::pow(10, power));
    if (ticks.size() >= 2) return ticks;
    ticks.clear();  // too narrow for powers of ten
  }
  const double rough = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough > 5 * power   ? 10
                               : rough > 2 * power ? 5
                               : rough > power     ? 2
                                                   : 1);
  const double first = std::ceil(low / step), last = std::floor(high / step);
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string svg_plot(const PlotAxis& across, const PlotAxis& up,
                     const std::vector<PlotSeries>& series) {
  const Ranges range{series, across, up};
  if (range.empty()) return "<p class='note'>There is nothing to plot.</p>";
  const Mapping x{across.scale, range.x_low, range.x_high, kLeft, kWidth - kRight};
  const Mapping y{up.scale, range.y_low, range.y_high, kHeight - kBottom, kTop};
  std::string svg =
      fmt::format("<svg class='plot' viewBox='0 0 {} {}' role='img'>", kWidth, kHeight);
  svg += axes(x, y, across, up);
  for (const auto& one : series) svg += drawn(one, x, y);
  return svg + legend(series) + "</svg>";
}

}  // namespace synthoscope::simulator
