// SPDX-License-Identifier: MIT
#include "fftconv/kernel/background.hpp"
#include <fmt/format.h>
#include <charconv>
#include <cmath>

namespace synthoscope::fftconv {
namespace {

constexpr double kBorderShare = 0.01;     // of the kernel's sum
constexpr double kBackgroundShare = 0.5;  // likewise: beyond it, light alone is no explanation

}  // namespace

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
        "{} after subtracting a background of {:g}: this is noise, or the kernel is too small for "
        "its light",
        found, summary.background);
  const double background = estimate_background(kernel, stop);
  const double share = background * static_cast<double>(volume(summary.extent)) / summary.sum;
  if (!(share > kBackgroundShare))
    return fmt::format("{}: the kernel is too small for its light; use a larger one", found);
  return fmt::format(
      "{}, and a background of {:g} contains {:.0f} %, so the result is blurred by a box; subtract "
      "the background with {}",
      found, background, 100 * share, remedy);
}

}  // namespace synthoscope::fftconv
