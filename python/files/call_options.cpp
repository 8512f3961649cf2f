// SPDX-License-Identifier: MIT
#include "python/files/call_options.hpp"
#include <fmt/ranges.h>
#include <variant>
#include <vector>

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

using Center = std::variant<std::string, Sizes>;

std::variant<fftconv::CenterRule, Index3> center_of(const CallOptions& options,
                                                    const Center& center) {
  if (const auto* voxel = std::get_if<1>(&center))
    return Index3{std::get<0>(*voxel), std::get<1>(*voxel), std::get<2>(*voxel)};
  const auto& name = std::get<std::string>(center);
  if (const auto rule = fftconv::center_rule_named(name)) return *rule;
  throw InvalidSpec(fmt::format(
      "{}: kernel_center is '{}'; use scipy, middle, peak, centroid, or a voxel as (z, y, x)",
      options.call(), name));
}

fftconv::KernelNormalization normalization_of(
    const CallOptions& options, std::initializer_list<fftconv::KernelNormalization> rules) {
  std::vector<std::string_view> names;
  for (const auto rule : rules) names.push_back(name_of(rule));
  const auto find = [&](const std::string& name) -> std::optional<fftconv::KernelNormalization> {
    for (const auto rule : rules)
      if (name_of(rule) == name) return rule;
    return std::nullopt;
  };
  return options.chosen(find, "normalize_kernel",
                        fmt::format("{}", fmt::join(names, ", ")).c_str());
}

}  // namespace

std::int64_t CallOptions::count(const char* name) const {
  const std::int64_t number = whole(name);
  if (number < 0) refuse(name, "a whole number from 0");
  return number;
}

std::optional<std::int64_t> CallOptions::whole_or_auto(const char* name) const {
  const nb::object given = options_[name];
  if (nb::isinstance<nb::str>(given) && text(name) == "auto") return std::nullopt;
  return cast<std::int64_t>(name, "a whole number or 'auto'");
}

fftconv::BackgroundRule CallOptions::background(const char* name) const {
  const nb::object given = options_[name];
  if (given.is_none()) return {};
  try {
    return fftconv::parse_background(nb::cast<std::string>(nb::str(given)));
  } catch (const InvalidSpec&) {
    refuse(name, "a number, 'auto' or None");
  }
}

void CallOptions::refuse(const char* name, const char* what) const {
  throw InvalidSpec(fmt::format("{}: {} is {}; give {}", call_, name,
                                nb::cast<std::string>(nb::repr(options_[name])), what));
}

fftconv::KernelUse kernel_use_of(const CallOptions& options,
                                 std::initializer_list<fftconv::KernelNormalization> rules) {
  fftconv::KernelUse use;
  use.normalization = normalization_of(options, rules);
  use.background = options.background("kernel_background");
  if (const auto center = options.taken<Center>("kernel_center", "a name or a voxel (z, y, x)"))
    use.center = center_of(options, *center);
  return use;
}

imageio::OpenOptions opening_of(const CallOptions& options) {
  return {.channel = options.taken<std::int64_t>("channel", "a whole number"),
          .frame = options.taken<std::int64_t>("frame", "a whole number"),
          .limits = {},
          .image = options.taken<std::int64_t>("image_number", "a whole number"),
          .axes = options.taken<std::string>("axes", "letters such as 'TZYX'").value_or("")};
}

jobs::FileChoice file_choice_of(const CallOptions& options) {
  jobs::FileChoice file;
  file.overwrite = options.is_on("overwrite");
  file.format = options.named(imageio::kFileFormatNames, "format");
  file.flavor = options.named(imageio::kTiffFlavorNames, "tiff_flavor");
  file.compression = options.named(imageio::kCompressionNames, "compression");
  if (const auto sizes = options.taken<Sizes>("chunks", "three whole numbers (z, y, x)"))
    file.chunks = Extent3{std::get<0>(*sizes), std::get<1>(*sizes), std::get<2>(*sizes)};
  return file;
}

jobs::PlanSettings plan_settings_of(const CallOptions& options) {
  jobs::PlanSettings plan;
  plan.strategy = options.chosen(fftconv::strategy_named, "strategy",
                                 "auto, in-core, ring, tiles, parts, direct, separable");
  if (const auto fft = options.taken<std::string>("fft", "the name of a library")) {
    plan.fft = options.chosen(fftconv::fft_library_named, "fft", "own, fftw, fftw-measured, cufft");
    require_here(*plan.fft, options.call() + ": use the transforms of '" + *fft + "'");
  }
  if (const auto folder = options.taken<std::string>("scratch", "the name of a folder"))
    plan.scratch = *folder;
  return plan;
}

}  // namespace synthoscope::python
