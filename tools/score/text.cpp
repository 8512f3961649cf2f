// SPDX-License-Identifier: MIT
#include "tools/score/text.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/math/wilson_interval.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

std::string number(double value) {
  return fmt::format("{:.3f}", value);
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : "-";
}

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("{:<12} {}\n", name, text);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string lines_of(const score::LabelScores& s) {
  const score::ThresholdScores& half = s.at(0.5);
  std::string text;
  text += line("truth", counted(s.truth, "object", "objects") +
                            (s.images > 1 ? fmt::format(" in {} images", s.images) : ""));
  text += line("result", counted(s.results, "object", "objects"));
  text +=
      line("found", fmt::format("{} at IoU 0.5, {} missed, {} false", half.tp, half.fn, half.fp));
  text +=
      line("precision", fmt::format("{}, recall {}, F1 {}, AP {}", number(half.precision()),
                                    number(half.recall()), number(half.f1()), number(half.ap())));
  text += line("mean AP", fmt::format("{} over IoU 0.5 to 0.95", number(s.mean_ap)));
  text += line("mean IoU",
               fmt::format("{} of those found, SEG {}", number(half.mean_iou()), number(s.seg)));
  text += line("PQ", fmt::format("{} = SQ {} x RQ {}", number(s.pq), number(s.panoptic.mean_iou()),
                                 number(s.panoptic.f1())));
  text += line("split", fmt::format("{}, merged {}", s.splits, s.merges));
  text += line("Dice", fmt::format("{} of the foreground", number(s.dice)));
  text += line(
      "VI", fmt::format("{} bits split, {} bits merged", number(s.vi_split), number(s.vi_merge)));
  text += line("Rand error", fmt::format("{}, adapted", number(s.adapted_rand_error)));
  return text;
}

std::string line_of(const score::SurfaceScores& s, bool has_um) {
  if (s.pairs == 0) return line("surfaces", "no pair");
  const char* const unit = has_um ? "um" : "voxels";
  return line("surfaces",
              fmt::format("{:.3g} {} apart, Hausdorff {:.3g}, 95 % {:.3g}, boundary F {} at {:.3g}",
                          s.mean.mean_um, unit, s.mean.hausdorff_um, s.mean.hausdorff95_um,
                          number(s.mean.boundary_f), s.tolerance));
}

std::string lengths(const score::AlongZyx& um) {
  const auto nm = [](double length) {
    return std::isfinite(length) ? fmt::format("{:.3g}", 1000 * length) : "-";
  };
  const std::string across = fmt::format("{}, {}", nm(um[1]), nm(um[2]));
  return std::isnan(um[0]) ? across : nm(um[0]) + ", " + across;
}

/// From fewer spots, an error of theirs is too uncertain for an efficiency.
constexpr std::int64_t kLeastBounded = 10;

/// Returns whether the voxels displace light by more than the least error of finding it.
bool is_light_elsewhere(const score::SpotScores& s) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (s.rendering_um[axis] > s.bound_um[axis]) return true;
  return false;
}

std::string finite(double value) {
  if (std::isinf(value)) return "infinite";
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-";
}

}  // namespace

std::string score_text(const score::LabelReport& report,
                       const std::optional<score::SurfaceScores>& surfaces) {
  return lines_of(report.scores) + (surfaces ? line_of(*surfaces, report.has_um()) : "") +
         strata_text(report.strata);
}

std::string score_text(const score::TrackScores& s) {
  const score::GraphErrors& e = s.errors;
  std::string text;
  text += line("truth", fmt::format("{} tracks, {} objects, {} divisions", s.truth_tracks,
                                    s.truth_objects, s.truth_divisions));
  text += line("result", fmt::format("{} tracks, {} objects, {} divisions", s.result_tracks,
                                     s.result_objects, s.result_divisions));
  text += line("DET", fmt::format("{}, SEG {}, TRA {}, LNK {}", number(s.det), number(s.seg),
                                  number(s.tra), number(s.lnk)));
  text +=
      line("AOGM", fmt::format("{:g}: {} splits, {} missed, {} false; links: {} to delete, {} to "
                               "add, {} to change",
                               e.all(), e.ns, e.fn, e.fp, e.ed, e.ea, e.ec));
  text += line("CT", fmt::format("{} complete tracks, TF {}", number(s.ct), number(s.tf)));
  text += line("BC", fmt::format("{}, {}, {}, {} at 0 to 3 frames", number(s.bc[0]),
                                 number(s.bc[1]), number(s.bc[2]), number(s.bc[3])));
  text += line("CHOTA", fmt::format("{}, HOTA {}", number(s.chota), number(s.hota)));
  return text;
}

