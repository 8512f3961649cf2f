// SPDX-License-Identifier: MIT
#include "fftconv/kernel/kernel.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include "core/base/names.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr NameTable<CenterRule, 4> kCenterRules{{{CenterRule::scipy, "scipy"},
                                                 {CenterRule::middle, "middle"},
                                                 {CenterRule::peak, "peak"},
                                                 {CenterRule::centroid, "centroid"}}};
constexpr NameTable<KernelNormalization, 3> kNormalizations{{{KernelNormalization::none, "none"},
                                                             {KernelNormalization::sum, "sum"},
                                                             {KernelNormalization::peak, "peak"}}};

bool is_edge(std::int64_t i, std::int64_t n) {
  return n > 1 && (i == 0 || i == n - 1);
}

/// True on the outer faces of axes longer than 1.
bool on_border(const Extent3& e, std::int64_t z, std::int64_t y, std::int64_t x) {
  return is_edge(z, e.z) || is_edge(y, e.y) || is_edge(x, e.x);
}

/// Above this number of values, medians are those of an evenly spaced sample; its megabyte is part
/// of what the program always holds outside its budget.
constexpr std::int64_t kMedianSample = std::int64_t{1} << 17;

/// Hands every voxel to `visit(z, y, x, value)`, in order.
template <class Visit>
void for_each_voxel(Source& source, const StopFlag& stop, Visit&& visit) {
  for_each_row(source, stop, [&](std::int64_t z, std::int64_t y, const auto* row) {
    for (std::int64_t x = 0; x < source.extent().x; ++x)
      visit(z, y, x, static_cast<double>(row[x]));
  });
}

/// Voxels on the outer faces; no fewer than on_border finds.
std::int64_t border_voxels(const Extent3& e) {
  const auto inside = [](std::int64_t n) { return n > 1 ? n - 2 : n; };
  return volume(e) - inside(e.z) * inside(e.y) * inside(e.x);
}

/// Sums and first moments of one plane or of a whole kernel.
struct Moments {
  double sum = 0, abs_sum = 0, border = 0, sides = 0, positive = 0, z = 0, y = 0, x = 0;
  void operator+=(const Moments& o) {
    sum += o.sum, abs_sum += o.abs_sum, border += o.border, sides += o.sides,
        positive += o.positive;
    z += o.z, y += o.y, x += o.x;
  }
};

/// Median of `values`, 0 if there is none; reorders them.
double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

constexpr double kBorderShare = 0.01;     // of the kernel's sum
constexpr double kBackgroundShare = 0.5;  // likewise: beyond it, light alone is no explanation

}  // namespace

double border_median(Source& kernel, const StopFlag& stop) {
  const Extent3 e = kernel.extent();
  const std::int64_t step = border_voxels(e) / kMedianSample + 1;
  std::vector<double> border;
  border.reserve(static_cast<std::size_t>(border_voxels(e) / step + 1));
  std::int64_t index = 0;
  for_each_voxel(kernel, stop, [&](auto z, auto y, auto x, double v) {
    if (on_border(e, z, y, x) && index++ % step == 0 && std::isfinite(v)) border.push_back(v);
  });
  return median(border);
}

double estimate_background(Source& kernel, const StopFlag& stop) {
  const double border = border_median(kernel, stop);
  const std::int64_t voxels = volume(kernel.extent()), step = voxels / kMedianSample + 1;
  std::vector<double> sample;
  sample.reserve(static_cast<std::size_t>(voxels / step + 1));
  std::int64_t index = 0;
  for_each_voxel(kernel, stop, [&](auto, auto, auto, double v) {
    if (index++ % step == 0 && std::isfinite(v)) sample.push_back(v);
  });
  return std::min(border, median(sample));
}

KernelSummary summarize(Source& kernel, const StopFlag& stop, double background) {
  KernelSummary s;
  s.extent = kernel.extent();
  s.background = background;
  s.peak = -INFINITY;
  Moments total, of_plane;
  std::int64_t current = 0;
  for_each_voxel(kernel, stop, [&](std::int64_t z, std::int64_t y, std::int64_t x, double raw) {
    if (!std::isfinite(raw)) {
      ++s.non_finite;
      return;
    }
    if (z != current) {
      total += of_plane;
      of_plane = {};
      current = z;
    }
    const double v = raw - background;
    if (v > s.peak) s.peak = v, s.peak_index = {z, y, x};
    const double positive = std::max(v, 0.0);
    const bool on_sides = is_edge(y, s.extent.y) || is_edge(x, s.extent.x);
    of_plane += {v,
                 std::abs(v),
                 on_sides || is_edge(z, s.extent.z) ? std::abs(v) : 0.0,
                 on_sides ? std::abs(v) : 0.0,
                 positive,
                 positive * static_cast<double>(z),
                 positive * static_cast<double>(y),
                 positive * static_cast<double>(x)};
  });
  total += of_plane;
  s.sum = total.sum;
  s.abs_sum = total.abs_sum;
  if (total.abs_sum > 0) {
    s.border_share = total.border / total.abs_sum;
    s.lateral_border_share = total.sides / total.abs_sum;
  }
  if (total.positive > 0) {
    s.centroid_z = total.z / total.positive;
    s.centroid_y = total.y / total.positive;
    s.centroid_x = total.x / total.positive;
  }
  return s;
}

