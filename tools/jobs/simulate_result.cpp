// SPDX-License-Identifier: MIT
#include "tools/jobs/simulate_result.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include "core/base/json.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// Sums in single precision may differ by this part of all light.
constexpr double kRounding = 1e-4;

/// The photons that the scene's keys name: "1.2e+06 photons collected", or those emitted and how
/// many of them the aperture collects.
std::string photons_text(const simulator::EnergyBalance& energy) {
  if (energy.collected == energy.emitted)
    return fmt::format("{:.4g} photons collected", energy.collected);
  return fmt::format("{:.4g} photons emitted, {:.4g} of them ({:.3g} %) collected by the aperture",
                     energy.emitted, energy.collected, 100 * energy.collected / energy.emitted);
}

/// "light: 1.2e+06 photons collected; ..."
std::string energy_text(const std::optional<simulator::EnergyBalance>& energy,
                        simulator::PsfNormalization normalization) {
  if (!energy || energy->unbounded <= 0) return "";
  const auto percent = [&](double photons) {
    const double part = photons / energy->unbounded;
    return std::abs(part) < kRounding ? 0 : 100 * part;
  };
  const std::string scaled =
      normalization == simulator::PsfNormalization::plane
          ? ""
          : fmt::format(", scaled by optics.normalization = \"{}\"",
                        name_in(simulator::kPsfNormalizationNames, normalization));
  return fmt::format(
      "light: {}{}; compared with an unlimited field of view, {:.4g} % of the light is in the "
      "image, {:.3g} % is cut off by the size of the PSF and {:.3g} % falls outside the field{}",
      photons_text(*energy), scaled, percent(energy->image), percent(energy->lost_by_window),
      percent(energy->lost_by_field),
      std::min(energy->lost_by_window, energy->lost_by_field) < -kRounding * energy->unbounded
          ? "; shares below 0 come from negative values of the measured PSF"
          : "");
}

std::string snr_text(const std::optional<double>& median) {
  return median ? fmt::format("signal to noise: {:.3g}, the median of all objects", *median) : "";
}

Json energy_json(const std::optional<simulator::EnergyBalance>& energy,
                 simulator::PsfNormalization normalization) {
  if (!energy) return nullptr;
  return Json{{"emitted", energy->emitted},
              {"collected", energy->collected},
              {"unbounded", energy->unbounded},
              {"image", energy->image},
              {"lost_by_window", energy->lost_by_window},
              {"lost_by_field", energy->lost_by_field},
              {"normalization", name_in(simulator::kPsfNormalizationNames, normalization)}};
}

/// Returns "; 3 of 12 are missing: a, b and others"; empty if none is.
std::string still_missing(const simulator::SweepReport& done) {
  constexpr std::size_t kNamed = 3;
  if (done.missing.empty()) return "";
  const auto named = std::min(kNamed, done.missing.size());
  return fmt::format("; {} of {} are missing: {}{}", done.missing.size(), done.folders.size(),
                     fmt::join(done.missing.begin(),
                               done.missing.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                     done.missing.size() > named ? " and others" : "");
}

/// What is said of the images of a channel.
Json image_json(const simulator::ImagingReport& image, const Console& console) {
  return {{"psfs", image.psfs},
          {"psf_origin_um", image.psf_origin_um},
          {"photons", energy_json(image.energy, image.normalization)},
          {"camera", json_of(image.camera)},
          {"snr",
           {{"median", image.median_snr ? Json(*image.median_snr) : Json()},
            {"dose", image.dose ? Json(*image.dose) : Json()}}},
          {"blur", json_of(image.blur, console.peak_anonymous_bytes())}};
}

}  // namespace