std::string score_text(const score::SpotScores& s) {
  std::string text;
  text += line("truth", counted(s.truth, "spot", "spots"));
  text += line("result", counted(s.results, "spot", "spots"));
  text += line("matched", fmt::format("{} within {:g} um", s.matched, s.radius_um));
  text += line("precision", fmt::format("{}, recall {}, F1 {}, Jaccard {}", number(s.precision),
                                        number(s.recall), number(s.f1), number(s.jaccard)));
  const bool has_z = !std::isnan(s.rmse_um[0]);
  const std::string axes = has_z ? "(z, y, x)" : "(y, x)";
  text += line("RMSE", fmt::format("{} nm {}", lengths(s.rmse_um), axes));
  text += line("bias", fmt::format("{} nm, with errors of {} nm", lengths(s.bias_um),
                                   lengths(s.bias_error_um)));
  if (s.bounded >= kLeastBounded) {
    const std::string across =
        fmt::format("{}, {}", finite(s.efficiency[1]), finite(s.efficiency[2]));
    text += line("efficiency", fmt::format("{}{} {}: bounds of {} nm over errors of {} spots",
                                           has_z ? finite(s.efficiency[0]) + ", " : "", across,
                                           axes, lengths(s.bound_um), s.bounded));
    if (is_light_elsewhere(s))
      text +=
          line("rendering", fmt::format("light lies {} nm from its spots, which are smaller than "
                                        "voxels; the efficiency is that of finding the light, "
                                        "and optics.oversample brings it nearer",
                                        lengths(s.rendering_um)));
  }
  return text;
}

std::string score_text(const score::ImageScores& s) {
  const score::FourierCurve& curve = s.shells ? *s.shells : s.rings.all;
  const auto crossing = [](const score::Crossing& at) {
    return at.state == score::CrossingState::crossed ? fmt::format("{:.3g} um", at.um)
           : at.state == score::CrossingState::above ? std::string{"finer than the voxels"}
                                                     : std::string{"none"};
  };
  std::string text;
  text += line("NRMSE", fmt::format("{}; {} after the best gain and offset", finite(s.raw.nrmse),
                                    finite(s.fitted.nrmse)));
  text += line("PSNR", fmt::format("{} dB; {} dB", finite(s.raw.psnr), finite(s.fitted.psnr)));
  text += line("SSIM", fmt::format("{}; {}", finite(s.raw.ssim), finite(s.fitted.ssim)));
  text += line("Pearson", finite(s.pearson));
  text +=
      line(s.shells ? "FSC" : "FRC",
           fmt::format("{} at 1/7, {} at 1/2, {} at half a bit", crossing(curve.resolution.seventh),
                       crossing(curve.resolution.half), crossing(curve.resolution.half_bit)));
  if (s.objects) {
    const score::FluxQuantiles flux = quantiles_of(*s.objects);
    text +=
        line("light",
             fmt::format("{} of that of an object is kept, the median of {} ({} to {})",
                         finite(flux.median), flux.objects, finite(flux.q05), finite(flux.q95)));
  }
  return text;
}

std::string strata_text(const std::vector<score::Stratum>& strata) {
  if (strata.empty()) return "";
  const bool has_ap = std::any_of(strata.begin(), strata.end(),
                                  [](const score::Stratum& one) { return one.ap().has_value(); });
  const bool has_iou = std::any_of(strata.begin(), strata.end(), [](const score::Stratum& one) {
    return one.mean_iou.has_value();
  });
  const auto two_digits = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : "-";
  };
  std::vector<std::vector<std::string>> rows{{"by", "from", "to", "truth", "recall", "95 %"}};
  if (has_ap) rows.front().emplace_back("AP");
  if (has_iou) rows.front().emplace_back("mean IoU");
  for (const score::Stratum& stratum : strata) {
    const auto [low, high] = wilson_interval(stratum.found, stratum.truth);
    const bool is_border = stratum.by == "border";
    rows.push_back({is_border              ? stratum.low > 0 ? "at the border" : "off the border"
                    : stratum.unit.empty() ? stratum.by
                                           : fmt::format("{} {}", stratum.by, stratum.unit),
                    is_border ? "" : fmt::format("{:.4g}", stratum.low),
                    is_border ? "" : fmt::format("{:.4g}", stratum.high),
                    std::to_string(stratum.truth), fmt::format("{:.2f}", stratum.recall()),
                    fmt::format("{:.2f} to {:.2f}", low, high)});
    if (has_ap) rows.back().push_back(two_digits(stratum.ap()));
    if (has_iou) rows.back().push_back(two_digits(stratum.mean_iou));
  }
  return "\n" + columns_text(rows);
}

}  // namespace synthoscope::tools