void require_usable(const KernelSummary& s, std::string_view name) {
  if (s.non_finite > 0)
    throw InvalidInput(fmt::format(
        "use kernel {}: {} of its {} voxels are NaN or infinite; replace them by numbers", name,
        s.non_finite, volume(s.extent)));
  if (s.abs_sum == 0)
    throw InvalidInput(fmt::format(
        "use kernel {}: all of its {} voxels are zero{}; give one with a signal", name,
        volume(s.extent),
        s.background != 0 ? fmt::format(" after subtracting its background of {}", s.background)
                          : ""));
}

std::optional<CenterRule> center_rule_named(std::string_view name) {
  return named_in(kCenterRules, name);
}

Index3 kernel_center(CenterRule rule, const KernelSummary& s, bool correlate) {
  const auto per_axis = [&](auto&& rule_of) {
    return Index3{rule_of(s.extent.z), rule_of(s.extent.y), rule_of(s.extent.x)};
  };
  switch (rule) {
    case CenterRule::scipy:
      return per_axis([&](std::int64_t k) { return correlate ? k / 2 : (k - 1) / 2; });
    case CenterRule::middle:
      return per_axis([](std::int64_t k) { return k / 2; });
    case CenterRule::peak:
      return s.peak_index;
    case CenterRule::centroid:
      break;
  }
  return {std::llround(s.centroid_z), std::llround(s.centroid_y), std::llround(s.centroid_x)};
}

std::string_view name_of(KernelNormalization rule) {
  return name_in(kNormalizations, rule);
}

double normalization_scale(KernelNormalization rule, const KernelSummary& s) {
  if (rule == KernelNormalization::none) return 1;
  const bool by_sum = rule == KernelNormalization::sum;
  const double divisor = by_sum ? s.sum : s.peak;
  // A sum that is rounding noise compared with its terms would scale the kernel at random
  if (!(std::abs(divisor) > 1e-9 * (by_sum ? s.abs_sum : 0)))
    throw InvalidInput(
        fmt::format("normalise the kernel: its {} is {:.3g}, and dividing by that is not possible; "
                    "use another normalisation or another background",
                    by_sum ? "sum" : "peak", divisor));
  return 1 / divisor;
}

bool nearly_cancels(const KernelSummary& s) {
  return std::abs(s.sum) < 0.1 * s.abs_sum;
}

BackgroundRule parse_background(std::string_view text) {
  if (text == "none") return {};
  if (text == "auto") return {BackgroundRule::Kind::automatic, 0};
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    throw InvalidSpec(fmt::format("'{}' is not accepted; give a number, auto or none", text));
  return {BackgroundRule::Kind::given, value};
}

std::string print(const BackgroundRule& rule) {
  switch (rule.kind) {
    case BackgroundRule::Kind::none:
      return "none";
    case BackgroundRule::Kind::automatic:
      return "auto";
    case BackgroundRule::Kind::given:
      break;
  }
  return fmt::format("{}", rule.value);
}

double background_of(const BackgroundRule& rule, Source& kernel, const StopFlag& stop) {
  if (rule.kind == BackgroundRule::Kind::automatic) return estimate_background(kernel, stop);
  return rule.kind == BackgroundRule::Kind::given ? rule.value : 0;
}

std::optional<std::string> border_warning(std::string_view name, Source& kernel,
                                          const BackgroundRule& rule, const KernelSummary& summary,
                                          BorderFaces faces, std::string_view remedy,
                                          const StopFlag& stop) {
  const bool lateral = faces == BorderFaces::lateral;
  const double of_sum = lateral ? summary.lateral_border_share : summary.border_share;
  // Weights with sum 0, such as those of a derivative, are not light
  if (of_sum <= kBorderShare || !(summary.sum > 0)) return std::nullopt;
  const std::string found = fmt::format("the {}border of kernel {} contains {:.1f} % of its sum",
                                        lateral ? "lateral " : "", name, 100 * of_sum);
  if (rule.kind != BackgroundRule::Kind::none)
    return fmt::format(
        "{} after subtracting a background of {:g}: this is noise, or the kernel cuts off part of "
        "its light",
        found, summary.background);
  const double background = estimate_background(kernel, stop);
  const double share = background * static_cast<double>(volume(summary.extent)) / summary.sum;
  if (!(share > kBackgroundShare))
    return fmt::format("{}: the kernel cuts off part of its light; use a larger one", found);
  return fmt::format(
      "{}, and a background of {:g} contains {:.0f} %, so the result is blurred by a box; subtract "
      "the background with {}",
      found, background, 100 * share, remedy);
}

}  // namespace synthoscope::fftconv