void print_result(const simulator::SimulationReport& done, const std::filesystem::path& output,
                  bool json, const Invocation& invocation) {
  const bool has_channels = !done.images.front().channel.empty();
  if (!json) {
    print_summary(fmt::format("{}: {} objects in {}{}, seed {}, {:.2f} s", output.string(),
                              done.objects,
                              done.frames == 1 ? "" : fmt::format("{} frames of ", done.frames),
                              done.grid.extent, done.seed, done.seconds));
    for (const auto& image : done.images)
      for (const std::string& line :
           {energy_text(image.energy, image.normalization), snr_text(image.median_snr)})
        if (!line.empty())
          print_summary(has_channels ? fmt::format("channel {}: {}", image.channel, line) : line);
    return;
  }
  Json files = Json::array();
  for (const auto& file : done.files) files.push_back(file.string());
  Json result{{"output", output.string()}, {"files", files},
              {"seed", done.seed},         {"frames", done.frames},
              {"objects", done.objects},   {"objects_without_voxel", done.objects_without_voxel}};
  if (has_channels)
    for (const auto& image : done.images) {
      Json row{{"channel", image.channel}};
      row.update(image_json(image, invocation.console));
      result["channels"].push_back(row);
    }
  else
    result.update(image_json(done.images.front(), invocation.console));
  result["seconds"] = done.seconds;
  result["stages"] = json_of(done.stages);
  result["run"] = invocation.clock.json();
  result["warnings"] = invocation.console.warnings();
  print_json(result);
}

void print_result(const simulator::SweepReport& done, const std::filesystem::path& output,
                  const std::optional<Shard>& shard, bool json, const Invocation& invocation) {
  if (!json) {
    const std::string part = shard ? fmt::format("shard {}: ", name_of(*shard)) : "";
    print_summary(fmt::format(
        "{}: {}{} data sets{}, {} objects, seed {}, {:.2f} s{}", output.string(), part, done.made,
        done.kept == 0 ? "" : fmt::format(" in addition to {} that were complete", done.kept),
        done.objects, done.seed, done.seconds, still_missing(done)));
    return;
  }
  Json result{{"output", output.string()},
              {"folders", done.folders},
              {"made", done.made},
              {"kept", done.kept},
              {"seed", done.seed},
              {"objects", done.objects},
              {"seconds", done.seconds},
              {"stages", json_of(done.stages)},
              {"run", invocation.clock.json()},
              {"warnings", invocation.console.warnings()}};
  if (shard) {
    result["shard"] = {shard->number, shard->count};
    result["whole"] = done.missing.empty();
    result["missing"] = done.missing;
  }
  print_json(result);
}

void print_result(const simulator::SceneShareReport& done, const std::filesystem::path& output,
                  const Shard& shard, bool json, const Invocation& invocation) {
  const bool has_work = done.own.count > 0;
  const char* const what = done.are_frames ? "frames" : "steps";
  if (!json) {
    const std::string own =
        has_work ? fmt::format("{} {}-{}{}", what, done.own.first, done.own.end() - 1,
                               done.is_kept ? ", whole already" : "")
                 : fmt::format("there is no {} left for it", done.are_frames ? "frame" : "step");
    print_summary(fmt::format("{}: shard {}: {}, seed {}, {:.2f} s; {}", output.string(),
                              name_of(shard), own, done.seed, done.seconds,
                              done.missing.empty()
                                  ? "all are there"
                                  : fmt::format("{} not yet", fmt::join(done.missing, ", "))));
    return;
  }
  Json result{{"output", output.string()},
              {"shard", {shard.number, shard.count}},
              {what, Json::array()},
              {"kept", done.is_kept},
              {"seed", done.seed},
              {"whole", done.missing.empty()},
              {"missing", done.missing},
              {"seconds", done.seconds},
              {"run", invocation.clock.json()},
              {"warnings", invocation.console.warnings()}};
  if (has_work) result[what] = {done.own.first, done.own.end() - 1};
  if (!done.is_kept) result["stages"] = json_of(done.stages);
  print_json(result);
}

}  // namespace synthoscope::tools
